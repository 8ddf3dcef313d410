// Options that take numbers. The parser's own conversion takes -1 and what is too large for the
// largest number, and 010 for 8; these checks refuse what does not mean what it says, and tell what
// is accepted. Decimal, or hexadecimal behind 0x.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace incore::cli {

// For CLI::Option::transform(). Limits are included.
CLI::Validator whole_number(uint64_t low = 0, uint64_t high = UINT64_MAX);
CLI::Validator signed_number(int64_t low, int64_t high);
CLI::Validator real_number(double low, double high);

// The option |name| takes a whole number from |low| to |high| for |*out_number|, which can hold
// them.
template <class Number>
CLI::Option* add_number_option(CLI::App& app, const std::string& name, Number* out_number,
                               uint64_t low, uint64_t high, const std::string& description) {
  return app.add_option(name, *out_number, description)->transform(whole_number(low, high));
}

// A word of 32 bits: a whole number, or a negative one from -2^31 on; none if |text| is no such.
std::optional<uint32_t> word_number(const std::string& text);

// Gives each option of |app| that takes a number, and has none of these checks, the one of all
// numbers of its kind; --help shows N for a whole number and X for another.
void check_numbers(CLI::App& app);

}  // namespace incore::cli
