// SHA-512 with vshasigmad of POWER8, one message at a time. FIPS 180-4, section 6.4; how it is done
// stands in sha2_power8.h.
#if defined(__powerpc64__)

#include "crypto/sha/sha2_power8.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_steps.h"

namespace incore {
namespace {

constexpr RoundConstants<uint64_t, 80> kK(sha::kSha512K);

void compress(uint64_t state[8], const uint8_t* blocks, size_t num_blocks) {
  sha2_compress<uint64x2_p8>(state, blocks, num_blocks, kK);
}

}  // namespace

constinit const Sha512Kernel sha512_power8 = {{"power8", FeatureSet(Feature::vcrypto)}, compress};

}  // namespace incore

#endif
