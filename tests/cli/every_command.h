// All commands of the program with their options, as --help shows them, for tests of what holds for
// each. So a new command, or a new option, is tried without being named in the test.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "support/process.h"

namespace incore::test {

using Args = std::vector<std::string>;

inline Args joined(Args first, const Args& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

inline std::string words(const Args& args) {
  std::string text;
  for (const std::string& arg : args) text += (text.empty() ? "" : " ") + arg;
  return text;
}

struct HelpOption {
  std::string name;  // the long one, with dashes, if there is one; of a positional in capitals
  std::string type;  // "TEXT", "N"; empty: a flag
  bool is_positional = false;
};

struct HelpCommand {
  Args path;  // "rng", "bytes"; empty: the program itself
  std::vector<HelpOption> options;
  bool has_commands = false;
};

// "  -n,--size N     what it is for", "  --seed N=1", "  FILE TEXT ... REQUIRED".
inline HelpOption help_option(const std::string& line) {
  const std::string shown = line.substr(2, line.find("  ", 2) - 2);
  const size_t blank = shown.find(' ');
  const std::string names = shown.substr(0, blank);
  std::string name = names.substr(names.rfind(',') + 1);
  std::string type = blank == std::string::npos ? "" : shown.substr(blank + 1);
  if (const size_t bracket = name.find("[="); bracket != std::string::npos) {
    type = name.substr(bracket + 2, name.size() - bracket - 3);
    name.erase(bracket);
  }
  return {name, type.substr(0, type.find_first_of(" =")), name[0] != '-'};
}

// The command |path| and, behind it, those that are below it.
inline std::vector<HelpCommand> commands_below(const Args& path) {
  HelpCommand command = {path, {}, false};
  std::vector<HelpCommand> below;
  std::istringstream help(run(joined(joined({INCORE_PROGRAM}, path), {"--help"})).out);
  std::string heading;
  for (std::string line; std::getline(help, line);) {
    if (!line.empty() && line[0] != ' ') heading = line;
    const bool is_item = line.size() > 3 && line.starts_with("  ") && line[2] != ' ';
    if (!is_item) continue;
    if (line[2] == '-' || heading == "Positionals:") command.options.push_back(help_option(line));
    if (heading != "Subcommands:") continue;
    command.has_commands = true;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    for (HelpCommand& each : commands_below(joined(path, {name}))) below.push_back(each);
  }
  below.insert(below.begin(), command);
  return below;
}

inline const std::vector<HelpCommand>& every_command() {
  static const std::vector<HelpCommand> all = commands_below({});
  return all;
}

}  // namespace incore::test
