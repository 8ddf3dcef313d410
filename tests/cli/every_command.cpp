#include "cli/every_command.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/process.h"

namespace incore::test {
namespace {

void add_commands(const nlohmann::json& command, const Args& path, std::vector<HelpCommand>& all) {
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

}  // namespace

Args joined(Args first, const Args& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::string words(const Args& args) {
  std::string text;
  for (const std::string& arg : args) text += (text.empty() ? "" : " ") + arg;
  return text;
}

const std::vector<HelpCommand>& every_command() {
  static const std::vector<HelpCommand> kAll = [] {
    std::vector<HelpCommand> all;
    add_commands(nlohmann::json::parse(run({INCORE_PROGRAM, "help", "--json"}).out), {}, all);
    return all;
  }();
  return kAll;
}

bool has_command_of(const Args& args) {
  const auto& all = every_command();
  return std::any_of(all.begin(), all.end(), [&](const HelpCommand& command) {
    return !command.has_commands && command.path.size() <= args.size() &&
           std::equal(command.path.begin(), command.path.end(), args.begin());
  });
}

}  // namespace incore::test
