// REP XSHA512: SHA-512 (FIPS 180-4, section 6.4). Not in the guide; as OpenSSL, GnuTLS and KVM know
// it. Needs PHE2.
//
//   ECX blocks of 128 bytes, padded by the program   ESI message   EDI state, eight 64-bit words
#include "padlock/xsha.h"

namespace incore::padlock {
namespace {

void compress(const HostKernels& kernels, uint8_t* state, const uint8_t* blocks,
              size_t num_blocks) {
  compress_words<uint64_t, 8>(kernels.sha512->compress, state, blocks, num_blocks);
}

constexpr HashAlgorithm kSha512 = {64, 128, HashAlgorithm::Forms::blocks_only, compress};

}  // namespace

constinit const Insn xsha512 = xsha_insn<kSha512>(
    "xsha512", 0xE0, Unit::phe2, "ECX blocks of 128 bytes, ESI message, EDI state");

}  // namespace incore::padlock
