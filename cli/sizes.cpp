#include "sizes.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace incore::cli {
namespace {

// 0 if |unit| is none.
size_t bytes_in(const std::string& unit) {
  if (unit.empty() || unit == "B") return 1;
  if (unit == "k" || unit == "K" || unit == "KiB") return 1024;
  if (unit == "m" || unit == "M" || unit == "MiB") return 1024 * 1024;
  return 0;
}

size_t parse_size(const std::string& text, size_t max) {
  size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const size_t unit = bytes_in(std::string(rest, end));
  if (error != std::errc() || number == 0 || unit == 0 || number > max / unit)
    throw std::invalid_argument(
        fmt::format("--sizes: '{}' is no size; accepted are numbers from 1 byte to {} MiB, such as "
                    "16, 1k, 8K, 64KiB",
                    text, max >> 20));
  return number * unit;
}

}  // namespace

std::vector<size_t> parse_sizes(const std::string& list, size_t max) {
  std::vector<size_t> sizes;
  size_t begin = 0;
  for (size_t comma; (comma = list.find(',', begin)) != std::string::npos; begin = comma + 1)
    sizes.push_back(parse_size(list.substr(begin, comma - begin), max));
  sizes.push_back(parse_size(list.substr(begin), max));
  return sizes;
}

}  // namespace incore::cli
