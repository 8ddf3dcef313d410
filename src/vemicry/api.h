// What the C interface of VeMICry is made of: the handles, and how reasons are handed over.
#pragma once

#include <string_view>

#include "incore/vemicry.h"
#include "vemicry/assemble.h"
#include "vemicry/machine.h"
#include "vemicry/workload.h"

struct incore_vemicry_program {
  incore::vemicry::Image image;
  std::vector<incore::vemicry::AssembledLine> lines;  // none if it was no assembly
};

namespace incore::vemicry {

// The configuration that |config| (null: the paper's) means, with defaults filled in.
Config config_of(const incore_vemicry_config* config);

// Figures, as the C interface has them.
incore_vemicry_figures c_figures(const Figures& figures);

// Loads a user's program; what is wrong with it, in words, or empty.
std::string load(const Image& image, Machine* inout_machine);

// What the C interface tells of |outcome|.
incore_vemicry_outcome outcome_of(const Outcome& outcome);

// The workload called |name| if a machine of |config| can run it; else null, and why in
// |*out_refusal|.
const Workload* workload_for(const char* name, const Config& config, std::string* out_refusal);

// Puts |text|, cut to fit, into |reason|, which may be null.
void give_reason(std::string_view text, char* reason, size_t reason_len);

}  // namespace incore::vemicry
