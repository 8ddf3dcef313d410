// SHA-512 without special instructions.
#include "crypto/sha/sha2_portable.h"
#include "crypto/sha/sha_kernel.h"

namespace incore {
namespace {

void compress(uint64_t state[8], const uint8_t* blocks, size_t num_blocks) {
  sha2_compress<80>(state, blocks, num_blocks, sha::kSha512K);
}

}  // namespace

constinit const Sha512Kernel sha512_portable = {{"portable", FeatureSet()}, compress};

}  // namespace incore
