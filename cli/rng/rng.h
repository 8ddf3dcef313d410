// What `incore rng` consists of: one file and one line in rng_commands.def for each command.
#pragma once

#include "cli/command.h"

namespace incore::cli {

#define X(name) extern const Subcommand rng_##name##_command;
#include "cli/rng/rng_commands.def"
#undef X

}  // namespace incore::cli
