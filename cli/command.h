// A command of the command line: one file, one line in commands.def.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli11_fwd.h"

namespace incore::cli {

// Exit codes of every command but `run`, which returns the program's own.
inline constexpr int kDone = 0;      // done
inline constexpr int kDiffers = 1;   // the job found a difference or a failure
inline constexpr int kBadInput = 2;  // bad usage or input

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
#include "commands.def"
#undef X

// What stood behind "--", for commands that run a program; empty if there was no "--".
const std::vector<std::string>& program_arguments();

// What is wrong with the environment variable INCORE_KERNEL; empty if nothing is. Every command
// stops if something is.
std::string kernel_environment_mistake();

// Prints "incore COMMAND: message" on stderr and returns |code|.
int fail(int code, const std::string& message);

}  // namespace incore::cli
