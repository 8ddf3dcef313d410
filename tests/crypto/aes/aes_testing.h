// What the AES tests share: every kernel that this build has, one more that is made of the plain
// steps, and the modes as one table, so that a test is written once and runs on all of them.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "crypto/aes/aes_kernel.h"
#include "support/hex.h"

namespace incore {

// GoogleTest and CTest name the parameter by this.
inline void PrintTo(const AesKernel* kernel, std::ostream* os) {
  *os << kernel->info.name;
}

}  // namespace incore

namespace incore::test {

// The steps of FIPS 197 and the formulas of SP 800-38A in the form of a kernel, one block after the
// other: the oracle.
extern const AesKernel aes_steps_oracle;

// The kernels of this build, whether this CPU runs them or not.
std::vector<const AesKernel*> aes_kernels();
// The oracle, and aes_kernels().
std::vector<const AesKernel*> aes_kernels_and_oracle();

// Test suites whose parameter is a kernel: skips those that this CPU cannot run.
class AesKernelTest : public testing::TestWithParam<const AesKernel*> {
 protected:
  void SetUp() override;
};

inline std::string kernel_name(const testing::TestParamInfo<const AesKernel*>& info) {
  return info.param->info.name;
}

// One key schedule in both directions, loaded by one kernel.
struct AesKeys {
  AesKey forward;
  AesKey inverse;
};
AesKeys load_keys(const AesKernel& kernel, const AesRoundKeys& forward);
AesKeys make_keys(const AesKernel& kernel, const Bytes& key, unsigned rounds);
inline unsigned standard_rounds(const Bytes& key) {
  return static_cast<unsigned>(key.size() / 4 + 6);
}

// A mode with a direction. ECB leaves the iv alone.
struct AesMode {
  const char* name;
  void (*run)(const AesKernel& kernel, const AesKeys& keys, uint8_t* iv, const uint8_t* in,
              uint8_t* out, size_t blocks);
};
const std::vector<AesMode>& aes_modes();
const AesMode& aes_mode(const std::string& name);

// The output of |mode| for |in|, whole blocks, with a copy of |iv|.
Bytes run_mode(const AesMode& mode, const AesKernel& kernel, const AesKeys& keys, Bytes iv,
               const Bytes& in);

}  // namespace incore::test
