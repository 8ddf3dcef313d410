#include "tools/base/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "tools/base/hex.h"

namespace incore::tools {
namespace {

int digit(char c) {
  if (const int value = hex_digit(c); value >= 0) return value;
  const auto code = static_cast<unsigned char>(c);
  throw std::invalid_argument(
      "Invalid hex character: " +
      (code > ' ' && code < 0x7f ? std::string(1, c) : fmt::format("byte 0x{:02x}", code)));
}

}  // namespace

Bytes from_hex(const std::string& hex) {
  if (hex.size() % 2 != 0) throw std::invalid_argument("an odd number of hex digits");
  Bytes bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  return bytes;
}

Bytes parse_number(const std::string& hex) {
  if (hex.empty()) throw std::invalid_argument("a number without digits");
  return trimmed(from_hex(hex.size() % 2 != 0 ? "0" + hex : hex));
}

std::string number_text(const Bytes& number) {
  const std::string text = to_hex(number.data(), number.size());
  const size_t first = text.find_first_not_of('0');
  return first == std::string::npos ? "0" : text.substr(first);
}

Bytes trimmed(const Bytes& number) {
  return Bytes(std::find_if(number.begin(), number.end(), [](uint8_t byte) { return byte != 0; }),
               number.end());
}

Bytes padded(const Bytes& number, size_t len) {
  const Bytes significant = trimmed(number);
  if (significant.size() > len) throw std::logic_error("a number that is too long");
  Bytes result(len - significant.size());
  result.insert(result.end(), significant.begin(), significant.end());
  return result;
}

size_t bit_length(const Bytes& number) {
  const Bytes significant = trimmed(number);
  if (significant.empty()) return 0;
  return 8 * (significant.size() - 1) + static_cast<size_t>(std::bit_width(significant.front()));
}

bool is_odd(const Bytes& number) {
  return !number.empty() && (number.back() & 1) != 0;
}

bool is_below(const Bytes& a, const Bytes& b) {
  const Bytes x = trimmed(a), y = trimmed(b);
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

Bytes random_number(size_t bits, std::mt19937_64& random) {
  Bytes number((bits + 7) / 8);
  for (uint8_t& byte : number) byte = static_cast<uint8_t>(random() >> 56);
  if (bits % 8 != 0) number.front() &= static_cast<uint8_t>((1 << bits % 8) - 1);
  return number;
}

}  // namespace incore::tools
