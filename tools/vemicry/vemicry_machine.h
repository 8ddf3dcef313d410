// A machine whose program reads our input and writes to our output: what `incore vemicry run` and
// `incore run` share.
#pragma once

#include <string>

#include "tools/vemicry/vemicry_program.h"

namespace incore::tools {

using MachineHandle =
    std::unique_ptr<incore_vemicry_machine, decltype(&incore_vemicry_machine_free)>;
// A machine with |program| loaded; if that fails, prints why and returns null.
MachineHandle make_machine(const incore_vemicry_config& config,
                           const incore_vemicry_program& program);

// What happened at a trap, in one line.
std::string trap_text(const incore_vemicry_machine& machine, const incore_vemicry_outcome& outcome);

// `incore run` with the program in the file |path|: its exit code, or 128 + the signal that Linux
// would have ended it with.
int run_simulated(const std::string& path);

}  // namespace incore::tools
