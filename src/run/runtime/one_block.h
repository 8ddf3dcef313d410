// The shortest way of a call from a patched site: REP XCRYPT of one block, with a key that a pooled
// processor holds. Clients that issue an instruction for each block, such as libgcrypt, make
// millions of them.
#pragma once

#include "run/runtime/runtime.h"

namespace incore::run {

// Does the call of |trampoline| with |frame|, if it is such a one and comes to no fault; else
// nothing has changed. |processor|: by which pooled processor.
bool execute_one_block(const Trampoline& trampoline, unsigned processor, FastFrame* frame);

}  // namespace incore::run
