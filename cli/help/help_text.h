// What --help and --list print of a command.
#pragma once

#include <string>

#include "cli/command.h"

namespace incore::cli {

// Of the options that every command has.
inline constexpr char kHelpHelp[] = "show this help";
inline constexpr char kListHelp[] = "show what is accepted where names are";

// |path| is the name with those above it: "incore rng bytes".
std::string help_text(const Command& command, const std::string& path);

// What --list prints: the choices of each option that has some.
std::string list_text(const Command& command);

// "incore scan [OPTIONS] FILE...".
std::string usage_text(const Command& command, const std::string& path);

// "-o, --out FILE", "--stats[=FILE]", "FILE...".
std::string shown_name(const Option& option);

// The help of |option| with its choices if they are few, its range, and what holds without it.
std::string shown_help(const Option& option);

}  // namespace incore::cli
