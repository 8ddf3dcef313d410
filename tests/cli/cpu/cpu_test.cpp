// `incore cpu`, and what every command says of a wrong INCORE_KERNEL.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;

const std::string kIncore = INCORE_PROGRAM;

ProcessResult incore_cpu(const std::string& kernels, bool as_json = false) {
  std::vector<std::string> argv = {kIncore, "cpu"};
  if (as_json) argv.push_back("--json");
  return test::run(argv, "", {"INCORE_KERNEL=" + kernels});
}

json report(const std::string& kernels) {
  const ProcessResult result = incore_cpu(kernels, true);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

json algorithm(const json& all, const std::string& name) {
  for (const json& entry : all.at("algorithms"))
    if (entry.at("name") == name) return entry;
  ADD_FAILURE() << "no algorithm " << name;
  return {};
}

TEST(cli_cpu, features_agree_with_proc_cpuinfo) {
  if (test::kEmulated) GTEST_SKIP() << "/proc/cpuinfo is that of the CPU below the emulator";
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string line, flags;
  bool is_zen5 = false;
  while (std::getline(cpuinfo, line) && flags.empty()) {
    if (line.compare(0, 5, "flags") == 0) flags = line.substr(line.find(':') + 1) + " ";
    if (line == "cpu family\t: 26") is_zen5 = true;
  }
  if (flags.empty()) GTEST_SKIP() << "/proc/cpuinfo has no flags here";
  const json features = report("").at("features");
  ASSERT_GE(features.size(), 10u);
  for (const json& feature : features) {
    const std::string name = feature.at("name");
    // Names of our own: the bundle of four, and PadLock's units.
    if (name == "avx512" || name.compare(0, 7, "padlock") == 0) continue;
    // Linux keeps it from programs there, as its narrower forms may fail (AMD-SB-7055); CPUID has
    // it.
    if (name == "rdseed" && is_zen5) continue;
    EXPECT_EQ(feature.at("present").get<bool>(),
              flags.find(std::string(1, ' ').append(name).append(1, ' ')) != std::string::npos)
        << name;
  }
}

TEST(cli_cpu, the_first_kernel_that_misses_nothing_and_passes_its_self_test_serves) {
  const json all = report("");
  for (const json& entry : all.at("algorithms")) {
    std::string expected;
    for (const json& kernel : entry.at("kernels"))
      if (expected.empty() && kernel.at("missing").empty() && !kernel.at("fails_self_test"))
        expected = kernel.at("name");
    EXPECT_EQ(entry.at("kernel"), expected);
    EXPECT_FALSE(entry.at("forced"));
  }
}

TEST(cli_cpu, the_environment_forces_a_kernel) {
  const json all = report("sha256:portable");
  const json sha256 = algorithm(all, "sha256");
  EXPECT_EQ(sha256.at("kernel"), "portable");
  EXPECT_TRUE(sha256.at("forced"));
  EXPECT_EQ(sha256.at("reason").get<std::string>().find("forced by INCORE_KERNEL"), 0u);
  EXPECT_FALSE(algorithm(all, "sha1").at("forced"));
}

TEST(cli_cpu, text_names_every_feature_and_algorithm_of_the_json) {
  const json all = report("");
  const std::string text = incore_cpu("").out;  // names begin a line
  for (const char* part : {"features", "algorithms"})
    for (const json& entry : all.at(part))
      EXPECT_NE(
          text.find(
              std::string(1, '\n').append(entry.at("name").get<std::string>()).append(1, ' ')),
          std::string::npos)
          << entry;
}

TEST(cli_cpu, a_wrong_environment_is_one_line_and_exit_code_2) {
  const struct {
    const char* kernels;
    const char* message;
  } cases[] = {
      {"portable",
       "INCORE_KERNEL: 'portable' is not of the form ALGORITHM:KERNEL, as in sha256:portable\n"},
      {"sha1:portable,md5:portable", "INCORE_KERNEL: 'md5' is no algorithm; one of: "},
      {"sha512:turbo", "INCORE_KERNEL: 'turbo' is no kernel of sha512; one of: "},
  };
  for (const auto& c : cases) {
    const ProcessResult result = incore_cpu(c.kernels);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.find(std::string("incore cpu: ") + c.message), 0u) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1);
  }
  const ProcessResult hash =
      test::run({kIncore, "hash", "-a", "sha1"}, "", {"INCORE_KERNEL=sha512:turbo"});
  EXPECT_EQ(hash.exit_code, 2);
  EXPECT_EQ(hash.err.find("incore hash: INCORE_KERNEL: 'turbo' is no kernel of sha512"), 0u)
      << hash.err;
}

// Both spellings are taken, where the kernel is of use and where it is not; one is printed.
TEST(cli_cpu, a_kernel_called_by_its_feature_is_printed_by_its_name) {
#if defined(__x86_64__)
  const ProcessResult by_name = incore_cpu("sha256:shani"),
                      by_feature = incore_cpu("sha256:sha_ni");
  EXPECT_EQ(by_feature.exit_code, by_name.exit_code);
  EXPECT_EQ(by_feature.out, by_name.out);
  EXPECT_EQ(by_feature.err, by_name.err);
  // PadLock is nowhere that these tests run natively.
  EXPECT_EQ(incore_cpu("sha256:padlock_xsha").err, incore_cpu("sha256:padlock").err);
#else
  GTEST_SKIP() << "the kernels of the example are of x86";
#endif
}

