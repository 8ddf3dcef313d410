// How much an instruction has done, as its registers tell it.
#pragma once

#include "padlock/insn.h"

namespace incore::padlock {

// How far |reg|, an address, has gone from |before| to |after|: addresses begin again at 0 where
// their size ends.
uint64_t way_of(uint64_t State::*reg, const Decoded& decoded, const State& before,
                const State& after);

// Bytes of data that the instruction worked on, from the registers |before| it to those |after|:
// blocks x 16, message bytes, random bytes, the operand size of a MONTMUL that has ended.
uint64_t bytes_done(const Decoded& decoded, const State& before, const State& after);

// The same in the units of Interrupts.
uint64_t work_done(const Decoded& decoded, const State& before, const State& after);

}  // namespace incore::padlock
