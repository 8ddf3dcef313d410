// Every kernel with two keys, both directions and all modes in turn: whatever a kernel or a
// processor keeps of the last call must not serve the next.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "crypto/aes/aes_testing.h"

namespace incore::test {
namespace {

class aes_two_keys : public AesKernelTest {};

// clause: PLK-MULTI-015
TEST_P(aes_two_keys, in_turn_do_not_mix) {
  const AesKernel& kernel = *GetParam();
  const Bytes key_bytes[] = {random_bytes(16, 1), random_bytes(16, 2)};
  const Bytes iv = random_bytes(16, 3), in = random_bytes(16 * 3, 4);
  std::vector<AesKeys> keys;
  for (const Bytes& key : key_bytes) keys.push_back(make_keys(kernel, key, 10));
  for (const AesMode& mode : aes_modes()) {
    alignas(16) uint8_t source[48], target[4][48], vectors[4][16];
    std::memcpy(source, in.data(), sizeof source);
    for (auto& vector : vectors) std::memcpy(vector, iv.data(), sizeof vector);
    // Nothing in between.
    for (size_t i = 0; i < 4; ++i) mode.run(kernel, keys[i % 2], vectors[i], source, target[i], 3);
    for (size_t i = 0; i < 4; ++i) {
      const AesKeys oracle_keys = make_keys(aes_steps_oracle, key_bytes[i % 2], 10);
      EXPECT_EQ(to_hex(target[i], 48),
                to_hex(run_mode(mode, aes_steps_oracle, oracle_keys, iv, in)))
          << mode.name << ' ' << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, aes_two_keys, testing::ValuesIn(aes_kernels()), kernel_name);

}  // namespace
}  // namespace incore::test