TEST(cli_cpu, a_forced_kernel_gives_the_same_digest) {
  const std::string input(1000, 'x');
  const auto digest = [&](const char* kernels) {
    return test::run({kIncore, "hash"}, input, {std::string("INCORE_KERNEL=") + kernels}).out;
  };
  EXPECT_EQ(digest("sha256:portable"), digest(""));
  EXPECT_EQ(digest(""), test::run({"sha256sum"}, input).out);
}

// A copy of the program that runs with root's rights, whoever calls it.
TEST(cli_cpu, a_set_user_id_program_does_not_heed_the_environment) {
  if (test::kEmulated) GTEST_SKIP() << "the program here is a script that calls the emulator";
  if (getuid() != 0) GTEST_SKIP() << "only root can make a program run with other rights";
  if (test::run({"sh", "-c", "command -v setpriv"}).exit_code != 0)
    GTEST_SKIP() << "setpriv is not installed";
  const test::TemporaryDirectory directory;
  ASSERT_EQ(chmod(directory.path().c_str(), 0755), 0);
  const std::string program = directory.path() + "/incore";
  std::filesystem::copy_file(kIncore, program);
  const auto hash_as_nobody = [&] {
    return test::run({"setpriv", "--reuid=65534", "--clear-groups", program, "hash"}, "abc",
                     {"INCORE_KERNEL=bogus:1"});
  };
  ASSERT_EQ(chmod(program.c_str(), 0755), 0);
  const ProcessResult plain = hash_as_nobody();
  if (plain.exit_code != 2)
    GTEST_SKIP() << "nobody cannot start a program in " << directory.path() << ": " << plain.err;
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  const ProcessResult raised = test::run(
      {"setpriv", "--reuid=65534", "--clear-groups", "sh", "-c",
       "test -u " + program + " && findmnt -n -o OPTIONS -T " + program + " | grep -v nosuid"});
  if (raised.exit_code != 0) GTEST_SKIP() << "programs there are not raised: " << raised.out;
  const ProcessResult result = hash_as_nobody();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), 0u)
      << result.out;
}

// QEMU before 8.0 computes wrongly with VAES on YMM registers: only the lower lane is right. Newer
// ones are right. In either case the ciphertext is.
TEST(cli_cpu, a_machine_with_wrong_instructions_gives_right_answers) {
#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "for x86-64 without AddressSanitizer";
#else
  const std::string qemu = "qemu-x86_64";
  if (test::run({"sh", "-c", "command -v " + qemu}).exit_code != 0)
    GTEST_SKIP() << qemu << " is not installed";
  const auto emulated = [&](std::vector<std::string> arguments, const std::string& input,
                            const std::string& kernels = "") {
    arguments.insert(arguments.begin(), {qemu, "-cpu", "max", kIncore});
    return test::run(arguments, input, {"INCORE_KERNEL=" + kernels});
  };
  const ProcessResult cpu = emulated({"cpu", "--json"}, "");
  ASSERT_EQ(cpu.exit_code, 0) << cpu.err;
  const json aes = algorithm(json::parse(cpu.out), "aes");

  const std::string input(1000, 'x'), key(32, '7'), iv(32, '1');
  for (const char* mode : {"ctr", "cbc", "xts", "gcm"}) {
    const bool is_xts = std::string(mode) == "xts";
    std::vector<std::string> encrypt = {
        "aes", "encrypt", "--mode", mode, "--key", is_xts ? key + iv : key, "--iv", iv};
    std::vector<std::string> native = encrypt;
    native.insert(native.begin(), kIncore);
    const ProcessResult expected = test::run(native, input, {"INCORE_KERNEL=aes:portable"});
    ASSERT_EQ(expected.exit_code, 0) << mode << expected.err;
    EXPECT_EQ(emulated(encrypt, input).out, expected.out) << mode;
  }

  for (const json& kernel : aes.at("kernels")) {
    if (!kernel.at("fails_self_test")) continue;
    const std::string name = kernel.at("name");
    EXPECT_NE(aes.at("kernel"), name);
    EXPECT_NE(aes.at("reason").get<std::string>().find("; " + name + " fails its self-test"),
              std::string::npos)
        << aes;
    const ProcessResult forced = emulated({"hash"}, input, "aes:" + name);
    EXPECT_EQ(forced.exit_code, 2);
    EXPECT_EQ(forced.err.find("incore hash: INCORE_KERNEL: '" + name +
                              "' fails its self-test on this CPU; for aes one of: "),
              0u)
        << forced.err;
    return;
  }
  GTEST_SKIP() << "this QEMU computes rightly";
#endif
}

}  // namespace
}  // namespace incore
