// `incore completion`: scripts that complete command lines in a shell.
#include "cli/help/completion.h"

#include <fmt/core.h>

#include <memory>

namespace incore::cli {
namespace {

struct Shell {
  const char* name;
  std::string (*script)(const CompletedCommands& commands);
};
constexpr Shell kShells[] = {
    {"bash", completion_for_bash}, {"zsh", completion_for_zsh}, {"fish", completion_for_fish}};

void add_commands(const Command& command, const std::string& path, CompletedCommands& all) {
  all.push_back({path, command});
  for (const NamedCommand& each : command.commands)
    add_commands(each.make(), path + " " + each.name, all);
}

int completion(const std::string& name) {
  CompletedCommands all;
  add_commands(top_command(), "incore", all);
  for (const Shell& shell : kShells)
    if (name == shell.name) fmt::print("{}", shell.script(all));
  return kDone;
}

}  // namespace

Completed completed_by(const Option& option) {
  if (!option.choices.empty()) return Completed::choices;
  const std::string& what = option.is_positional() ? option.names : option.value_name;
  if (what == "FILE") return Completed::files;
  return what == "DIR" ? Completed::folders : Completed::anything;
}

Command completion_command() {
  auto shell = std::make_shared<std::string>();
  Texts names;
  for (const Shell& each : kShells) names.push_back(each.name);
  return {
      .name = "completion",
      .summary = "a script that completes command lines of incore in your shell",
      .options = {text("SHELL", "", shell.get(), "the shell").required().one_of(names)},
      .about = "'make install' puts the scripts where the shells look for them.",
      .examples = {"eval \"$(incore completion bash)\"",
                   "incore completion zsh > \"${fpath[1]}/_incore\"",
                   "incore completion fish | source"},
      .exit_codes = {{"0", "done"}, {"2", "bad usage"}},
      .run = [shell] { return completion(*shell); },
  };
}

}  // namespace incore::cli
