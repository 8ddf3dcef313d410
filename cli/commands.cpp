// `incore` itself.
#include <algorithm>

#include "cli/command.h"

namespace incore::cli {

#define X(name) Command name##_command();
#include "cli/commands.def"
#undef X

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
