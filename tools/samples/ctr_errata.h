// The job of the sample CTR_ERRATA (PadLock guide 1.66, section 6.6). On Esther stepping 8 an
// instruction, or a stretch of one between interrupts, that encrypts an even number of blocks
// leaves the counter one too high. Interrupted, it goes on from there, and what follows is wrong.
// The counter at the end shows it, and the call is repeated.
#pragma once

#include <cstdint>

#include "tools/samples/open_chip.h"

namespace incore::tools {

struct ErrataOptions {
  ChipOptions chip;
  bool native = false;
  int64_t blocks = 256;   // in a call; brought to 1 to 10000 as the sample does
  int64_t tests = 10000;  // calls; fewer than 10 are 1000
  // Blocks of work between two interrupts. The guide's listing: 1.38 % of the calls with 256 blocks
  // failed, each by an interrupt.
  uint64_t interrupts = 18551;
  bool interrupts_given = false;
  bool json = false;
};

// Returns an exit code. Throws std::invalid_argument where there is no such processor.
int run_ctr_errata(ErrataOptions options);

}  // namespace incore::tools
