#include "cli/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "tools/base/quote.h"
#include "tools/base/suggest.h"

namespace incore::cli {
namespace detail {
namespace {

template <class Number>
std::string range_of(Number low, Number high) {
  return number_text(low) + " to " + number_text(high);
}

}  // namespace

std::string range_text(uint64_t low, uint64_t high) {
  return range_of(low, high);
}
std::string range_text(int64_t low, int64_t high) {
  return low == INT64_MIN && high == INT64_MAX ? "" : range_of(low, high);
}
std::string range_text(double low, double high) {
  constexpr double kMost = std::numeric_limits<double>::max();
  return low == -kMost && high == kMost ? "" : range_of(low, high);
}

std::string number_text(uint64_t number) {
  return number == UINT64_MAX ? "2^64 - 1" : fmt::format("{}", number);
}
std::string number_text(int64_t number) {
  return number == INT64_MAX ? "2^63 - 1" : fmt::format("{}", number);
}
std::string number_text(double number) {
  return fmt::format("{}", number);
}

}  // namespace detail

namespace {

using namespace tools;

// False: |text| is not all of a number.
template <class Number>
bool parse(const std::string& text, Number* out) {
  const char *begin = text.data(), *const end = begin + text.size();
  std::from_chars_result result;
  if constexpr (std::is_floating_point_v<Number>) {
    result = std::from_chars(begin, end, *out);
    if (!std::isfinite(*out)) return false;
  } else {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    begin += hexadecimal ? 2 : 0;
    if (hexadecimal && text.substr(2, 1) == "-") return false;
    result = std::from_chars(begin, end, *out, hexadecimal ? 16 : 10);
  }
  return result.ec == std::errc() && result.ptr == end;
}

template <class Number>
std::string read(const std::string& text, Number low, Number high, Number* out, const char* what) {
  if (parse(text, out) && *out >= low && *out <= high) return "";
  const std::string range = detail::range_text(low, high);
  return fmt::format("{} is no {}{}{}", in_quotes(text), what, range.empty() ? "" : " from ",
                     range);
}

std::string unknown(const std::string& given, const Texts& accepted) {
  constexpr size_t kMostNames = 400;  // characters
  const std::string nearest = suggestion(given, accepted),
                    names = fmt::format("{}", fmt::join(accepted, " "));
  if (names.size() > kMostNames)
    return fmt::format("{} is unknown{} --list shows what is accepted", in_quotes(given),
                       nearest.empty() ? ";" : nearest);
  return fmt::format("{} is unknown{} {}: {}", in_quotes(given), nearest.empty() ? ";" : nearest,
                     nearest.empty() ? "accepted" : "Accepted", names);
}

}  // namespace

std::string read_number(const std::string& text, uint64_t low, uint64_t high, uint64_t* out) {
  return read(text, low, high, out, "whole number");
}
std::string read_number(const std::string& text, int64_t low, int64_t high, int64_t* out) {
  return read(text, low, high, out, "whole number");
}
std::string read_number(const std::string& text, double low, double high, double* out) {
  return read(text, low, high, out, "number");
}

std::optional<uint32_t> word_number(const std::string& text) {
  const bool negative = text.starts_with('-');
  uint64_t number = 0;
  if (!parse(negative ? text.substr(1) : text, &number)) return std::nullopt;
  if (number > (negative ? uint64_t{1} << 31 : UINT32_MAX)) return std::nullopt;
  return static_cast<uint32_t>(negative ? 0 - number : number);
}

Texts Option::all_names() const {
  const size_t comma = names.find(',');
  if (comma == std::string::npos) return {names};
  return {names.substr(0, comma), names.substr(comma + 1)};
}

Option Option::excludes(const Texts& others) && {
  excluded.insert(excluded.end(), others.begin(), others.end());
  return std::move(*this);
}

Option Option::one_of(Texts accepted) && {
  choices = accepted;
  take = [accepted = std::move(accepted), next = std::move(take)](const Texts& values) {
    for (const std::string& given : values)
      if (std::find(accepted.begin(), accepted.end(), given) == accepted.end())
        return unknown(given, accepted);
    return next(values);
  };
  return std::move(*this);
}

Option flag(std::string names, bool* out, std::string help) {
  Option option = {std::move(names), "", std::move(help), {}};
  option.value = Option::Value::none;
  option.take = [out](const Texts&) {
    *out = true;
    return std::string();
  };
  return option;
}

Option flag(std::string names, int* out_count, std::string help) {
  Option option = {std::move(names), "", std::move(help), {}};
  option.value = Option::Value::none;
  option.times = Option::Times::repeated;
  option.take = [out_count](const Texts& times) {
    *out_count = static_cast<int>(times.size());
    return std::string();
  };
  return option;
}

Option flag_or_value(std::string names, std::string value_name, std::string* out,
                     std::string help) {
  Option option = text(std::move(names), std::move(value_name), out, std::move(help));
  option.value = Option::Value::may_be_equal;
  return option;
}

Option& named(std::vector<Option>& options, const std::string& name) {
  for (Option& option : options)
    if (option.long_name() == name) return option;
  throw std::logic_error("no option " + name);
}

std::vector<Option> in_group(const std::string& heading, std::vector<Option> options) {
  for (Option& option : options) option.group = heading;
  return options;
}

std::vector<Option> in_group_of_first(const std::string& heading, std::vector<Option> options) {
  for (size_t i = 1; i < options.size(); ++i) options[i].needed = {options[0].long_name()};
  return in_group(heading, std::move(options));
}

std::vector<Option> joined(std::vector<std::vector<Option>> parts) {
  std::vector<Option> all;
  for (std::vector<Option>& part : parts)
    for (Option& option : part) all.push_back(std::move(option));
  return all;
}

}  // namespace incore::cli
