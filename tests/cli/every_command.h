// All commands of the program with their options, as `incore help --json` tells them, for tests of
// what holds for each. So a new command, or a new option, is tried without being named in the test.
#pragma once

#include <string>
#include <vector>

#include "support/process.h"

namespace incore::test {

using Args = std::vector<std::string>;

Args joined(Args first, const Args& rest);
std::string words(const Args& args);

struct HelpOption {
  std::string name;  // the long one, with dashes, if there is one; of a positional in capitals
  std::string type;  // "FILE", "N"; empty: a flag
  bool is_positional = false;
  bool is_number = false;
  Args choices = {};  // what it accepts, or some of it if |takes_others|
  bool takes_others = false;
};

struct HelpCommand {
  Args path;  // "rng", "bytes"; empty: the program itself
  std::vector<HelpOption> options;
  bool has_commands = false;
};

const std::vector<HelpCommand>& every_command();

// Whether |args| begin with a command that is built here: some are not for every machine.
bool has_command_of(const Args& args);

}  // namespace incore::test
