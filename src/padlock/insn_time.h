// How long an instruction that was executed would have taken on the model's silicon: the work, as
// registers and control word tell it, handed to timing.h.
#pragma once

#include "padlock/decode.h"
#include "padlock/processor.h"
#include "padlock/timing.h"

namespace incore::padlock {

// Ticks of |decoded|, which |processor| has just run from the registers |before|, to its end
// (|done|) or a stretch of it. |keys|: how a REP XCRYPT came to its keys. 0 for XSTORE, whose time
// is the generator's, and for what nothing was published on.
uint64_t insn_ticks(const Decoded& decoded, const Processor& processor, const State& before,
                    bool done, KeyLoad keys);

// Of the REP XCRYPT |insn| of one block of aligned data.
uint64_t one_block_ticks(const Insn* insn, const Model& model, ControlWord control_word,
                         KeyLoad keys);

}  // namespace incore::padlock
