// A command of the command line: one file, one line in commands.def.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tools/base/exit.h"

// By name: CLI11's own header costs seconds in each file that includes it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace incore::cli {

using namespace tools;  // what the commands are made of

struct Command {
  const char* name;
  const char* summary;  // one line
  const char* footer;   // examples, shown at the end of --help
  // Adds options to |app| and returns the work, to be done after parsing; its result is the exit
  // code.
  std::function<int()> (*configure)(CLI::App& app);
  // True: the first "--" ends the command's options, and what follows is kept from the parser for
  // program_arguments().
  bool runs_program = false;
  // Changes the arguments behind the command's name before they are parsed; null: none is changed.
  void (*rewrite)(std::vector<std::string>& arguments) = nullptr;
};

// A command of a command, such as `incore rng bytes`: one file, one line in <command>_commands.def.
struct Subcommand {
  const char* name;
  const char* summary;  // one line
  const char* footer;   // examples, shown at the end of --help
  // As Command::configure.
  std::function<int()> (*configure)(CLI::App& app);
};

// Makes |commands| the commands of |app|.
std::function<int()> configure_subcommands(CLI::App& app,
                                           std::span<const Subcommand* const> commands);

#define X(name) extern const Command name##_command;
#include "cli/commands.def"
#undef X

// What stood behind "--", for commands that run a program; empty if there was no "--".
const std::vector<std::string>& program_arguments();

// What is wrong with the environment variable INCORE_KERNEL; empty if nothing is. Every command
// stops if something is.
std::string kernel_environment_mistake();

}  // namespace incore::cli
