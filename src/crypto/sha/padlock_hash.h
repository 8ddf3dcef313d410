// What the SHA kernels of VIA's PadLock share (PadLock guide 1.66, chapter 4; clauses PLK-PHE-036
// to 045). The state lies in 128 aligned bytes that the instruction may use as work space; its
// words are in the host's order, as the kernels' are. The message may lie anywhere.
#pragma once

#include <cstring>

#include "base/wipe.h"
#include "crypto/sha/sha_kernel.h"

namespace incore {

enum class Xsha : uint8_t { sha1 = 0xC8, sha256 = 0xD0, sha512 = 0xE0 };

// Compresses |num_blocks| blocks into |state|. RAX = -1: no padding, and RCX counts blocks; XSHA512
// does so whatever RAX holds.
template <Xsha kInsn, class Word, size_t kNumWords>
void xsha(Word* state, const uint8_t* blocks, size_t num_blocks) {
  if (num_blocks == 0) return;  // for some parts a message of no blocks
  alignas(16) uint8_t work[128];
  std::memcpy(work, state, kNumWords * sizeof(Word));
  size_t no_padding = ~size_t{0};
  __asm__ volatile(".byte 0xF3, 0x0F, 0xA6, %c[opcode]"
                   : "+a"(no_padding), "+c"(num_blocks), "+S"(blocks)
                   : "D"(work), [opcode] "i"(static_cast<uint8_t>(kInsn))
                   : "memory", "cc");
  std::memcpy(state, work, kNumWords * sizeof(Word));
  wipe(work);
}

}  // namespace incore
