// /proc/cpuinfo as Linux would show it on a model.
#pragma once

#include <string>
#include <string_view>

#include "padlock/model.h"
#include "padlock/state.h"

namespace incore::run {

// |host| is this CPU's own. The processors and what it says of their places stay; what CPUID says
// is the model's, as code of |code_size| sees it. What the model does not tell is left out. Where
// the model is this CPU, all stays, with PadLock's flags added.
std::string cpuinfo_text(const padlock::Model& model, padlock::CodeSize code_size,
                         std::string_view host);

}  // namespace incore::run
