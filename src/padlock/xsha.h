// What REP XSHA1 and REP XSHA256 share: checks, the loop over 64-byte blocks, padding, and the
// state a fault leaves. PadLock guide 1.66, section 4.1; FIPS 180-4, section 5.1.1 (padding).
//
//   EAX bytes hashed so far (0 at the start)   ECX message bytes in all   ESI rest of the message
//   EDI state, 128 bytes
//
// Beyond the guide: all ones in EAX makes Nano and later take ECX as a number of whole blocks and
// add no padding. The state at EDI is an array of little-endian words. See docs/quirks.md for end
// registers and for EAX > ECX.
#pragma once

#include "padlock/execution.h"

namespace incore::padlock {

struct XshaAlgorithm {
  size_t num_words;
  void (*compress)(const HostKernels& kernels, uint32_t* state, const uint8_t* blocks,
                   size_t num_blocks);
};

Trap xsha(Execution& x, const XshaAlgorithm& algorithm);

}  // namespace incore::padlock
