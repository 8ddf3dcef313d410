// What a CRC kernel has to answer before it serves (crypto/self_test.h).
#include "crypto/crc/crc_kernel.h"
#include "crypto/self_test.h"

namespace incore {
namespace {

// Around the lengths from which kernels take a wider way.
constexpr size_t kLengths[] = {1, 7, 16, 47, 64, 100, 300, 700, 1500, 4001};
constexpr size_t kMaxLen = 4008;

uint64_t answers(const KernelInfo& kernel) {
  uint8_t data[kMaxLen];
  self_test_fill(data, sizeof data, 1);
  SelfTestSum sum;
  uint32_t state = 0x01234567;
  for (const size_t len : kLengths) {
    state = reinterpret_cast<const CrcKernel&>(kernel).update(state, data, len);
    sum.add(state);
  }
  return sum.sum();
}

}  // namespace

bool crc32_self_test(const KernelInfo& kernel) {
  return answers(kernel) == 0x2A0F3A4959E9B4FE;
}
bool crc32c_self_test(const KernelInfo& kernel) {
  return answers(kernel) == 0x52C7E3EE062BF845;
}

}  // namespace incore
