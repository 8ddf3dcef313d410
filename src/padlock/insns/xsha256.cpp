// REP XSHA256: SHA-256 (FIPS 180-4, section 6.2). PadLock guide 1.66, section 4.1. Needs PHE.
#include "padlock/xsha.h"

namespace incore::padlock {
namespace {

void compress(const HostKernels& kernels, uint8_t* state, const uint8_t* blocks,
              size_t num_blocks) {
  compress_words<uint32_t, 8>(kernels.sha256->compress, state, blocks, num_blocks);
}

constexpr HashAlgorithm kSha256 = {32, 64, HashAlgorithm::Forms::by_model, compress};

}  // namespace

constinit const Insn xsha256 = xsha_insn<kSha256>(
    "xsha256", 0xD0, Unit::phe, "EAX bytes done, ECX bytes, ESI message, EDI state");

}  // namespace incore::padlock
