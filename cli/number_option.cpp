#include "number_option.h"

#include <fmt/format.h>

#include <charconv>

namespace incore::cli {

std::optional<uint64_t> whole_number(const std::string& text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char *const begin = text.data() + (hexadecimal ? 2 : 0), *const end =
                                                                     text.data() + text.size();
  uint64_t number = 0;
  const auto [behind, error] = std::from_chars(begin, end, number, hexadecimal ? 16 : 10);
  if (error != std::errc() || behind != end) return std::nullopt;
  return number;
}

std::optional<uint32_t> word_number(const std::string& text) {
  const bool negative = text.starts_with('-');
  const std::optional<uint64_t> number = whole_number(negative ? text.substr(1) : text);
  if (!number || *number > (negative ? uint64_t{1} << 31 : UINT32_MAX)) return std::nullopt;
  return static_cast<uint32_t>(negative ? 0 - *number : *number);
}

std::string number_mistake(const std::string& text, uint64_t low, uint64_t high) {
  const std::optional<uint64_t> number = whole_number(text);
  if (number && *number >= low && *number <= high) return "";
  constexpr size_t kShown = 40;
  return fmt::format("'{}{}' is not accepted; accepted: whole numbers from {} to {}",
                     text.substr(0, kShown), text.size() > kShown ? "..." : "", low,
                     high == UINT64_MAX ? "2^64 - 1" : std::to_string(high));
}

}  // namespace incore::cli
