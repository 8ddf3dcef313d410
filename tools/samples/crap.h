// The job of the PadLock guide's sample CRAP (section 6.1): samples of a generator, chi-square of
// each and of all, and the evenness of the p-values so far.
#pragma once

#include "tools/samples/crap_options.h"

namespace incore::tools {

// Returns an exit code; kDiffers also where there is no generator. Throws std::invalid_argument for
// options that do not fit each other or the source.
int run_crap(CrapOptions options);

}  // namespace incore::tools
