// What the functions of incore/vemicry.h share: the handle of a program, and the C forms of a
// machine's configuration, its figures and the end of a run.
#pragma once

#include "capi/hosted/guard.h"
#include "incore/vemicry.h"
#include "vemicry/assemble.h"
#include "vemicry/machine.h"
#include "vemicry/workload.h"

struct incore_vemicry_program {
  incore::vemicry::Image image;
  std::vector<incore::vemicry::AssembledLine> lines;  // none if it was no assembly
};

namespace incore::vemicry {

inline constexpr size_t kMaxArguments = 64;  // of a call

// The configuration that |config| (null: the paper's) means, with defaults filled in.
Config config_of(const incore_vemicry_config* config);

// The same for |program|, whose byte order counts. Refuses one that no machine has.
Config config_for(const incore_vemicry_program& program, const incore_vemicry_config* config);

// Figures, as the C interface has them.
incore_vemicry_figures c_figures(const Figures& figures);

// Loads a user's program; refuses one that does not fit, or that is none.
void load(const Image& image, Machine* inout_machine);

// The address of a label; refuses one that is not there.
uint32_t address_of(const Image& image, const std::string& label);

// What the C interface tells of |outcome|.
incore_vemicry_outcome outcome_of(const Outcome& outcome);

// The workload called |name|; refuses one that a machine of |config| cannot run.
const Workload& workload_for(std::string_view name, const Config& config);

}  // namespace incore::vemicry
