#include "tools/base/hex.h"

namespace incore::tools {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string to_hex(const void* bytes, size_t len) {
  const auto* const from = static_cast<const uint8_t*>(bytes);
  std::string text;
  for (size_t i = 0; i < len; ++i) {
    text += "0123456789abcdef"[from[i] >> 4];
    text += "0123456789abcdef"[from[i] & 15];
  }
  return text;
}

std::vector<uint8_t> from_leading_hex(std::string_view text) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) break;
    bytes.push_back(static_cast<uint8_t>(high << 4 | low));
  }
  return bytes;
}

}  // namespace incore::tools
