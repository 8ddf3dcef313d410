// What is asked of the record of a command; and `incore` itself.
#include <algorithm>

#include "cli/command.h"

namespace incore::cli {

#define X(name) Command name##_command();
#include "cli/commands.def"
#undef X

std::vector<const Option*> arguments_of(const Command& command) {
  std::vector<const Option*> arguments;
  for (const Option& option : command.options)
    if (option.is_positional() && !option.is_hidden) arguments.push_back(&option);
  return arguments;
}

std::vector<const Option*> options_below(const Command& command, const std::string& heading) {
  std::vector<const Option*> options;
  for (const Option& option : command.options)
    if (!option.is_positional() && !option.is_hidden && option.group == heading)
      options.push_back(&option);
  return options;
}

Texts option_names_of(const Command& command) {
  Texts names;
  for (const Option& option : command.options)
    if (!option.is_positional() && !option.is_hidden)
      for (std::string& name : option.all_names()) names.push_back(std::move(name));
  if (has_list(command)) names.push_back("--list");
  names.push_back("--help");
  return names;
}

Texts groups_of(const Command& command) {
  Texts groups;
  for (const Option& option : command.options)
    if (!option.group.empty() && std::ranges::count(groups, option.group) == 0)
      groups.push_back(option.group);
  return groups;
}

bool has_list(const Command& command) {
  const auto& options = command.options;
  return std::any_of(options.begin(), options.end(),
                     [](const Option& option) { return !option.choices.empty(); }) &&
         std::none_of(options.begin(), options.end(),
                      [](const Option& option) { return option.long_name() == "--list"; });
}

Command top_command() {
  static bool version = false;  // main() answers it
  Command command = {
      .name = "incore",
      .summary =
          "in-core cryptography: uses the crypto instructions of this CPU, supplies those it lacks",
      .options = {flag("--version", &version, "show the version")},
  };
  command.commands = {
#define X(name) {#name, name##_command},
#include "cli/commands.def"
#undef X
  };
  return command;
}

}  // namespace incore::cli
