// SHA-256 without special instructions.
#include "crypto/sha/sha2_portable.h"
#include "crypto/sha/sha_kernel.h"

namespace incore {
namespace {

void compress(uint32_t state[8], const uint8_t* blocks, size_t num_blocks) {
  sha2_compress<64>(state, blocks, num_blocks, sha::kSha256K);
}

}  // namespace

constinit const Sha256Kernel sha256_portable = {{"portable", FeatureSet()}, compress};

}  // namespace incore
