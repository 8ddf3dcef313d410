// Programs that choose code by CPUID before main() work under every model, and nowhere does the CPU
// below show through: not in ld.so, which asks first, not in constructors of libraries, not in what
// they choose.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "run/incore_run.h"

namespace incore::test {
namespace {

constexpr char kLoader[] = "/lib64/ld-linux-x86-64.so.2";

// Empty if |program| starts here at all.
std::string missing(const Arguments& program) {
  try {
    run(program);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

class run_everyday_program : public testing::TestWithParam<Arguments> {};

TEST_P(run_everyday_program, works_as_without) {
  const Arguments& program = GetParam();
  if (const std::string why = missing(program); !why.empty()) GTEST_SKIP() << why;
  const std::string input = "abc\n";
  const ProcessResult expected = run(program, input);
  for (const char* model : {"c5xl", "nehemiah", "esther", "esther9", "nano", "zhaoxin", "host"}) {
    const ProcessResult result = incore_run({"--cpu", model}, program, input);
    EXPECT_EQ(result.exit_code, expected.exit_code) << model << ": " << result.err;
    EXPECT_EQ(result.out, expected.out) << model;
    EXPECT_EQ(result.err, expected.err) << model;
  }
}

INSTANTIATE_TEST_SUITE_P(
    all, run_everyday_program,
    testing::Values(
        Arguments{"/bin/true"}, Arguments{"/bin/echo", "one", "two"}, Arguments{"sort", "-r"},
        Arguments{"sha256sum"}, Arguments{"openssl", "version"},
        Arguments{"openssl", "dgst", "-sha512"}, Arguments{"openssl", "dgst", "-sha1"},
        Arguments{"bash", "-c", "read x; echo \"<$x>\""},
        Arguments{"python3", "-c", "import hashlib; print(hashlib.sha256(b'abc').hexdigest())"},
        Arguments{"gzip", "-cn9"}, Arguments{"git", "--version"}, Arguments{"curl", "--version"}),
    [](const auto& tested) {
      std::string name = std::to_string(tested.index) + "_" + tested.param[0];
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

// The value of |name| in the line of |leaf| that guest cpuid_vendor prints.
uint64_t field(const std::string& out, const std::string& leaf, const std::string& name) {
  const size_t line = ("\n" + out).find("\n" + leaf + " ");
  const size_t value = line == std::string::npos ? line : out.find(name + "=", line);
  if (value == std::string::npos) throw std::runtime_error("no " + name + " of " + leaf);
  return std::strtoull(out.c_str() + value + name.size() + 1, nullptr, 16);
}

// XCR0 is this CPU's, so the leaf that says what XSAVE stores, and how much, must be too: ld.so
// makes room by it. And no instruction is announced that this CPU lacks.
TEST(run_cpuid, of_a_newer_model_fits_this_cpu) {
  const std::string native = run({guest("cpuid_vendor")}).out;
  const ProcessResult result = incore_run({"--cpu", "zhaoxin"}, {guest("cpuid_vendor")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"eax", "ebx", "ecx", "edx"})
    EXPECT_EQ(field(result.out, "0000000d", name), field(native, "0000000d", name)) << name;
  constexpr uint64_t kAesAvxRdrand = 1u << 25 | 1u << 28 | 1u << 30;
  constexpr uint64_t kBmi1Sha = 1u << 3 | 1u << 29;
  EXPECT_EQ(field(result.out, "00000001", "ecx") & kAesAvxRdrand,
            field(native, "00000001", "ecx") & kAesAvxRdrand);
  EXPECT_EQ(field(result.out, "00000007", "ebx") & kBmi1Sha,
            field(native, "00000007", "ebx") & kBmi1Sha);
}

TEST(run_cpuid, verbose_and_statistics_do_not_disturb_programs) {
  const ProcessResult result = incore_run({"--cpu", "nano", "-v", "--stats"}, {"/bin/echo", "one"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "one\n");
  EXPECT_NE(result.err, "");
}

TEST(run_cpuid, reaches_the_loader_itself) {
  if (const std::string why = missing({kLoader, "--help"}); !why.empty()) GTEST_SKIP() << why;
  const ProcessResult diagnostics = incore_run({"--cpu", "nano"}, {kLoader, "--list-diagnostics"});
  ASSERT_EQ(diagnostics.exit_code, 0) << diagnostics.err;
  if (diagnostics.out.find("x86.cpu_features.basic.family=") == std::string::npos)
    GTEST_SKIP() << "this loader does not list the CPU's features";
  EXPECT_NE(diagnostics.out.find("x86.cpu_features.basic.family=0x6\n"), std::string::npos);
  EXPECT_NE(diagnostics.out.find("x86.cpu_features.basic.model=0xf\n"), std::string::npos);
  // A Nano of 2010 has no AVX2: the loader must not look for libraries that need it.
  const ProcessResult help = incore_run({"--cpu", "nano"}, {kLoader, "--help"});
  EXPECT_EQ(help.exit_code, 0) << help.err;
  EXPECT_NE(help.out.find("x86-64-v2"), std::string::npos) << help.out;
  EXPECT_EQ(help.out.find("x86-64-v3 (supported"), std::string::npos) << help.out;
  EXPECT_EQ(help.out.find("x86-64-v4 (supported"), std::string::npos) << help.out;
}

// libcrypto's constructor keeps leaf 1 (EDX in bits 31:0, ECX in bits 63:32) and leaf 7, and prints
// them.
TEST(run_cpuid, reaches_libcryptos_constructor) {
  if (const std::string why = missing({"openssl", "version"}); !why.empty()) GTEST_SKIP() << why;
  const ProcessResult result = incore_run({"--cpu", "nano"}, {"openssl", "version", "-c"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string key = "OPENSSL_ia32cap=";
  const size_t at = result.out.find(key);
  if (at == std::string::npos)
    GTEST_SKIP() << "this openssl does not print the CPU's features: " << result.out;
  char* end = nullptr;
  const uint64_t leaf_1 = std::strtoull(result.out.c_str() + at + key.size(), &end, 16);
  ASSERT_EQ(*end, ':') << result.out;
  const uint64_t leaf_7 = std::strtoull(end + 1, nullptr, 16);
  EXPECT_EQ(leaf_1 >> (32 + 25) & 1, 0u) << "AES-NI shows through: " << result.out;
  EXPECT_EQ(leaf_1 >> (32 + 28) & 1, 0u) << "AVX shows through: " << result.out;
  EXPECT_EQ(leaf_7 >> 5 & 1, 0u) << "AVX2 shows through: " << result.out;
  EXPECT_EQ(leaf_7 >> 29 & 1, 0u) << "SHA-NI shows through: " << result.out;
  EXPECT_EQ(leaf_1 >> 26 & 1, 1u) << "SSE2 is missing: " << result.out;
}

}  // namespace
}  // namespace incore::test
