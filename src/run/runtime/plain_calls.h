// System calls that the filter brought here and that the program may make after all. They may wait,
// so they are not done in our handler, where the program's handlers would run on our stack: the
// thread goes on in a stub that makes the call and returns to the program.
#pragma once

#include "run/runtime/runtime.h"

extern "C" const char plain_calls_begin[], plain_calls_end[];  // of the stubs

namespace incore::run {

// Lets the thread make the call for which it is here, as it is. Filters of the program see the
// call, unlike those that the run-time makes for itself.
void make_plain_call(KernelUcontext* uc);

// The thread is in one of the stubs: a filter of the program traps this call.
inline bool is_plain_call(const KernelUcontext& uc) {
  return uc.rip > address_of(plain_calls_begin) && uc.rip <= address_of(plain_calls_end);
}

}  // namespace incore::run
