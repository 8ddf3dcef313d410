// --cpu, --seed and --native of commands that use a PadLock processor, emulated or this CPU's own.
#pragma once

#include "cli/option.h"
#include "tools/samples/open_chip.h"

namespace incore::cli {

// --cpu: the model that is emulated
Option model_option(std::string* out, std::string help);
// The same where this CPU's own PadLock may serve.
Option chip_option(tools::ChipOptions* options);

// --cpu, --seed, --native
std::vector<Option> chip_or_native_options(tools::ChipOptions* options, bool* native);

}  // namespace incore::cli
