// What a SHA kernel has to answer before it serves (crypto/self_test.h).
#include "crypto/self_test.h"
#include "crypto/sha/sha_kernel.h"

namespace incore {
namespace {

// The blocks of each call: kernels take one or two at a time.
constexpr size_t kCalls[] = {1, 2, 3};
constexpr size_t kMaxBlocks = 3;

template <class Word, size_t kWords>
uint64_t answers(void (*compress)(Word* state, const uint8_t* blocks, size_t num_blocks)) {
  constexpr size_t kBlockLen = 16 * sizeof(Word);
  Word state[kWords];
  uint8_t blocks[kMaxBlocks * kBlockLen];
  self_test_fill(state, 1);
  self_test_fill(blocks, sizeof blocks, 2);
  SelfTestSum sum;
  for (const size_t num_blocks : kCalls) {
    compress(state, blocks, num_blocks);
    sum.add_words(state);
  }
  return sum.sum();
}

}  // namespace

bool sha1_self_test(const KernelInfo& kernel) {
  const auto compress = reinterpret_cast<const Sha1Kernel&>(kernel).compress;
  return answers<uint32_t, 5>(compress) == 0x62A7DF07EBE94E45;
}
bool sha256_self_test(const KernelInfo& kernel) {
  const auto compress = reinterpret_cast<const Sha256Kernel&>(kernel).compress;
  return answers<uint32_t, 8>(compress) == 0xC2BD787CDC578102;
}
bool sha512_self_test(const KernelInfo& kernel) {
  const auto compress = reinterpret_cast<const Sha512Kernel&>(kernel).compress;
  return answers<uint64_t, 8>(compress) == 0x6AC0451BBD1AEAB5;
}

}  // namespace incore
