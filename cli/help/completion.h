// Completion of command lines in shells: one file for each shell.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace incore::cli {

struct CompletedCommand {
  std::string path;  // "incore rng bytes"
  Command command;
};
using CompletedCommands = std::vector<CompletedCommand>;

// What stands where the value of |option| is typed.
enum class Completed { files, folders, choices, anything };
Completed completed_by(const Option& option);

std::string completion_for_bash(const CompletedCommands& commands);
std::string completion_for_zsh(const CompletedCommands& commands);
std::string completion_for_fish(const CompletedCommands& commands);

}  // namespace incore::cli
