// Options that say where random bytes come from.
#pragma once

#include "cli/command.h"
#include "tools/random/rng_source.h"

namespace incore::cli {

// Adds the options of live sources (--quality, --condition, --min-entropy, --cpu and what belongs
// to it) and, if |files|, of others (--stall-timeout). The command adds the name.
void add_source_options(CLI::App& app, SourceOptions* options, bool files = true);

}  // namespace incore::cli
