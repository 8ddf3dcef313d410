// The kernels `padlock` where there is a PadLock: this very test program again, under `incore run`,
// with all tests of those kernels. Known answers, comparison with the steps at each length and
// alignment, in place, at page ends; silent under --check; and the instructions that must have run.
#include <gtest/gtest.h>

#include <filesystem>

#include "run/incore_run.h"

namespace incore::test {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr char kWhySkipped[] = "AddressSanitizer and the run-time want the same addresses";
constexpr char kTests[] = INCORE_BINARY_DIR "/tests/incore_tests";

struct Part {
  const char* model;
  const char* name;
  bool has_ctr, has_hash_blocks, has_sha512, has_pmm;
};
void PrintTo(const Part& part, std::ostream* out) {
  *out << part.model;
}

// The kernel tests in the program at |tests|, |filter| of them. All must run, none be skipped.
void expect_kernels_pass(const Part& part, const std::string& tests, const std::string& filter,
                         Arguments options) {
  options.insert(options.begin(), {"--cpu", part.model});
  for (const char* mnemonic : {"xcrypt-ecb", "xcrypt-cbc", "xcrypt-cfb", "xcrypt-ofb"})
    options.insert(options.end(), {"--require", mnemonic});
  // Powers are compared with GMP, which 32-bit test programs have not.
  std::string skipped = ":*gmp*";
  if (!part.has_pmm) skipped += ":*mont_kernels*";
  skipped += part.has_hash_blocks ? "" : ":*SHA1_padlock:*SHA2*_padlock";
  if (!part.has_sha512) skipped += ":*SHA384_padlock:*SHA512_padlock";
  if (part.has_ctr) options.insert(options.end(), {"--require", "xcrypt-ctr"});
  if (part.has_hash_blocks)
    options.insert(options.end(), {"--require", "xsha1", "--require", "xsha256"});
  if (part.has_sha512) options.insert(options.end(), {"--require", "xsha512"});

  const ProcessResult result =
      incore_run(options, {"env", "INCORE_KERNEL=aes:padlock", tests, "--gtest_brief=1",
                           "--gtest_filter=" + filter + skipped});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("[  PASSED  ]"), std::string::npos) << result.out << result.err;
  EXPECT_EQ(result.out.find("[  SKIPPED ]"), std::string::npos) << result.out;
}

class padlock_kernels : public testing::TestWithParam<Part> {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << kWhySkipped;
  }
};

constexpr char kAll[] = "*/*padlock:capi_aes.*:capi_vectors_*:-padlock_kernels*";
// --check traps each instruction, so what runs millions of them is left out. (So are the streams of
// the C interface: they encrypt zeros for their key stream, which looks like a second message. And
// tests whose round keys are meant to be no schedule of FIPS 197.)
constexpr char kForCheck[] =
    "*/*padlock:-padlock_kernels*:*onte_carlo*:*on_every_schedule_of_1_to_16_rounds*:"
    "*with_any_round_keys_supplied*:*keys_of_1_to_16_rounds_mixed*";

// Published vectors have few keys and fewer initialization vectors.
const Arguments kCheck = {"--check", "--check-skip", "vector-reuse"};

TEST(padlock_kernel, gives_the_known_answers) {
  if (kSanitized) GTEST_SKIP() << kWhySkipped;
  expect_kernels_pass({"nano", "nano", true, true, true, true}, kTests, kAll, {});
}

// With their schedules, which are portable code's.
// clause: BG-API-006
TEST_P(padlock_kernels, do_nothing_that_silicon_would_not_forgive) {
  expect_kernels_pass(GetParam(), kTests, kForCheck, kCheck);
}

// The preset i686 builds them.
TEST_P(padlock_kernels, do_the_same_in_32_bit_code) {
  const std::string tests = INCORE_SOURCE_DIR "/build/i686/tests/incore_tests";
  if (!std::filesystem::exists(tests))
    GTEST_SKIP() << "the preset i686 is not built, so there is no 32-bit test program";
  Arguments options = kCheck;
  if (GetParam().has_pmm) options.insert(options.end(), {"--require", "montmul"});
  expect_kernels_pass(GetParam(), tests, kForCheck, options);
}

INSTANTIATE_TEST_SUITE_P(
    , padlock_kernels,
    testing::Values(Part{"nehemiah", "nehemiah", false, false, false, false},
                    Part{"esther", "esther", false, false, false, true},
                    Part{"esther9", "esther9", true, false, false, true},
                    Part{"nano", "nano", true, true, true, true},
                    // The first Nano loads more blocks at once than any other part.
                    Part{"nano,ecb-fetch=8,cbc-fetch=4", "first_nano", true, true, true, true},
                    Part{"zhaoxin", "zhaoxin", true, true, true, true}),
    [](const auto& tested) { return std::string(tested.param.name); });

// --check follows only so many calls of a process, so this one has a process of its own.
// clause: PLK-MULTI-015
TEST(padlock_kernel, asks_for_a_reload_when_the_key_changes) {
  if (kSanitized) GTEST_SKIP() << kWhySkipped;
  const ProcessResult result =
      incore_run({"--check", "--require", "xcrypt-ofb"},
                 {kTests, "--gtest_brief=1", "--gtest_filter=*aes_two_keys*/padlock"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

// c5xl has a generator and nothing else.
TEST(padlock_kernel, cannot_be_forced_where_the_unit_is_missing) {
  const Arguments cpu = {"env", "INCORE_KERNEL=aes:padlock", INCORE_BINARY_DIR "/incore", "cpu"};
  EXPECT_EQ(incore_run({"--cpu", "c5xl"}, cpu).exit_code, 2);
  const ProcessResult nehemiah = incore_run({"--cpu", "nehemiah"}, cpu);
  EXPECT_EQ(nehemiah.exit_code, 0) << nehemiah.err;
  EXPECT_NE(nehemiah.out.find("aes          padlock"), std::string::npos) << nehemiah.out;
}

}  // namespace
}  // namespace incore::test
