// REP XSHA1: SHA-1 (FIPS 180-4, section 6.1). PadLock guide 1.66, section 4.1. Needs PHE.
#include "padlock/xsha.h"

namespace incore::padlock {
namespace {

void compress(const HostKernels& kernels, uint32_t* state, const uint8_t* blocks,
              size_t num_blocks) {
  kernels.sha1->compress(state, blocks, num_blocks);
}

constexpr XshaAlgorithm kSha1 = {5, compress};

Trap execute(Execution& x) {
  return xsha(x, kSha1);
}

}  // namespace

const Insn xsha1 = {"xsha1",
                    {0x0F, 0xA6, 0xC8},
                    true,
                    Unit::phe,
                    "EAX bytes done, ECX bytes, ESI message, EDI state",
                    execute};

}  // namespace incore::padlock
