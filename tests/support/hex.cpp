#include "support/hex.h"

#include <stdexcept>

namespace incore::test {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  throw std::invalid_argument(std::string("not a hex digit: ") + c);
}

}  // namespace

Bytes from_hex(const std::string& text) {
  std::string digits;
  for (char c : text)
    if (c != ' ' && c != '\n' && c != '\t') digits.push_back(c);
  if (digits.size() % 2 != 0) throw std::invalid_argument("odd number of hex digits");
  Bytes bytes;
  for (size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(digit(digits[i]) << 4 | digit(digits[i + 1])));
  return bytes;
}

std::string to_hex(const void* data, size_t len) {
  static const char kDigits[] = "0123456789abcdef";
  const uint8_t* p = static_cast<const uint8_t*>(data);
  std::string text;
  for (size_t i = 0; i < len; ++i) {
    text.push_back(kDigits[p[i] >> 4]);
    text.push_back(kDigits[p[i] & 15]);
  }
  return text;
}

Bytes random_bytes(size_t len, uint64_t seed) {
  Bytes bytes(len);
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 0x1234567;  // splitmix64
  for (uint8_t& b : bytes) {
    x += 0x9E3779B97F4A7C15u;
    uint64_t z = x;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    b = static_cast<uint8_t>(z >> 56);
  }
  return bytes;
}

}  // namespace incore::test
