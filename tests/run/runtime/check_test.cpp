// `incore run --check` from the outside: for each check a program that it reports and a twin that
// it does not (tests/guest/check.c), the reports themselves, and clients that use PadLock rightly.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "padlock/checks/check.h"
#include "run/incore_run.h"

namespace incore::test {
namespace {

struct NamedCheck {
  std::string name;  // as in checks.def
  const padlock::Check* check;
};

// The checks that a program can come to; the others are of privileged instructions.
std::vector<NamedCheck> program_checks() {
  std::vector<NamedCheck> all = {
#define X(name) {#name, &padlock::check_##name},
#include "padlock/checks/checks.def"
#undef X
  };
  std::erase_if(all, [](const NamedCheck& c) { return c.check->before_insn == nullptr; });
  return all;
}

// The model on which a check has something to report.
std::string model_of(const std::string& name) {
  if (name == "unusable_unit") return "c5xl";
  if (name == "nehemiah_bits") return "nehemiah";
  if (name == "ctr_erratum") return "esther";
  return "nano";
}

struct Checked {
  ProcessResult result;
  nlohmann::json findings;  // the list
};

Checked run_checked(const Arguments& program, const std::string& model = "nano") {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/check.json";
  Checked checked;
  checked.result = incore_run({"--cpu", model, "--check=" + path}, program);
  const std::string text = read_file(path);
  EXPECT_FALSE(text.empty()) << checked.result.err;
  if (!text.empty()) checked.findings = nlohmann::json::parse(text).at("findings");
  return checked;
}

void expect_only(const NamedCheck& check, const std::string& program) {
  const Checked wrong = run_checked({program, check.name}, model_of(check.name));
  EXPECT_NE(wrong.result.exit_code, 0) << program;
  ASSERT_FALSE(wrong.findings.empty()) << program;
  for (const auto& finding : wrong.findings)
    EXPECT_EQ(finding.at("check"), check.check->name) << program;
}

void expect_nothing_of_the_right_way(const NamedCheck& check, const std::string& program) {
  const Checked right = run_checked({program, check.name + "-ok"}, model_of(check.name));
  EXPECT_EQ(right.result.exit_code, 0) << program << right.result.err;
  EXPECT_TRUE(right.findings.empty()) << program << right.findings.dump(2);
}

class run_check : public testing::TestWithParam<NamedCheck> {};

TEST_P(run_check, reports_what_it_is_for_and_nothing_else) {
  for (const char* form : {"check", "check_static"}) expect_only(GetParam(), guest(form));
}

TEST_P(run_check, says_nothing_of_the_right_way) {
  for (const char* form : {"check", "check_static"})
    expect_nothing_of_the_right_way(GetParam(), guest(form));
}

TEST_P(run_check, does_the_same_for_32_bit_code) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  for (const char* form : {"check", "check_static"}) {
    expect_only(GetParam(), guest32(form));
    expect_nothing_of_the_right_way(GetParam(), guest32(form));
  }
}

INSTANTIATE_TEST_SUITE_P(all, run_check, testing::ValuesIn(program_checks()),
                         [](const auto& tested) { return tested.param.name; });

TEST(run_check_report, names_place_rule_and_operand) {
  const Checked checked = run_checked({guest("check"), "cipher_bit"});
  EXPECT_EQ(checked.result.exit_code, 1);
  EXPECT_EQ(checked.result.err, "");
  ASSERT_EQ(checked.findings.size(), 1u);
  const nlohmann::json& finding = checked.findings[0];
  EXPECT_EQ(finding.at("clause"), "PLK-ACE-095");
  EXPECT_EQ(finding.at("instruction"), "xcrypt-cbc");
  EXPECT_EQ(finding.at("function"), "cbc_with");
  EXPECT_EQ(finding.at("module"), guest("check"));
  EXPECT_EQ(finding.at("count"), 1);
  EXPECT_EQ(finding.at("operand"), "the control word at EDX");
  EXPECT_EQ(finding.at("operand_address"), finding.at("registers").at("rdx"));
  EXPECT_EQ(finding.at("registers").at("rcx"), 4);
}

TEST(run_check_report, is_text_on_stderr) {
  const ProcessResult result = incore_run({"--check"}, {guest("check"), "cipher_bit"});
  EXPECT_EQ(result.exit_code, 1);
  for (const char* part : {"incore run --check: cipher-bit: ", "[PLK-ACE-095]", " in cbc_with+0x",
                           "the control word at EDX: 0x", "to mend it: ", "seen 1 time, ",
                           "incore run --check: 1 finding\n"})
    EXPECT_NE(result.err.find(part), std::string::npos) << part << "\n" << result.err;
  const ProcessResult right = incore_run({"--check"}, {guest("check"), "cipher_bit-ok"});
  EXPECT_EQ(right.exit_code, 0);
  EXPECT_EQ(right.err, "");
}

TEST(run_check_report, outlives_a_program_that_a_signal_ends) {
  const ProcessResult result = incore_run({"--check"}, {guest("check"), "over_read"});
  EXPECT_EQ(result.exit_code, 128 + SIGSEGV);
  EXPECT_NE(result.err.find("over-read"), std::string::npos) << result.err;
}

TEST(run_check_report, comes_from_children_and_counts_each_place_once) {
  const std::string program = guest("check") + " cipher_bit";
  const Checked checked = run_checked({"/bin/sh", "-c", program + "; " + program + "; exit 3"});
  EXPECT_EQ(checked.result.exit_code, 3);
  ASSERT_EQ(checked.findings.size(), 1u);
  EXPECT_EQ(checked.findings[0].at("count"), 2);
}

// The key changes twice, and a system call comes before the second time.
TEST(run_check_stale_key, is_one_finding_in_each_thread_and_process) {
  for (const char* program : {"stale_key", "stale_key-thread", "stale_key-child"}) {
    const Checked checked = run_checked({guest("check"), program});
    EXPECT_EQ(checked.result.exit_code, 1) << program << checked.result.err;
    ASSERT_EQ(checked.findings.size(), 1u) << program << checked.findings.dump(2);
    EXPECT_EQ(checked.findings[0].at("count"), 1) << program;
    EXPECT_EQ(checked.findings[0].at("operand"), "the key at EBX") << program;
  }
}

TEST(run_check_report, refuses_a_file_that_cannot_be_written) {
  const ProcessResult result =
      incore_run({"--check=/nonexistent/check.json"}, {guest("exit_code"), "0"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--check"), std::string::npos) << result.err;
}

// Single steps must not be seen: programs with signals, threads and breakpoints of their own. Nor
// must the flags and segments that a program has set up reach the code of the checks.
void expect_as_without_check(const std::string& program) {
  const Checked checked = run_checked({program});
  constexpr int kGuestSkipped = 77;
  if (checked.result.exit_code == kGuestSkipped) return;
  EXPECT_EQ(checked.result.exit_code, 0) << program << ": " << checked.result.err;
  EXPECT_TRUE(checked.findings.empty()) << program << checked.findings.dump(2);
}

TEST(run_check_programs, run_as_without_it) {
  for (const char* name : {"alignment_check",
                           "async_signals",
                           "es_ignored_x86_64",
                           "flags",
                           "fork_exec",
                           "generated_code",
                           "other_code",
                           "registers_preserved",
                           "sigaltstack_handler",
                           "sigill_handler_and_xcrypt",
                           "sigtrap_own",
                           "single_step",
                           "sse_between",
                           "stack_small",
                           "trap_flag",
                           "threads",
                           "ud_own",
                           "xcrypt_chained_calls",
                           "xcrypt_modes",
                           "xsha",
                           "montmul",
                           "gcrypt_client",
                           "gnutls_client"})
    expect_as_without_check(guest(name));
}

TEST(run_check_programs, run_as_without_it_in_32_bits) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  for (const char* name : {"alignment_check", "flags", "other_code", "single_step", "trap_flag"})
    expect_as_without_check(guest32(name));
}

// It also tries addresses that nothing but ES makes misaligned.
TEST(run_check_programs, have_their_operands_in_es) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  const Checked checked = run_checked({guest32("es_segment_i386")});
  EXPECT_EQ(checked.result.exit_code, 1) << checked.result.err;
  EXPECT_FALSE(checked.findings.empty());
  for (const auto& finding : checked.findings) {
    const std::string name = finding.at("check");
    EXPECT_TRUE(name == "misaligned-data" || name == "misaligned-operand") << finding.dump(2);
  }
}

class run_openssl_check : public testing::TestWithParam<std::string> {};

TEST_P(run_openssl_check, finds_nothing_in_the_engine) {
  if (run({"sh", "-c", "openssl engine padlock 2>&1"}).out.find("(padlock)") == std::string::npos)
    GTEST_SKIP() << "openssl has no PadLock engine";
  const TemporaryDirectory directory;
  const std::string plain = directory.write("plain", std::string(100000, 'x'));
  for (const int key_bits : {128, 192, 256}) {
    for (const std::string direction : {"-e", "-d"}) {
      if (direction == "-d" && key_bits == 192) continue;  // nothing that 128 and 256 have not
      Arguments argv = {"openssl", "enc",
                        direction, "-engine",
                        "padlock", "-aes-" + std::to_string(key_bits) + "-" + GetParam(),
                        "-K",      std::string(static_cast<size_t>(key_bits) / 4, '5'),
                        "-in",     plain,
                        "-out",    directory.path() + "/out",
                        "-nopad"};
      if (GetParam() != "ecb") argv.insert(argv.end(), {"-iv", std::string(32, '6')});
      const Checked checked = run_checked(argv);
      EXPECT_EQ(checked.result.exit_code, 0) << checked.result.err;
      EXPECT_TRUE(checked.findings.empty()) << checked.findings.dump(2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, run_openssl_check, testing::Values("ecb", "cbc", "cfb", "ofb", "ctr"),
                         [](const auto& tested) { return tested.param; });

// A program with one finding.
const Arguments kWrong = {guest("check"), "keystream_reuse"};

TEST(run_check_choice, a_skipped_check_reports_nothing) {
  const ProcessResult all = incore_run({"--check"}, kWrong);
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_NE(
      all.err.find("incore run --check: 1 finding\n    keystream-reuse      1 place, 1 time\n"),
      std::string::npos)
      << all.err;
  const ProcessResult skipped = incore_run({"--check", "--check-skip", "keystream-reuse"}, kWrong);
  EXPECT_EQ(skipped.exit_code, 0) << skipped.err;
  EXPECT_EQ(skipped.err, "");
  const ProcessResult other = incore_run({"--check", "--check-skip", "stale-key"}, kWrong);
  EXPECT_EQ(other.exit_code, 1);
}

TEST(run_check_choice, suppressed_findings_are_counted_and_forgiven) {
  const TemporaryDirectory directory;
  const std::string list = directory.path() + "/accepted", json = directory.path() + "/out.json";
  std::ofstream(list) << "keystream-reuse keystream_reuse guest_check the test wants it\n"
                         "key-size * * old\n";
  const ProcessResult result = incore_run({"--check", "--check-suppress", list}, kWrong);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err,
            "incore run --check: 0 findings\n"
            "    keystream-reuse      1 place suppressed\n" +
                list + ":2: nothing was found that it fits\n");
  incore_run({"--check=" + json, "--check-suppress", list}, kWrong);
  const nlohmann::json findings = nlohmann::json::parse(read_file(json)).at("findings");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].at("suppressed"), "the test wants it");
}

TEST(run_check_choice, a_wrong_list_is_told_before_the_program_runs) {
  const TemporaryDirectory directory;
  const std::string list = directory.path() + "/accepted";
  std::ofstream(list) << "keystream-reuse * *\n";
  const ProcessResult result = incore_run({"--check", "--check-suppress", list}, {"echo", "ran"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(list + ":1: a line is CHECK FUNCTION MODULE REASON"), std::string::npos)
      << result.err;
  EXPECT_EQ(incore_run({"--check-skip", "stale-key"}, {"true"}).exit_code, 2);
  EXPECT_EQ(incore_run({"--check", "--check-skip", "stale"}, {"true"}).exit_code, 2);
}

TEST(run_check_choice, the_control_word_is_told_in_words) {
  const Checked checked = run_checked({guest("check"), "reserved_bits"});
  ASSERT_EQ(checked.findings.size(), 1u);
  EXPECT_EQ(
      checked.findings[0].at("control_word"),
      "0x8000000a: 10 rounds, key that the hardware expands, size 128, encrypt, reserved bits set");
  const Checked without = run_checked({guest("check"), "xsha_start"});
  ASSERT_EQ(without.findings.size(), 1u);
  EXPECT_FALSE(without.findings[0].contains("control_word"));
}

}  // namespace
}  // namespace incore::test
