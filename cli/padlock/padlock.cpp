// `incore padlock`: programs for PadLock processors, this CPU or an emulated one.
#include "cli/padlock/padlock.h"

#include <CLI/CLI.hpp>

namespace incore::cli {
namespace {

constexpr const Subcommand* kCommands[] = {
#define X(name) &padlock_##name##_command,
#include "cli/padlock/padlock_commands.def"
#undef X
};

std::function<int()> configure(CLI::App& app) {
  return configure_subcommands(app, kCommands);
}

}  // namespace

extern const Command padlock_command = {
    "padlock", "programs for VIA PadLock, on this CPU or on an emulated model",
    "Run 'incore padlock COMMAND --help' for a command's options and examples.", configure};

}  // namespace incore::cli
