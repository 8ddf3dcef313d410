// XSTORE by libincore on PadLock processors that `incore run` supplies: every quality factor.
#include <gtest/gtest.h>

#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;

const std::string kIncore = INCORE_PROGRAM;
constexpr size_t kBufferLen = 8, kStartupBytes = 1024;

std::string bytes_of(const std::string& cpu, unsigned quality, size_t len) {
  const ProcessResult result =
      test::run({kIncore, "run", "--cpu", cpu, "--rng-seed", "7", "--", kIncore, "rng", "bytes",
                 "xstore", "--quality", std::to_string(quality), "-q", "-n", std::to_string(len)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.size(), len);
  return result.out;
}

class run_rng_bytes : public testing::TestWithParam<const char*> {};

// clause: PLK-RNG-010
// clause: PLK-RNG-011
// clause: PLK-RNG-012
// clause: PLK-RNG-013
// clause: PLK-RNG-040
TEST_P(run_rng_bytes, quality_factor_takes_the_first_bytes_of_each_buffer) {
  constexpr size_t kNumBuffers = 100, kSkipped = kStartupBytes / kBufferLen;
  // The start-up test uses more buffers the fewer bytes are taken of each; buffers are the same.
  const size_t most = (kSkipped << 3) + kNumBuffers - kSkipped;
  const std::string all = bytes_of(GetParam(), 0, most * kBufferLen);
  for (unsigned quality = 1; quality <= 3; ++quality) {
    const size_t taken = kBufferLen >> quality;
    std::string expected;
    for (size_t i = 0; i < kNumBuffers; ++i) {
      const size_t buffer = (kSkipped << quality) + i - kSkipped;
      expected += all.substr(buffer * kBufferLen, taken);
    }
    EXPECT_EQ(bytes_of(GetParam(), quality, kNumBuffers * taken), expected) << quality;
  }
}

TEST_P(run_rng_bytes, xstore_is_the_sources_name_and_available) {
  const ProcessResult result =
      test::run({kIncore, "run", "--cpu", GetParam(), "--require", "xstore", "--check", "--",
                 kIncore, "rng", "health", "xstore", "--size", "1000"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.rfind("xstore: pass, 2024 bytes", 0), 0u) << result.out;
}

INSTANTIATE_TEST_SUITE_P(models, run_rng_bytes, testing::Values("esther", "nano", "zhaoxin"));

}  // namespace
}  // namespace incore
