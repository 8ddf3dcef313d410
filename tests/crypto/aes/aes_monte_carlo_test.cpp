// The Monte Carlo tests of the PadLock guide's program baes (section 6.2), with the results that it
// prints, on every kernel: 400 rounds of 10,000 blocks, each block depending on the one before. The
// guide's words are little-endian.
#include <gtest/gtest.h>

#include <cstring>

#include "crypto/aes/aes_testing.h"

namespace incore::test {
namespace {

class aes_monte_carlo : public AesKernelTest {
 protected:
  // step(keys, source, vector) replaces source by the next source and returns the result in
  // |result|.
  template <class Step>
  std::string run(Step step) {
    const AesKernel& kernel = *GetParam();
    Bytes key(16), source(16), vector(16), result(16);
    // clause: PLK-TOOL-043
    for (int outer = 0; outer < 400; ++outer) {
      const AesKeys keys = make_keys(kernel, key, 10);
      for (int inner = 0; inner < 10000; ++inner)
        step(kernel, keys, source.data(), vector.data(), result.data());
      for (size_t i = 0; i < 16; ++i) key[i] ^= result[i];
    }
    return to_hex(result);
  }
};

TEST_P(aes_monte_carlo, cbc_encrypt) {
  // clause: PLK-TOOL-044
  // clause: PLK-TOOL-048
  EXPECT_EQ(run([](const AesKernel& kernel, const AesKeys& keys, uint8_t* source, uint8_t* vector,
                   uint8_t* result) {
              uint8_t previous_vector[16];
              std::memcpy(previous_vector, vector, 16);
              kernel.cbc_encrypt(keys.forward, vector, source, result, 1);
              std::memcpy(source, previous_vector, 16);
              std::memcpy(vector, result, 16);
            }),
            "2f844cbf78eba70da7a49601388f1ab6");
}

TEST_P(aes_monte_carlo, cbc_decrypt) {
  // clause: PLK-TOOL-045
  // clause: PLK-TOOL-049
  EXPECT_EQ(run([](const AesKernel& kernel, const AesKeys& keys, uint8_t* source, uint8_t* vector,
                   uint8_t* result) {
              uint8_t used_source[16];
              std::memcpy(used_source, source, 16);
              kernel.cbc_decrypt(keys.inverse, vector, source, result, 1);
              std::memcpy(vector, used_source, 16);
              std::memcpy(source, result, 16);
            }),
            "9b8fb71e035ceff9cbfa1346e5acefe0");
}

TEST_P(aes_monte_carlo, ecb_encrypt) {
  // clause: PLK-TOOL-050
  EXPECT_EQ(run([](const AesKernel& kernel, const AesKeys& keys, uint8_t* source, uint8_t*,
                   uint8_t* result) {
              kernel.ecb_encrypt(keys.forward, source, result, 1);
              std::memcpy(source, result, 16);
            }),
            "a04377abe259b0d0b5ba2d40a501971b");
}

TEST_P(aes_monte_carlo, ecb_decrypt) {
  // clause: PLK-TOOL-051
  EXPECT_EQ(run([](const AesKernel& kernel, const AesKeys& keys, uint8_t* source, uint8_t*,
                   uint8_t* result) {
              kernel.ecb_decrypt(keys.inverse, source, result, 1);
              std::memcpy(source, result, 16);
            }),
            "f5bf8b37136f2e1f6bec6f572021e3ba");
}

INSTANTIATE_TEST_SUITE_P(all, aes_monte_carlo, testing::ValuesIn(aes_kernels()), kernel_name);

}  // namespace
}  // namespace incore::test
