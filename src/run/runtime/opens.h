// The program opens files for reading: of /proc/cpuinfo it gets the model's.
#pragma once

#include "run/runtime/runtime.h"

namespace incore::run {

// Does |call| if it opens a file; false: it does not. The filter lets opens for writing pass.
bool on_open(const SystemCall& call, KernelUcontext* uc);

}  // namespace incore::run
