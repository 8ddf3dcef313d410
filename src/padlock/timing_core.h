// The constants of the timing model that differ from core to core. docs/timing.md tells how they
// were fitted to the figures of PadLock guide 1.66, section 3.3.
#pragma once

#include "padlock/timing.h"

namespace incore::padlock {

// One mode of REP XCRYPT in one engine: start + (rounds x round_clocks + per_block) x blocks. ECB
// counts pairs.
struct ModeTiming {
  uint16_t start_ticks;
  uint16_t per_block_ticks;  // beside the rounds
  uint8_t clocks_per_round;
};

struct CoreTiming {
  ModeTiming measured[kNumAceModes];
  ModeTiming ideal[kNumAceModes];
  ModeTiming misaligned[kNumAceModes];  // ALIGN = 1; all zero where that does not exist
  uint16_t digest_ticks;                // more per block while DGEST = 1
  uint16_t single_saving_ticks;         // less for a single misaligned block

  // Bytes that fit the caches, and what a block of 16 costs more beyond them.
  uint32_t first_cache_bytes, second_cache_bytes;
  uint16_t second_cache_ticks, memory_ticks;

  // RNG in thousands of bits per second for one noise source; two give twice that.
  uint32_t raw_kbits, whitened_kbits;
};

const CoreTiming& core_timing(TimingCore core);

// The loop of the guide's sample programs around an instruction: what it adds to a call, and how
// long a call takes at least.
struct LoopTiming {
  uint16_t added_ticks, least_ticks;
};
const LoopTiming& sample_loop(TimingCore core);

}  // namespace incore::padlock
