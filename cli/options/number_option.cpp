#include "cli/options/number_option.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <limits>

#include "cli/command.h"
#include "tools/base/quote.h"

namespace incore::cli {
namespace {

constexpr char kName[] = "number";  // of the checks

// False: |text| is not all of a number.
template <class Number>
bool parse(const std::string& text, Number* out_number) {
  const char *begin = text.data(), *const end = begin + text.size();
  std::from_chars_result result;
  if constexpr (std::is_floating_point_v<Number>) {
    result = std::from_chars(begin, end, *out_number);
    if (!std::isfinite(*out_number)) return false;
  } else {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    begin += hexadecimal ? 2 : 0;
    if (hexadecimal && text.substr(2, 1) == "-") return false;
    result = std::from_chars(begin, end, *out_number, hexadecimal ? 16 : 10);
  }
  return result.ec == std::errc() && result.ptr == end;
}

template <class Number>
std::string limit_text(Number limit) {
  if constexpr (std::is_same_v<Number, uint64_t>)
    if (limit == UINT64_MAX) return "2^64 - 1";
  if constexpr (std::is_same_v<Number, int64_t>)
    if (limit == INT64_MAX) return "2^63 - 1";
  return fmt::format("{}", limit);
}

// The text becomes one that every conversion reads alike.
template <class Number>
CLI::Validator number(Number low, Number high, const char* what) {
  const auto check = [=](std::string& text) -> std::string {
    Number value = 0;
    const bool is_number = parse(text, &value);
    if (is_number && value >= low && value <= high) {
      if constexpr (!std::is_floating_point_v<Number>) text = std::to_string(value);
      return "";
    }
    const bool all = low == std::numeric_limits<Number>::lowest() && low != 0 &&
                     high == std::numeric_limits<Number>::max();
    return fmt::format("{} is no {}{}", in_quotes(text), what,
                       all ? "" : fmt::format(" from {} to {}", limit_text(low), limit_text(high)));
  };
  return CLI::Validator(check, "", kName);
}

bool is_checked(CLI::Option& option) {
  try {
    return option.get_validator(kName) != nullptr;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

}  // namespace

CLI::Validator whole_number(uint64_t low, uint64_t high) {
  return number(low, high, "whole number");
}

CLI::Validator signed_number(int64_t low, int64_t high) {
  return number(low, high, "whole number");
}

CLI::Validator real_number(double low, double high) {
  return number(low, high, "number");
}

std::optional<uint32_t> word_number(const std::string& text) {
  const bool negative = text.starts_with('-');
  uint64_t number = 0;
  if (!parse(negative ? text.substr(1) : text, &number)) return std::nullopt;
  if (number > (negative ? uint64_t{1} << 31 : UINT32_MAX)) return std::nullopt;
  return static_cast<uint32_t>(negative ? 0 - number : number);
}

void check_numbers(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool is_unsigned = type.starts_with("UINT"), is_signed = type.starts_with("INT");
    const bool is_real = type.starts_with("FLOAT");
    if (option->get_items_expected_max() == 0 || (!is_unsigned && !is_signed && !is_real)) continue;
    option->type_name(is_real ? "X" : "N");
    if (is_checked(*option)) continue;
    constexpr double kMost = std::numeric_limits<double>::max();
    option->transform(is_unsigned ? whole_number()
                      : is_signed ? signed_number(INT64_MIN, INT64_MAX)
                                  : real_number(-kMost, kMost));
  }
}

}  // namespace incore::cli
