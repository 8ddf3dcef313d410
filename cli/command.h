// A command of the command line as data: its options, its help, and its work. One file and one line
// in commands.def (or in the .def of the command above it) for each. The parser, --help, manual
// pages, completions and the tables of the documents read nothing else.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/option.h"
#include "tools/base/exit.h"

namespace incore::cli {

using namespace tools;  // what the commands are made of

struct Command;

// A command that is made when it is needed.
struct NamedCommand {
  std::string name;
  Command (*make)();
};

struct ExitCode {
  std::string code;  // "0", "128 + signal"
  std::string meaning;
};

struct Command {
  std::string name;
  std::string summary;               // one line
  std::vector<Option> options = {};  // in the order of --help, with those that stand alone
  std::string about = {};  // what else to know; lines that begin with a blank stay as they are
  std::vector<std::string> examples = {};
  std::vector<ExitCode> exit_codes = {};
  std::function<int()> run = {};  // after parsing; returns the exit code
  // The program to run and its arguments: the first word that is none of ours, and all behind it or
  // behind "--". Null: the command runs none.
  std::vector<std::string>* program = nullptr;
  std::string program_usage = "[--] PROGRAM [ARGS...]";
  std::vector<NamedCommand> commands = {};  // its own, in place of |run|
};

// Of the options that --help shows: arguments without dashes; those with dashes below |heading|, ""
// is "Options"; the names of those, with --list and --help; the other headings.
std::vector<const Option*> arguments_of(const Command& command);
std::vector<const Option*> options_below(const Command& command, const std::string& heading);
Texts option_names_of(const Command& command);
Texts groups_of(const Command& command);

// Whether --list has something to show: an option with choices. A command may have one of its own.
bool has_list(const Command& command);

// `incore` itself, with all of commands.def.
Command top_command();

}  // namespace incore::cli
