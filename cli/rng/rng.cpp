// `incore rng`: random bytes from the processor, and judging them.
#include "cli/rng/rng.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace incore::cli {
namespace {

constexpr const Subcommand* kCommands[] = {
#define X(name) &rng_##name##_command,
#include "cli/rng/rng_commands.def"
#undef X
};

std::function<int()> configure(CLI::App& app) {
  return configure_subcommands(app, kCommands);
}

// `analyze --crap` has the options of CRAP in place of those of `analyze`.
void rewrite(std::vector<std::string>& arguments) {
  const auto flag = std::find(arguments.begin(), arguments.end(), "--crap");
  if (flag == arguments.end() || arguments[0] != "analyze") return;
  arguments.erase(flag);
  arguments[0] = "crap";
}

}  // namespace

extern const Command rng_command = {
    "rng",
    "random bytes from the processor's generators, and judging those of any source",
    "Run 'incore rng COMMAND --help' for a command's options and examples.",
    configure,
    false,
    rewrite};

}  // namespace incore::cli
