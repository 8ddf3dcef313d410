// What XSTORE and REP XSTORE share: one step, which takes a buffer of the generator and stores what
// the quality factor asks for. PadLock guide 1.66, section 2.1.
//
//   EAX out: status word   EDX quality factor in bits 1:0   EDI destination   (REP: ECX bytes)
//
//   EDX[1:0]   random bytes   bytes stored, in four-byte stores
//      0            8                8
//      1            4                4
//      2            2                4, the rest zero
//      3            1                4, the rest zero
#pragma once

#include "padlock/execution.h"

namespace incore::padlock {

// The status word: bits 31:5 of MSR 0x110B, and the bytes stored in bits 4:0. 32 bits wide in every
// mode.
inline void set_status(Execution& x, uint32_t fields, uint32_t num_bytes) {
  x.s.rax = fields | num_bytes;
}

inline bool buffer_ready(Execution& x) {
  return x.cpu.rng.bytes_available() >= Rng::kBufferLen;
}

// Takes a buffer, which must be ready, and stores it at EDI. Sets EAX, and advances EDI by the
// random bytes delivered, of which at most |wanted| count. Nothing has changed, and no buffer is
// taken, after a trap.
Trap store_buffer(Execution& x, uint64_t wanted, uint64_t* out_delivered);

}  // namespace incore::padlock
