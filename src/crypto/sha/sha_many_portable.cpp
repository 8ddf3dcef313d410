// SHA-1, SHA-256 and SHA-512 of many messages, one after the other with the kernel for one.
#include "base/wipe.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many_kernel.h"

namespace incore {
namespace {

template <size_t kWords, class Kernel, class Word>
void compress(const Kernel& kernel, ShaLanes<Word>* lanes, size_t first, size_t num_lanes,
              size_t num_blocks) {
  Word H[8];
  for (size_t lane = first; lane < first + num_lanes; ++lane) {
    for (size_t i = 0; i < kWords; ++i) H[i] = lanes->state[i][lane];
    kernel.compress(H, lanes->data[lane], num_blocks);
    for (size_t i = 0; i < kWords; ++i) lanes->state[i][lane] = H[i];
  }
  wipe(H);
}

void sha1_compress(ShaLanes<uint32_t>* lanes, size_t first, size_t num_lanes, size_t num_blocks) {
  compress<5>(*sha1_kernel(), lanes, first, num_lanes, num_blocks);
}
void sha256_compress(ShaLanes<uint32_t>* lanes, size_t first, size_t num_lanes, size_t num_blocks) {
  compress<8>(*sha256_kernel(), lanes, first, num_lanes, num_blocks);
}
void sha512_compress(ShaLanes<uint64_t>* lanes, size_t first, size_t num_lanes, size_t num_blocks) {
  compress<8>(*sha512_kernel(), lanes, first, num_lanes, num_blocks);
}

}  // namespace

// The costs are those of the kernels avx2 for one message.
constinit const Sha1ManyKernel sha1_many_portable = {
    {"portable", FeatureSet()}, 1, 230, sha1_compress};
constinit const Sha256ManyKernel sha256_many_portable = {
    {"portable", FeatureSet()}, 1, 390, sha256_compress};
constinit const Sha512ManyKernel sha512_many_portable = {
    {"portable", FeatureSet()}, 1, 540, sha512_compress};

}  // namespace incore
