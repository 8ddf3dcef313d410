// `incore rng`: random bytes from the processor, and judging them.
#include "rng.h"

namespace incore::cli {
namespace {

constexpr const Subcommand* kCommands[] = {
#define X(name) &rng_##name##_command,
#include "rng_commands.def"
#undef X
};

std::function<int()> configure(CLI::App& app) {
  return configure_subcommands(app, kCommands);
}

}  // namespace

extern const Command rng_command = {
    "rng", "random bytes from the processor's generators, and judging those of any source",
    "Run 'incore rng COMMAND --help' for a command's options and examples.", configure};

}  // namespace incore::cli
