// What a SHA kernel for many messages has to answer before it serves (crypto/self_test.h).
#include "crypto/self_test.h"
#include "crypto/sha/sha_many_kernel.h"

namespace incore {
namespace {

// All lanes, as many to a call as the kernel takes; then a single one. SHA-1 has |kWords| of the
// eight words of state.
template <class Word, size_t kWords>
uint64_t answers(const KernelInfo& info) {
  constexpr size_t kNum = ShaLanes<Word>::kNum, kBlocks = 3;
  const auto& kernel = reinterpret_cast<const ShaManyKernel<Word>&>(info);
  uint8_t data[ShaLanes<Word>::kBlockLen * kBlocks + 8 * kNum];
  ShaLanes<Word> lanes;
  self_test_fill(data, sizeof data, 1);
  for (size_t i = 0; i < kNum; ++i) lanes.data[i] = data + 8 * i;
  const auto set_state = [&lanes] {
    for (size_t i = 0; i < kWords; ++i) self_test_fill(lanes.state[i], i);
  };
  SelfTestSum sum;
  for (size_t first = 0; first < kNum; first += kernel.max_lanes) {
    set_state();
    kernel.compress(&lanes, first, kernel.max_lanes, kBlocks);
    for (size_t lane = first; lane < first + kernel.max_lanes; ++lane)
      for (size_t i = 0; i < kWords; ++i) sum.add(lanes.state[i][lane]);
  }
  set_state();
  kernel.compress(&lanes, 0, 1, 1);
  for (size_t i = 0; i < kWords; ++i) sum.add(lanes.state[i][0]);
  return sum.sum();
}

}  // namespace

bool sha1_many_self_test(const KernelInfo& kernel) {
  return answers<uint32_t, 5>(kernel) == 0xAF378289F2457CA8;
}
bool sha256_many_self_test(const KernelInfo& kernel) {
  return answers<uint32_t, 8>(kernel) == 0xEE9807953B2A4753;
}
bool sha512_many_self_test(const KernelInfo& kernel) {
  return answers<uint64_t, 8>(kernel) == 0x1C51CF96C5581E0C;
}

}  // namespace incore
