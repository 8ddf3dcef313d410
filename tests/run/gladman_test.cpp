// The compatible AES where there is an engine: the tests of tests/compat again under `incore run`,
// and programs whose PadLock instructions are counted.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "run/incore_run.h"

namespace incore::test {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

const char* const kModes[] = {"ecb",         "ecb-decrypt", "cbc", "cbc-decrypt", "cfb",
                              "cfb-decrypt", "ofb",         "ctr", "ctr-own"};

// The tests of tests/compat in the program at |tests|, with the engine of |model|.
void expect_pass(const std::string& model, const std::string& tests, const std::string& also) {
  const ProcessResult result =
      incore_run({"--cpu", model, "--require", "xcrypt-ecb", "--require", "xcrypt-cbc", "--require",
                  "xcrypt-cfb", "--require", "xcrypt-ofb"},
                 {tests, "--gtest_brief=1",
                  "--gtest_filter=gladman_api*:gladman_mode*:gladman_stream*:gladman_context*:"
                  "gladman_engine*" +
                      also});
  EXPECT_EQ(result.exit_code, 0) << model << result.out << result.err;
  EXPECT_NE(result.out.find("[  PASSED  ]"), std::string::npos) << model << result.out;
  EXPECT_EQ(result.out.find("SKIPPED"), std::string::npos) << model << result.out;
}

class run_gladman : public testing::TestWithParam<std::string> {};

TEST_P(run_gladman, all_tests_pass_with_the_engine) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer and the run-time want the same addresses";
#ifdef __clang__  // its build of the emulated processor leaves AES blocks on the program's stack
  const char* const also = "";
#else
  const char* const also = ":gladman_secrets*";
#endif
  expect_pass(GetParam(), INCORE_BINARY_DIR "/tests/incore_tests", also);
}

INSTANTIATE_TEST_SUITE_P(, run_gladman,
                         testing::Values("nehemiah", "esther", "esther9", "nano", "zhaoxin"),
                         [](const auto& tested) { return tested.param; });

// The preset i686 builds them. The search of the stack is left out: the emulated processor works on
// the program's stack too, and its 32-bit AES has fewer registers than values.
TEST(run_gladman32, all_tests_pass_in_32_bit_code) {
  const std::string tests = INCORE_SOURCE_DIR "/build/i686/tests/incore_tests";
  if (!std::filesystem::exists(tests))
    GTEST_SKIP() << "the preset i686 is not built, so there is no 32-bit test program";
  for (const char* model : {"nehemiah", "nano"}) expect_pass(model, tests, "");
}

struct Call {
  ProcessResult result;
  uint64_t instructions, bytes;  // of REP XCRYPT
};

// The guest program |program| with its arguments on |model|, and what it executed.
Call call(const std::string& model, const Arguments& program) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/stats.json";
  Call made = {incore_run({"--cpu", model, "--stats=" + path}, program), 0, 0};
  const nlohmann::json statistics = nlohmann::json::parse(read_file(path));
  for (const char* mnemonic :
       {"xcrypt-ecb", "xcrypt-cbc", "xcrypt-ctr", "xcrypt-cfb", "xcrypt-ofb"}) {
    made.instructions += counter(statistics, mnemonic, "calls");
    made.bytes += counter(statistics, mnemonic, "bytes");
  }
  return made;
}

// clause: BG-API-001
// clause: BG-API-002
// clause: BG-API-023
TEST(run_gladman_engine_found, one_program_does_the_same_with_and_without) {
  for (const char* mode : kModes) {
    const Arguments program = {guest("gladman"), mode, "67", "0"};
    const Call with = call("nehemiah", program), without = call("c5xl", program);
    const ProcessResult native = run(program);
    EXPECT_EQ(with.result.exit_code, 0) << with.result.err;
    EXPECT_EQ(with.result.out.size(), 2 * (67 * 16 + 16) + 1u);
    EXPECT_EQ(with.result.out, without.result.out) << mode;
    EXPECT_EQ(with.result.out, native.out) << mode;
    EXPECT_GE(with.instructions, 1u) << mode;
    EXPECT_EQ(with.bytes, 67u * 16) << mode;
    EXPECT_EQ(without.instructions, 0u) << mode;
  }
  EXPECT_EQ(call("nehemiah", {guest("gladman"), "single", "1000", "0"}).instructions, 0u);
}

// Aligned data are one instruction's; others go through a buffer of 32 blocks.
// clause: BG-RULE-006
TEST(run_gladman_engine_found, aligned_data_take_the_direct_path) {
  for (const char* mode : {"ecb", "cbc", "cfb", "ofb"})
    for (int offset = 0; offset < 16; offset += offset == 0 ? 1 : 7) {
      const Call made = call("nano", {guest("gladman"), mode, "900", std::to_string(offset)});
      EXPECT_EQ(made.result.exit_code, 0) << made.result.err;
      EXPECT_EQ(made.instructions, offset == 0 ? 1u : (900 + 31) / 32u) << mode << ' ' << offset;
      EXPECT_EQ(made.bytes, 16u * 900);
    }
}

// clause: BG-API-003
// clause: BG-API-004
TEST(run_gladman_engine_assumed, is_not_looked_for_and_fails_where_it_is_missing) {
  for (const char* mode : kModes) {
    const Arguments assumed = {guest("gladman_assumed"), mode, "5", "0"};
    const Call with = call("nano", assumed);
    EXPECT_EQ(with.result.exit_code, 0) << mode << with.result.err;
    EXPECT_EQ(with.result.out, run({guest("gladman"), mode, "5", "0"}).out) << mode;
    EXPECT_EQ(with.bytes, 5u * 16) << mode;
    EXPECT_EQ(call("c5xl", assumed).result.exit_code, 128 + SIGILL) << mode;
    EXPECT_EQ(run(assumed).signal, SIGILL) << mode;
  }
  // What asks CPUID is not even called.
  const ProcessResult symbols = run({"nm", "--demangle", "--undefined-only",
                                     INCORE_BINARY_DIR "/src/compat/libincore_compat_assumed.a"});
  EXPECT_NE(symbols.out.find("aes_padlock"), std::string::npos) << symbols.err;
  EXPECT_EQ(symbols.out.find("aes_kernel()"), std::string::npos);
  EXPECT_EQ(symbols.out.find("detect_features"), std::string::npos);
}

}  // namespace
}  // namespace incore::test
