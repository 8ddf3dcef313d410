// What `incore padlock` consists of: one file and one line in padlock_commands.def for each
// command.
#pragma once

#include "cli/command.h"

namespace incore::cli {

#define X(name) extern const Subcommand padlock_##name##_command;
#include "cli/padlock/padlock_commands.def"
#undef X

}  // namespace incore::cli
