// What a program does to shut others out, while the run-time goes on to work inside it.
#pragma once

#include "run/runtime/runtime.h"

namespace incore::run {

// Does |call| if it is prctl or seccomp, of which the filter brings only some operations here;
// false: it is neither.
//
// A filter of the program (SECCOMP_SET_MODE_FILTER) is installed with instructions before it that
// let the run-time's own calls pass, and the strict mode as the filter that it amounts to. A wish
// for PR_SET_DUMPABLE is kept and told, but the process remains open to the supervisor.
bool on_confinement(const SystemCall& call, long* out_result);

}  // namespace incore::run
