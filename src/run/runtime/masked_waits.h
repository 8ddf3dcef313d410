// Calls that wait under a signal mask of their own. A handler of the program runs inside such a
// call with that mask, so the owned signals must not be in it. The call itself may not be done in
// our handler, where the program's handlers would run on our stack: it is done by a stub that the
// thread comes to when our handler returns.
#pragma once

#include "run/runtime/runtime.h"

namespace incore::run {

enum class MaskForm : uint8_t {
  pointer,  // to the mask; its length is the argument behind it
  pair,     // a pointer to both
  value,    // the mask itself, one word
};

struct MaskedWait {
  long number;
  uint8_t mask_argument;
  MaskForm form;
  const char* stub;
};

// ---- masked_waits.cpp

// Does |call| if it is one of these; false: it is not. The filter lets those without a mask pass.
bool on_masked_wait(const SystemCall& call, KernelUcontext* uc);

// ---- <machine>/masked_waits.cpp

const MaskedWait* find_masked_wait(long number);

// Lets the thread go on in |stub|, which waits with |mask| or, where registers are too few for it,
// with what it makes of the program's mask; then it returns to the program.
void go_on_in_stub(KernelUcontext* uc, const char* stub, uint64_t mask);

}  // namespace incore::run
