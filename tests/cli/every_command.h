// All commands of the program with their options, as `incore help --json` tells them, for tests of
// what holds for each. So a new command, or a new option, is tried without being named in the test.
#pragma once

#include <nlohmann/json.hpp>
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

inline void add_commands(const nlohmann::json& command, const Args& path,
                         std::vector<HelpCommand>& all) {
  all.push_back({path, {}, !command["commands"].empty()});
  for (const auto& option : command["options"])
    all.back().options.push_back(
        {option["names"].back(), option["value"].is_null() ? "" : option["value"],
         option["positional"], option["number"], option["choices"], option["other_values"]});
  for (const auto& each : command["commands"]) {
    const std::string name = each["command"];
    add_commands(each, joined(path, {name.substr(name.rfind(' ') + 1)}), all);
  }
}

inline const std::vector<HelpCommand>& every_command() {
  static const std::vector<HelpCommand> kAll = [] {
    std::vector<HelpCommand> all;
    add_commands(nlohmann::json::parse(run({INCORE_PROGRAM, "help", "--json"}).out), {}, all);
    return all;
  }();
  return kAll;
}

}  // namespace incore::test
