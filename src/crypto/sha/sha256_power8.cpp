// SHA-256 with vshasigmaw of POWER8, one message at a time. FIPS 180-4, section 6.2; how it is done
// stands in sha2_power8.h.
#if defined(__powerpc64__)

#include "crypto/sha/sha2_power8.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_steps.h"

namespace incore {
namespace {

constexpr RoundConstants<uint32_t, 64> kK(sha::kSha256K);

void compress(uint32_t state[8], const uint8_t* blocks, size_t num_blocks) {
  sha2_compress<uint32x4_p8>(state, blocks, num_blocks, kK);
}

}  // namespace

constinit const Sha256Kernel sha256_power8 = {{"power8", FeatureSet(Feature::vcrypto)}, compress};

}  // namespace incore

#endif
