#include "tools/base/sizes.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace incore::tools {
namespace {

// 0 if |unit| is none.
uint64_t bytes_in(const std::string& unit) {
  if (unit.empty() || unit == "B") return 1;
  if (unit == "k" || unit == "K" || unit == "KiB") return 1 << 10;
  if (unit == "m" || unit == "M" || unit == "MiB") return 1 << 20;
  if (unit == "g" || unit == "G" || unit == "GiB") return 1 << 30;
  if (unit == "t" || unit == "T" || unit == "TiB") return uint64_t{1} << 40;
  return 0;
}

// False if it is no size of at most |max|.
bool parse(const std::string& text, uint64_t max, uint64_t* out_size) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const uint64_t unit = bytes_in(std::string(rest, end));
  if (error != std::errc() || unit == 0 || number > max / unit) return false;
  *out_size = number * unit;
  return true;
}

size_t parse_size(const std::string& text, size_t max) {
  uint64_t size = 0;
  if (!parse(text, max, &size) || size == 0)
    throw std::invalid_argument(
        fmt::format("--sizes: '{}' is no size; accepted are numbers from 1 byte to {} MiB, such as "
                    "16, 1k, 8K, 64KiB",
                    text, max >> 20));
  return static_cast<size_t>(size);
}

}  // namespace

uint64_t parse_byte_count(const std::string& option, const std::string& text) {
  uint64_t size = 0;
  if (!parse(text, UINT64_MAX, &size))
    throw std::invalid_argument(fmt::format(
        "{}: '{}' is no number of bytes below 2^64; accepted are such as 4096, 64k, 10M, 2GiB",
        option, text));
  return size;
}

std::vector<size_t> parse_sizes(const std::string& list, size_t max) {
  std::vector<size_t> sizes;
  size_t begin = 0;
  for (size_t comma; (comma = list.find(',', begin)) != std::string::npos; begin = comma + 1)
    sizes.push_back(parse_size(list.substr(begin, comma - begin), max));
  sizes.push_back(parse_size(list.substr(begin), max));
  return sizes;
}

}  // namespace incore::tools
