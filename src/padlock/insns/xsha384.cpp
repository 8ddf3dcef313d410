// REP XSHA384: SHA-384 (FIPS 180-4, section 6.5), which is SHA-512 with other initial values and a
// shorter digest: all 64 bytes of the state are written. Not in the guide; as OpenSSL, GnuTLS and
// KVM know it. Needs PHE2.
#include "padlock/xsha.h"

namespace incore::padlock {
namespace {

void compress(const HostKernels& kernels, uint8_t* state, const uint8_t* blocks,
              size_t num_blocks) {
  compress_words<uint64_t, 8>(kernels.sha512->compress, state, blocks, num_blocks);
}

constexpr HashAlgorithm kSha384 = {64, 128, HashAlgorithm::Forms::blocks_only, compress};

}  // namespace

constinit const Insn xsha384 = xsha_insn<kSha384>(
    "xsha384", 0xD8, Unit::phe2, "ECX blocks of 128 bytes, ESI message, EDI state");

}  // namespace incore::padlock
