// What `incore padlock` consists of: one file and one line in padlock_commands.def for each
// command.
#pragma once

#include "command.h"

namespace incore::cli {

#define X(name) extern const Subcommand padlock_##name##_command;
#include "padlock_commands.def"
#undef X

}  // namespace incore::cli
