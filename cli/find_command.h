// From the names on a command line to a command.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace incore::cli {

// A command, its name with those above it ("incore rng bytes"), and the words behind that.
struct FoundCommand {
  Command command;
  std::string path;
  std::vector<std::string> words;
};

// Follows |words| as far as they name commands. Throws UsageMistake for one that names none.
FoundCommand find_command(std::vector<std::string> words);

// |mistake| and where the help is. Throws UsageMistake.
[[noreturn]] void refuse(const FoundCommand& found, const std::string& mistake);

// The command needs one of its own commands, and has none. Throws UsageMistake.
[[noreturn]] void refuse_no_command(const FoundCommand& found);

}  // namespace incore::cli
