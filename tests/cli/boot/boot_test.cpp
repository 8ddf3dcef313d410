// `incore boot` as a user sees it, with the kernel of tests/machine/kernel, which tries what only a
// kernel can: exceptions inside instructions, control registers, MSRs, CPL 3.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/file.h"
#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;

const std::string kIncore = INCORE_PROGRAM;
const std::string kKernel = INCORE_BINARY_DIR "/tests/machine/kernel/machine_kernel";
const std::string kQemu = "/usr/bin/qemu-system-x86_64";
// With PadLock of its own, where `make qemu` puts it.
const std::string kPatchedQemu = INCORE_BINARY_DIR "/../qemu/qemu-system-x86_64";

#define SKIP_WITHOUT(qemu, remedy) \
  if (access((qemu).c_str(), X_OK) != 0) GTEST_SKIP() << (qemu) << " is missing; " << (remedy)
#define SKIP_WITHOUT_QEMU() SKIP_WITHOUT(kQemu, "it is Debian's qemu-system-x86")
#define SKIP_WITHOUT_PATCHED_QEMU() SKIP_WITHOUT(kPatchedQemu, "make qemu builds it")

ProcessResult boot_in(const std::string& qemu, std::vector<std::string> arguments) {
  const std::vector<std::string> before = {
      "/usr/bin/env", "INCORE_QEMU=" + qemu, kIncore, "boot", "--timeout", "60", "--memory", "64"};
  arguments.insert(arguments.begin(), before.begin(), before.end());
  return test::run(arguments);
}

