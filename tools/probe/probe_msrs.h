// Experiments on model specific registers, done with the emulated processor itself: programs have
// none under `incore run`.
#pragma once

#include <string>

#include "tools/base/json.h"

namespace incore::tools {

// Gives those of |document|, a record of |model|, the outcomes that it lacks. |writes|: also those
// that write such registers.
void add_msr_outcomes(const std::string& model, bool writes, Json* document);

}  // namespace incore::tools
