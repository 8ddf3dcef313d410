// Whole numbers on the command line: decimal, or 0x and hexadecimal, and nothing else. What is no
// number, or out of range, is refused with the range in the message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command.h"

namespace incore::cli {

// The number that |text| is, if it is one below 2^64.
std::optional<uint64_t> whole_number(const std::string& text);

// A word of 32 bits: a whole number, or a negative one from -2^31 on.
std::optional<uint32_t> word_number(const std::string& text);

// What is wrong with |text| as a number from |low| to |high|, in words, or empty.
std::string number_mistake(const std::string& text, uint64_t low, uint64_t high);

// The option |name| takes a number from |low| to |high| for |*out_number|, which can hold them.
template <class Number>
CLI::Option* add_number_option(CLI::App& app, const std::string& name, Number* out_number,
                               uint64_t low, uint64_t high, const std::string& description) {
  const auto set = [out_number](const std::string& text) {
    *out_number = static_cast<Number>(*whole_number(text));
  };
  return app.add_option_function<std::string>(name, set, description)
      ->type_name("N")
      ->check([low, high](const std::string& text) { return number_mistake(text, low, high); });
}

}  // namespace incore::cli
