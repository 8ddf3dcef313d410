// What is wrong with a command line, in our words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace incore::cli {

// Why |app| could not parse its arguments, and which --help says more.
std::string usage_mistake(const CLI::App& app, const CLI::ParseError& error);

// An option of |app| that is not there, or an argument that has no place.
std::string unexpected_argument(const CLI::App& app, const std::string& argument);

// Makes flags of |app| refuse a value, as in --json=no, which the parser would take; those that
// name one for themselves keep it.
void refuse_flag_values(CLI::App& app);

}  // namespace incore::cli
