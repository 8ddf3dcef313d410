// Every CRC kernel against the definition, over lengths and alignments.
#include <gtest/gtest.h>

#include "crypto/crc/crc_kernel.h"
#include "crypto/crc/crc_steps.h"
#include "support/hex.h"

namespace incore {
namespace {

struct Subject {
  const char* algorithm;
  const KernelInfo* kernel;
  uint32_t polynomial;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.algorithm;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (size_t i = 0; i < crc32_kernel_list.num_kernels; ++i)
    all.push_back({"crc32", crc32_kernel_list.kernels[i], crc::kCrc32Polynomial});
  for (size_t i = 0; i < crc32c_kernel_list.num_kernels; ++i)
    all.push_back({"crc32c", crc32c_kernel_list.kernels[i], crc::kCrc32cPolynomial});
  return all;
}

class crc_kernels : public testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    if (!detect_features().has_all(GetParam().kernel->needs))
      GTEST_SKIP() << "this CPU cannot run the kernel " << GetParam().kernel->name;
  }
  static void expect_right(uint32_t state, const uint8_t* data, size_t len) {
    EXPECT_EQ(reinterpret_cast<const CrcKernel*>(GetParam().kernel)->update(state, data, len),
              crc::update(GetParam().polynomial, state, data, len))
        << len;
  }
};

TEST_P(crc_kernels, every_length_and_alignment_equals_the_steps) {
  const test::Bytes data = test::random_bytes(20000, 1);
  for (size_t len = 0; len <= 600; ++len) expect_right(0xFFFFFFFF, data.data() + len % 32, len);
  for (size_t alignment = 0; alignment < 64; ++alignment)
    expect_right(static_cast<uint32_t>(alignment * 0x9E3779B9), data.data() + alignment,
                 1500 + alignment);
  for (size_t len : {4095, 4096, 4097, 8192, 16384, 19999}) expect_right(0, data.data() + 1, len);
}

INSTANTIATE_TEST_SUITE_P(, crc_kernels, testing::ValuesIn(subjects()), [](const auto& param_info) {
  return std::string(param_info.param.algorithm) + "_" + param_info.param.kernel->name;
});

}  // namespace
}  // namespace incore