ProcessResult boot(const std::vector<std::string>& arguments) {
  return boot_in(kQemu, arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Every one of |clauses| passed, and no other one was tried.
void expect_passed(const ProcessResult& result, const std::vector<std::string>& clauses) {
  size_t num_lines = 0;
  for (const char c : result.out) num_lines += c == '\n' ? 1 : 0;
  for (const std::string& clause : clauses)
    EXPECT_TRUE(contains(result.out, "clause " + clause + ": passed\n")) << clause;
  EXPECT_EQ(num_lines, clauses.size()) << result.out;
  EXPECT_FALSE(contains(result.out, "FAILED")) << result.out;
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

// clause: PLK-START-002
// clause: PLK-START-003
// clause: PLK-EXC-019
const std::vector<std::string> kOfAll = {"PLK-START-002", "PLK-START-003", "PLK-EXC-019"};
// clause: PLK-ACE-001
// clause: PLK-EXC-003
// clause: PLK-EXC-004
// clause: PLK-EXC-005
// clause: PLK-EXC-006
// clause: PLK-EXC-009
// clause: PLK-EXC-013
// clause: PLK-EXC-022
// clause: PLK-MULTI-019
// clause: PLK-MULTI-001
// clause: PLK-MSR-031
const std::vector<std::string> kOfAce = {
    "PLK-ACE-001", "PLK-EXC-003", "PLK-EXC-004", "PLK-EXC-005",   "PLK-EXC-004",   "PLK-EXC-006",
    "PLK-EXC-009", "PLK-EXC-013", "PLK-EXC-022", "PLK-MULTI-019", "PLK-MULTI-001", "PLK-MSR-031"};
// clause: PLK-MSR-032
// clause: PLK-MSR-033
// clause: PLK-START-001
// clause: PLK-MSR-034
// clause: PLK-MSR-037
// clause: PLK-MSR-035
// clause: PLK-MSR-036
const std::vector<std::string> kOfFcr = {"PLK-MSR-032", "PLK-MSR-033", "PLK-START-001",
                                         "PLK-MSR-034", "PLK-MSR-037", "PLK-MSR-035",
                                         "PLK-MSR-036"};
// clause: PLK-MSR-001
// clause: PLK-MSR-015
// clause: PLK-MSR-030
// clause: PLK-MSR-003
// clause: PLK-MSR-029
// clause: PLK-MSR-009
// clause: PLK-MSR-008
const std::vector<std::string> kOfRng = {"PLK-MSR-001", "PLK-MSR-015", "PLK-MSR-030", "PLK-MSR-003",
                                         "PLK-MSR-029", "PLK-MSR-009", "PLK-MSR-008"};
// clause: PLK-MSR-007
const std::vector<std::string> kOfNehemiahsCount = {"PLK-MSR-007"};
// clause: PLK-MSR-006
const std::vector<std::string> kOfEsthersCount = {"PLK-MSR-006"};
// clause: PLK-MSR-020
// clause: PLK-MSR-019
// clause: PLK-MSR-022
// clause: PLK-MSR-021
const std::vector<std::string> kOfStringFilter = {"PLK-MSR-020", "PLK-MSR-019", "PLK-MSR-022",
                                                  "PLK-MSR-021"};

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all = kOfAll;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

void expect_each_model_as_the_guide_says(const std::string& qemu) {
  const auto kernel_on = [&qemu](const char* model) {
    return boot_in(qemu, {"--cpu", model, "--kernel", kKernel});
  };
  expect_passed(kernel_on("c5xl"), joined({{"PLK-MSR-032"}, kOfRng, kOfNehemiahsCount}));
  expect_passed(kernel_on("nehemiah"),
                joined({kOfAce, kOfFcr, kOfRng, kOfNehemiahsCount, kOfStringFilter}));
  for (const char* const model : {"esther", "esther9"})
    expect_passed(kernel_on(model), joined({kOfAce, kOfFcr, kOfRng, kOfEsthersCount}));
  for (const char* const model : {"nano", "zhaoxin"})
    expect_passed(kernel_on(model), joined({kOfAce}));
}

TEST(cli_boot, a_kernel_finds_each_model_as_the_guide_says) {
  SKIP_WITHOUT_QEMU();
  expect_each_model_as_the_guide_says(kQemu);
}

TEST(cli_boot, so_it_does_in_a_qemu_with_padlock) {
  SKIP_WITHOUT_PATCHED_QEMU();
  expect_each_model_as_the_guide_says(kPatchedQemu);
}

// The clock may be read there only where the translator says so before.
TEST(cli_boot, a_qemu_with_padlock_counts_time_by_instructions_too) {
  SKIP_WITHOUT_PATCHED_QEMU();
  expect_passed(
      boot_in(kPatchedQemu, {"--cpu", "esther", "--kernel", kKernel, "--", "-icount", "shift=0"}),
      joined({kOfAce, kOfFcr, kOfRng, kOfEsthersCount}));
}

// clause: PLK-START-006
// clause: PLK-START-007
// clause: PLK-START-009
// clause: PLK-MSR-010
void expect_a_reset_as_the_guide_says(const std::string& qemu) {
  for (const char* const model : {"nehemiah", "esther"})
    expect_passed(boot_in(qemu, {"--cpu", model, "--kernel", kKernel, "--append", "reset", "--",
                                 "-action", "reboot=reset"}),
                  {"PLK-MSR-033", "PLK-MSR-008", "PLK-START-007", "PLK-START-006", "PLK-START-009",
                   "PLK-MSR-010", "PLK-START-002"});
}

TEST(cli_boot, a_reset_sets_the_units_as_the_guide_says) {
  SKIP_WITHOUT_QEMU();
  expect_a_reset_as_the_guide_says(kQemu);
}

TEST(cli_boot, so_does_that_of_a_qemu_with_padlock) {
  SKIP_WITHOUT_PATCHED_QEMU();
  expect_a_reset_as_the_guide_says(kPatchedQemu);
}

// clause: PLK-MULTI-006
// clause: PLK-MULTI-007
// clause: PLK-MULTI-008
// clause: PLK-MULTI-009
// clause: PLK-MULTI-010
// clause: PLK-MULTI-011
// clause: PLK-MULTI-012
// clause: PLK-MULTI-013
// clause: PLK-MULTI-014
// clause: PLK-MULTI-016
// clause: PLK-MULTI-017
// clause: PLK-MULTI-018
// clause: PLK-MULTI-026
// clause: PLK-MULTI-027
// clause: PLK-MULTI-028
// clause: PLK-EXC-012
const std::vector<std::string> kOfKeys = {
    "PLK-MULTI-006", "PLK-MULTI-007", "PLK-MULTI-008", "PLK-MULTI-009",
    "PLK-MULTI-010", "PLK-MULTI-011", "PLK-MULTI-012", "PLK-MULTI-013",
    "PLK-MULTI-014", "PLK-MULTI-016", "PLK-MULTI-017", "PLK-MULTI-018",
    "PLK-MULTI-026", "PLK-MULTI-027", "PLK-MULTI-028", "PLK-EXC-012"};
// clause: PLK-MULTI-022
// clause: PLK-MULTI-025
const std::vector<std::string> kOfKeysBesidePheAndPmm = {"PLK-MULTI-022", "PLK-MULTI-025"};

TEST(cli_boot, a_qemu_with_padlock_loads_keys_when_the_guide_says) {
  SKIP_WITHOUT_PATCHED_QEMU();
  for (const char* const model : {"nehemiah", "esther", "esther9", "nano", "zhaoxin"}) {
    std::vector<std::string> clauses = kOfKeys;
    if (model != std::string("nehemiah"))
      clauses.insert(clauses.end(), kOfKeysBesidePheAndPmm.begin(), kOfKeysBesidePheAndPmm.end());
    expect_passed(boot_in(kPatchedQemu, {"--cpu", model, "--kernel", kKernel, "--append", "keys"}),
                  clauses);
  }
}

void expect_what_ran_is_counted(const std::string& qemu) {
  const test::TemporaryDirectory folder;
  const std::string file = folder.path() + "/stats.json";
  const ProcessResult result =
      boot_in(qemu, {"--cpu", "esther", "--stats=" + file, "--kernel", kKernel, "--append", "many",
                     "--require", "xcrypt-ecb"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "clause PLK-ACE-001: passed\n");
  EXPECT_EQ(result.err, "");
  const json stats = json::parse(test::read_file(file));
  EXPECT_EQ(stats.at("model"), "esther");
  EXPECT_EQ(stats.at("exit_code"), 0);
  EXPECT_EQ(stats.at("missed"), 0);
  EXPECT_EQ(stats.at("instructions").at("xcrypt-ecb").at("calls"), 2000);
  EXPECT_EQ(stats.at("instructions").at("xcrypt-ecb").at("bytes"), 32000);
  EXPECT_EQ(stats.at("instructions").at("xcrypt-cbc").at("calls"), 0);
}

TEST(cli_boot, stats_count_what_ran) {
  SKIP_WITHOUT_QEMU();
  expect_what_ran_is_counted(kQemu);
}

TEST(cli_boot, a_qemu_with_padlock_counts_too) {
  SKIP_WITHOUT_PATCHED_QEMU();
  expect_what_ran_is_counted(kPatchedQemu);
}

TEST(cli_boot, verbose_says_where_the_instructions_come_from) {
  SKIP_WITHOUT_QEMU();
  const auto said = [](const std::string& qemu, const char* option) {
    return boot_in(qemu, {"-v", option, "--kernel", kKernel, "--append", "many"}).err;
  };
  const std::string outside = kQemu + " has no PadLock; its instructions come from outside\n";
  EXPECT_TRUE(contains(said(kQemu, "--stats"), outside));
  SKIP_WITHOUT_PATCHED_QEMU();
  const std::string inside = kPatchedQemu + " has PadLock itself\n";
  const std::string slow = "with --check the instructions come from outside";
  EXPECT_TRUE(contains(said(kPatchedQemu, "--stats"), inside));
  EXPECT_FALSE(contains(said(kPatchedQemu, "--stats"), slow));
  EXPECT_TRUE(contains(said(kPatchedQemu, "--check"), slow));
}

TEST(cli_boot, what_never_ran_and_what_silicon_would_not_forgive_is_told) {
  SKIP_WITHOUT_QEMU();
  const ProcessResult missing =
      boot({"--cpu", "c5xl", "--kernel", kKernel, "--require", "xcrypt-cbc"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.err, "incore boot: --require: xcrypt-cbc was never executed\n");
  // The kernel misuses the unit on purpose.
  const ProcessResult checked = boot({"--cpu", "esther", "--check", "--kernel", kKernel});
  EXPECT_EQ(checked.exit_code, 1);
  for (const char* const check : {"misaligned-data", "over-read", "unusable-unit"})
    EXPECT_TRUE(contains(checked.err, std::string("incore boot --check: ") + check + ": "))
        << checked.err;
}

void expect_the_guest_s_verdict(const std::string& qemu) {
  const ProcessResult restarted = boot_in(qemu, {"--kernel", kKernel, "--append", "restart"});
  EXPECT_EQ(restarted.exit_code, 1);
  EXPECT_EQ(restarted.err, "incore boot: the guest has restarted, as kernels do after a panic\n");
  const ProcessResult hanging =
      test::run({"/usr/bin/env", "INCORE_QEMU=" + qemu, kIncore, "boot", "--timeout", "1",
                 "--kernel", kKernel, "--append", "hang"});
  EXPECT_EQ(hanging.exit_code, 1);
  EXPECT_EQ(hanging.err, "incore boot: the guest has not ended after 1 seconds\n");
}

TEST(cli_boot, the_verdict_is_the_guest_s) {
  SKIP_WITHOUT_QEMU();
  expect_the_guest_s_verdict(kQemu);
}

TEST(cli_boot, also_in_a_qemu_with_padlock) {
  SKIP_WITHOUT_PATCHED_QEMU();
  expect_the_guest_s_verdict(kPatchedQemu);
}

TEST(cli_boot, a_machine_that_qemu_cannot_make_is_no_success) {
  SKIP_WITHOUT_QEMU();
  const ProcessResult result = boot({"--kernel", kKernel, "--", "-bios", "/nonexistent"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "qemu: could not load PC BIOS '/nonexistent'\n"
            "incore boot: QEMU did not start the guest, exit code 1\n");
}

TEST(cli_boot, bad_input_is_one_line) {
  const test::TemporaryDirectory folder;
  const std::string text = folder.write("text", "no kernel");
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{}, "no kernel given (see 'incore boot --help')"},
      {{"--kernel", text},
       "'" + text +
           "' is no kernel: a Linux kernel image (vmlinuz, bzImage) or a multiboot file is "
           "needed"},
      {{"--kernel", folder.path()}, "'" + folder.path() + "' is no file"},
      {{"--kernel", text + "2"}, "'" + text + "2': No such file or directory"},
      {{"--kernel", kKernel, "--initrd", text + "2"}, "'" + text + "2': No such file or directory"},
      {{"--kernel", kKernel, "stray"}, "'stray' is no option; QEMU's own come behind --"},
  };
  for (const auto& [arguments, message] : cases) {
    const ProcessResult result = boot(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, "incore boot: " + message + "\n");
  }
  const ProcessResult unknown = boot({"--kernel", kKernel, "--cpu", "c8"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.err, "c8")) << unknown.err;
}

TEST(cli_boot, a_missing_or_wrong_qemu_is_one_line) {
  // Elsewhere, so that there is none beside it.
  const test::TemporaryDirectory folder;
  const std::string incore = folder.path() + "/bin/incore";
  std::filesystem::create_directory(folder.path() + "/bin");
  std::filesystem::copy(kIncore, incore);
  const auto boot_there = [&incore] {
    return test::run({"/usr/bin/env", "-u", "INCORE_QEMU", "PATH=/nowhere", incore, "boot",
                      "--kernel", kKernel});
  };
  const ProcessResult none = boot_there();
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(
      none.err,
      "incore boot: qemu-system-x86_64 is not installed (Debian's package qemu-system-x86)\n");
  const ProcessResult wrong =
      test::run({"/usr/bin/env", "INCORE_QEMU=/bin/false", kIncore, "boot", "--kernel", kKernel});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err, "incore boot: QEMU did not start the guest, exit code 1\n");
  // One that was installed with it, and before that one that was built beside it.
  const std::pair<std::string, std::string> places[] = {{"libexec/incore", "3"}, {"qemu", "4"}};
  for (const auto& [place, code] : places) {
    std::filesystem::create_directories(folder.path() + "/" + place);
    chmod(folder.write(place + "/qemu-system-x86_64", "#!/bin/sh\nexit " + code + "\n").c_str(),
          0755);
    EXPECT_EQ(boot_there().err,
              "incore boot: QEMU did not start the guest, exit code " + code + "\n");
  }
}

}  // namespace
}  // namespace incore
