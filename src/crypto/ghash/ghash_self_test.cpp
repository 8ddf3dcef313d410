// What a GHASH kernel has to answer before it serves (crypto/self_test.h).
#include "crypto/ghash/ghash_kernel.h"
#include "crypto/self_test.h"

namespace incore {
namespace {

// A batch of the widest kernel and the longest rest; then the short ones.
constexpr size_t kCalls[] = {63, 1, 2, 3, 4, 8};
constexpr size_t kMaxBlocks = 63;

}  // namespace

bool ghash_self_test(const KernelInfo& info) {
  const auto& kernel = reinterpret_cast<const GhashKernel&>(info);
  uint8_t h[kGhashBlockLen], state[kGhashBlockLen], blocks[kGhashBlockLen * kMaxBlocks];
  self_test_fill(h, sizeof h, 1);
  self_test_fill(state, sizeof state, 2);
  self_test_fill(blocks, sizeof blocks, 3);
  GhashKey key;
  kernel.set_key(h, &key);
  SelfTestSum sum;
  for (const size_t num_blocks : kCalls) {
    kernel.update(key, state, blocks, num_blocks);
    sum.add_bytes(state, sizeof state);
  }
  return sum.sum() == 0xEF378572C159A152;
}

}  // namespace incore
