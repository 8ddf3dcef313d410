// The job of the PadLock guide's sample CRAP (section 6.1): samples of a generator, chi-square of
// each and of all, and the evenness of the p-values so far.
#pragma once

#include "cli/command.h"
#include "tools/samples/crap_options.h"

namespace incore::cli {

// Brings what is out of range to where CRAP brings it. Throws std::invalid_argument for what it
// should have refused.
void adjust_crap_options(CrapOptions* options);

void add_crap_options(CLI::App& app, CrapOptions* options);
int run_crap(CrapOptions options);

}  // namespace incore::cli
