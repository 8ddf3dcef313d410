// Any message, cut anywhere: every CRC kernel agrees with the definition. The message is copied to
// memory of its own size, where the sanitizer sees each byte read beside it.
#include <cstring>
#include <memory>

#include "check.h"
#include "crypto/crc/crc_kernel.h"
#include "crypto/crc/crc_steps.h"

using namespace incore;

namespace {

void check_kernels(const KernelList& list, uint32_t polynomial, uint32_t state, const uint8_t* data,
                   size_t len, size_t split, size_t repeat) {
  const FeatureSet features = detect_features();
  uint32_t expected = state;
  for (size_t i = 0; i < repeat; ++i) expected = crc::update(polynomial, expected, data, len);
  const size_t total = repeat * len;
  split %= total + 1;
  for (size_t i = 0; i < list.num_kernels; ++i) {
    if (!features.has_all(list.kernels[i]->needs)) continue;
    const auto& kernel = *reinterpret_cast<const CrcKernel*>(list.kernels[i]);
    const std::unique_ptr<uint8_t[]> message(new uint8_t[total]);
    for (size_t j = 0; j < repeat; ++j) std::memcpy(message.get() + j * len, data, len);
    const uint32_t first = kernel.update(state, message.get(), split);
    FUZZ_CHECK(kernel.update(first, message.get() + split, total - split) == expected);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  uint32_t head[3];
  if (len < sizeof head) return 0;
  std::memcpy(head, data, sizeof head);
  data += sizeof head;
  len -= sizeof head;
  const size_t repeat = 1 + head[2] % 64;  // long messages from short inputs
  check_kernels(crc32_kernel_list, crc::kCrc32Polynomial, head[0], data, len, head[1], repeat);
  check_kernels(crc32c_kernel_list, crc::kCrc32cPolynomial, head[0], data, len, head[1], repeat);
  return 0;
}
