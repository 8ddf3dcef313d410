// Commands that consist of commands, such as `incore rng`.
#include <CLI/CLI.hpp>

#include "cli/command.h"

namespace incore::cli {

std::function<int()> configure_subcommands(CLI::App& app,
                                           std::span<const Subcommand* const> commands) {
  app.require_subcommand(1);
  using Action = std::pair<CLI::App*, std::function<int()>>;
  auto actions = std::make_shared<std::vector<Action>>();
  for (const Subcommand* command : commands) {
    CLI::App* const sub = app.add_subcommand(command->name, command->summary);
    sub->footer(command->footer);
    actions->emplace_back(sub, command->configure(*sub));
  }
  return [actions] {
    for (const auto& [sub, action] : *actions)
      if (sub->parsed()) return action();
    return kBadInput;
  };
}

}  // namespace incore::cli
