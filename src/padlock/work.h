// How much an instruction has done, as its registers tell it.
#pragma once

#include "padlock/insn.h"

namespace incore::padlock {

// Bytes of data that |insn| worked on, from the registers |before| it to those |after|: blocks x
// 16, message bytes, random bytes, the operand size of a MONTMUL that has ended.
uint64_t bytes_done(const Insn& insn, const State& before, const State& after);

// The same in the units of Interrupts.
uint64_t work_done(const Insn& insn, const State& before, const State& after);

}  // namespace incore::padlock
