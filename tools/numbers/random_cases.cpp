#include "tools/numbers/random_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "incore/mont.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

constexpr size_t kMaxNumberFile = 1 << 20;

// Takes a number of bits from the front of |*inout_text|.
bool take_bits(std::string* inout_text, size_t* out_bits) {
  const char* const begin = inout_text->data();
  const auto [rest, error] = std::from_chars(begin, begin + inout_text->size(), *out_bits);
  if (error != std::errc()) return false;
  inout_text->erase(0, static_cast<size_t>(rest - begin));
  return true;
}

// Takes |separator| and a number of bits behind it.
bool take_bits(char separator, std::string* inout_text, size_t* out_bits) {
  if (!inout_text->starts_with(separator)) return false;
  inout_text->erase(0, 1);
  return take_bits(inout_text, out_bits);
}

std::vector<size_t> parse_bits(const std::string& list) {
  std::vector<size_t> sizes;
  std::istringstream parts(list + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    std::string rest = part;
    size_t first = 0, last = 0, step = 128;
    bool good = take_bits(&rest, &first);
    last = first;
    if (good && !rest.empty()) good = take_bits('-', &rest, &last);
    if (good && !rest.empty()) good = take_bits(':', &rest, &step);
    if (!good || !rest.empty() || step == 0 || first < INCORE_MONT_MIN_BITS || last < first ||
        last > INCORE_MONT_MAX_BITS)
      throw std::invalid_argument(
          fmt::format("--bits: '{}' is no size; accepted are {} to {}, such as 512,1024 or "
                      "256-2048:128",
                      part, INCORE_MONT_MIN_BITS, INCORE_MONT_MAX_BITS));
    for (size_t bits = first; bits <= last; bits += step) sizes.push_back(bits);
  }
  return sizes;
}

}  // namespace

void RandomCases::resolve() {
  sizes = parse_bits(bits);
  if (!seed) seed = std::random_device()();
}

RandomCase ordered_case(Bytes base, Bytes exponent, Bytes modulus) {
  if (is_below(modulus, base)) std::swap(modulus, base);
  if (is_below(modulus, exponent)) std::swap(modulus, exponent);
  modulus.back() |= 1;
  if (base == modulus) base.back() &= 0xfe;
  return {base, exponent, modulus};
}

RandomCase random_case(size_t bits, std::mt19937_64& random) {
  Bytes base = random_number(bits, random), exponent = random_number(bits, random),
        modulus = random_number(bits, random);
  modulus.front() |= static_cast<uint8_t>(1 << (bits - 1) % 8);
  return ordered_case(base, exponent, modulus);
}

Bytes number_of_option(const std::string& option, const std::string& text) {
  std::string hex = text;
  if (text.starts_with("@")) {
    std::ifstream file(text.substr(1), std::ios::binary);
    hex.assign(kMaxNumberFile + 1, '\0');
    file.read(hex.data(), static_cast<std::streamsize>(hex.size()));
    hex.resize(static_cast<size_t>(file.gcount()));
    if (!file.eof() || file.bad())
      throw std::invalid_argument(fmt::format("{}: cannot read {}, or it is larger than 1 MiB",
                                              option, in_quotes(text.substr(1))));
    std::erase_if(hex, [](char c) { return std::string(" \t\r\n").find(c) != std::string::npos; });
  }
  if (hex.starts_with("0x")) hex.erase(0, 2);
  try {
    return parse_number(hex);
  } catch (const std::invalid_argument& wrong) {
    throw std::invalid_argument(fmt::format(
        "{}: {}; a number is hex digits, or @FILE with hex digits", option, wrong.what()));
  }
}

}  // namespace incore::tools
