// incore/padlock.h on a CPU that has PadLock: this very test program again, under `incore run`.
#include <gtest/gtest.h>

#include "incore/padlock.h"
#include "run/incore_run.h"

namespace incore::test {
namespace {

TEST(padlock_chip, runs_each_instruction_where_the_cpu_has_them) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer and the run-time want the same addresses";
#endif
  Arguments options = {"--cpu", "zhaoxin"};
  for (size_t i = 0; incore_padlock_mnemonic(i) != nullptr; ++i)
    options.insert(options.end(), {"--require", incore_padlock_mnemonic(i)});
  const ProcessResult result =
      incore_run(options, {INCORE_BINARY_DIR "/tests/incore_tests", "--gtest_brief=1",
                           "--gtest_filter=capi_padlock_native.*"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("[  PASSED  ] 1 test"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("[  SKIPPED ]"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace incore::test
