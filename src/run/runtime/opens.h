// The program opens files for reading: of /proc/cpuinfo it gets the model's.
#pragma once

#include "run/runtime/runtime.h"

namespace incore::run {

// |flags| are those of an open that the filter brings here.
bool is_open_to_read(uint64_t flags);
// The file at |path| may be /proc/cpuinfo, or that cannot be told.
bool may_be_cpuinfo(uint64_t path);

// Does |call| if it opens a file; false: it does not. The filter lets opens for writing pass.
bool on_open(const SystemCall& call, KernelUcontext* uc);

}  // namespace incore::run
