// Options that say where random bytes come from.
#pragma once

#include <vector>

#include "cli/option.h"
#include "tools/random/rng_source.h"

namespace incore::cli {

// Those of live sources (--quality, --condition, --min-entropy, --cpu and what belongs to it) and,
// if |files|, of others (--stall-timeout). The command adds the name.
std::vector<Option> source_options(tools::SourceOptions* options, bool files = true);

}  // namespace incore::cli
