// `incore run` from the outside: the guest programs of tests/guest under it, its options, its exit
// codes, its messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "run/incore_run.h"
#include "support/hex.h"

namespace incore::test {
namespace {

// The guest programs that take no arguments and check themselves. Those that open libraries have no
// static form.
const char* const kGuests[] = {
    "alignment_check",
    "async_signals",
    "blocked_signals",
    "cpuid_hot",
    "cpuid_loop",
    "env_mark",
    "fault_destination",
    "fault_source",
    "flags",
    "fork_exec",
    "generated_code",
    "mapped_code",
    "masked_waits",
    "memory_exhausted",
    "misaligned",
    "montmul",
    "mprotect_text",
    "no_descriptors",
    "not_dumpable",
    "opens",
    "other_code",
    "own_filter",
    "page_fault_hash",
    "sigaltstack_handler",
    "sigill_handler_and_xcrypt",
    "signal_storm",
    "sigtrap_own",
    "single_step",
    "sse_between",
    "stack_small",
    "tactics",
    "taken_window",
    "threads",
    "trap_flag",
    "ud_own",
    "unmapped_code",
    "unended",
    "unusual_next_bytes",
    "xcrypt_chained_calls",
    "xcrypt_modes",
    "xsha",
    "xsha512",
    "xstore",
};
const char* const kDynamicGuests[] = {"dlopen_client"};
// Those that exist for one kind of code only: registers of that kind, a fault that the other has
// not.
const char* const kX86_64Guests[] = {"es_ignored_x86_64", "hot_calls_x86_64", "int80_x86_64",
                                     "montmul_ud", "registers_preserved"};
const char* const kI386Guests[] = {"es_segment_i386", "old_signals_i386",
                                   "registers_preserved_i386"};
// Those with tests of their own.
const char* const kOtherGuests[] = {
    "bad_pointer",    "ccs",           "check",         "cpuid_vendor",
    "cpuinfo",        "die_by_signal", "exec_copy",     "exec_next",
    "exit_code",      "gcrypt_client", "gnutls_client", "key_reload",
    "model_clocks",   "older_linux",   "one_block",     "print_arguments",
    "random_streams", "replay",        "rng_streams",   "two_paths"};

template <size_t n>
Arguments self_checking_guests(const char* const (&of_one_machine)[n]) {
  Arguments names(std::begin(kGuests), std::end(kGuests));
  names.insert(names.end(), std::begin(of_one_machine), std::end(of_one_machine));
  for (size_t i = 0, num_static = names.size(); i < num_static; ++i)
    names.push_back(names[i] + "_static");
  names.insert(names.end(), std::begin(kDynamicGuests), std::end(kDynamicGuests));
  return names;
}

void expect_success(const ProcessResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.signal, 0) << result.err;
}

class run_guest : public testing::TestWithParam<std::string> {};

TEST_P(run_guest, finds_nothing_wrong) {
  expect_success(incore_run({}, {guest(GetParam())}));
}

INSTANTIATE_TEST_SUITE_P(all, run_guest, testing::ValuesIn(self_checking_guests(kX86_64Guests)),
                         [](const auto& tested) { return tested.param; });

class run_guest32 : public testing::TestWithParam<std::string> {};

TEST_P(run_guest32, finds_nothing_wrong) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  expect_success(incore_run({}, {guest32(GetParam())}));
}

INSTANTIATE_TEST_SUITE_P(all, run_guest32, testing::ValuesIn(self_checking_guests(kI386Guests)),
                         [](const auto& tested) { return tested.param; });

TEST(run_guests, each_source_is_run_by_some_test) {
  std::set<std::string> listed, sources;
  for (const auto& list : {Arguments(std::begin(kGuests), std::end(kGuests)),
                           Arguments(std::begin(kDynamicGuests), std::end(kDynamicGuests)),
                           Arguments(std::begin(kX86_64Guests), std::end(kX86_64Guests)),
                           Arguments(std::begin(kI386Guests), std::end(kI386Guests)),
                           Arguments(std::begin(kOtherGuests), std::end(kOtherGuests))})
    listed.insert(list.begin(), list.end());
  for (const auto& entry : std::filesystem::directory_iterator(INCORE_SOURCE_DIR "/tests/guest"))
    if (entry.path().extension() == ".c") sources.insert(entry.path().stem().string());
  EXPECT_EQ(listed, sources);
}

// --- models

uint32_t field(const std::string& out, const std::string& leaf, const std::string& name) {
  const size_t line = ("\n" + out).find("\n" + leaf + " ");
  const size_t value = line == std::string::npos ? line : out.find(name + "=", line);
  if (value == std::string::npos) {
    ADD_FAILURE() << "no " << name << " of leaf " << leaf << " in:\n" << out;
    return 0;
  }
  return static_cast<uint32_t>(std::stoul(out.substr(value + name.size() + 1, 8), nullptr, 16));
}

struct Identity {
  const char* model;
  uint32_t signature, padlock_flags;
};
void PrintTo(const Identity& identity, std::ostream* out) {
  *out << identity.model;
}

class run_model : public testing::TestWithParam<Identity> {};

// PadLock guide, chapter 1, and the dumps of real parts: signature, and the bits of leaf 0xC0000001
// EDX that the guide names.
TEST_P(run_model, answers_cpuid_as_the_part_does) {
  const Identity& expected = GetParam();
  for (const char* form : {"cpuid_vendor", "cpuid_vendor_static"}) {
    const ProcessResult result = incore_run({"--cpu", expected.model}, {guest(form)});
    expect_success(result);
    // clause: PLK-CPUID-028
    EXPECT_NE(result.out.find(" CentaurHauls\n"), std::string::npos) << result.out;
    EXPECT_EQ(field(result.out, "00000001", "eax") & ~15u, expected.signature & ~15u) << result.out;
    EXPECT_GE(field(result.out, "c0000000", "eax"), 0xC0000001u);
    // clause: PLK-CPUID-024
    // clause: PLK-CPUID-025
    // clause: PLK-CPUID-026
    EXPECT_EQ(field(result.out, "c0000001", "edx") & 0x3FCC, expected.padlock_flags) << result.out;
    // A 64-bit program may count on SSE2, whatever the model.
    EXPECT_NE(field(result.out, "00000001", "edx") & (1u << 26), 0u) << result.out;
  }
}

// 32-bit programs run on every part, so none gets flags that it has not.
TEST_P(run_model, is_the_part_alone_to_32_bit_programs) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  const Identity& expected = GetParam();
  for (const char* form : {"cpuid_vendor", "cpuid_vendor_static"}) {
    const ProcessResult result = incore_run({"--cpu", expected.model}, {guest32(form)});
    expect_success(result);
    EXPECT_NE(result.out.find(" CentaurHauls\n"), std::string::npos) << result.out;
    EXPECT_EQ(field(result.out, "c0000001", "edx") & 0x3FCC, expected.padlock_flags) << result.out;
    const bool has_sse2 =
        std::string(expected.model) != "c5xl" && std::string(expected.model) != "nehemiah";
    EXPECT_EQ((field(result.out, "00000001", "edx") & (1u << 26)) != 0, has_sse2) << result.out;
  }
}

INSTANTIATE_TEST_SUITE_P(
    all, run_model,
    testing::Values(Identity{"c5xl", 0x693, 0x000C}, Identity{"nehemiah", 0x698, 0x00CC},
                    Identity{"esther", 0x6A8, 0x3FCC}, Identity{"esther9", 0x6A9, 0x3FCC},
                    Identity{"nano", 0x6F8, 0x3DCC}, Identity{"zhaoxin", 0x307B1, 0x3DCC}),
    [](const auto& tested) { return std::string(tested.param.model); });

TEST(run_models, nano_is_the_default) {
  const ProcessResult nano = incore_run({"--cpu", "nano"}, {guest("cpuid_vendor")});
  const ProcessResult none = incore_run({}, {guest("cpuid_vendor")});
  expect_success(nano);
  // Leaf 1 EBX holds the number of the core that answers.
  for (const char* leaf : {"00000000", "c0000000", "c0000001"})
    for (const char* name : {"eax", "ebx", "ecx", "edx"})
      EXPECT_EQ(field(none.out, leaf, name), field(nano.out, leaf, name)) << leaf << " " << name;
  EXPECT_EQ(field(none.out, "00000001", "eax"), field(nano.out, "00000001", "eax"));
}

TEST(run_models, host_keeps_this_cpu_and_adds_all_units) {
  const ProcessResult native = run({guest("cpuid_vendor")});
  const ProcessResult host = incore_run({"--cpu", "host"}, {guest("cpuid_vendor")});
  expect_success(host);
  EXPECT_EQ(host.out.substr(0, host.out.find('\n')), native.out.substr(0, native.out.find('\n')));
  EXPECT_EQ(field(host.out, "00000001", "eax"), field(native.out, "00000001", "eax"));
  EXPECT_EQ(field(host.out, "00000001", "edx"), field(native.out, "00000001", "edx"));
  EXPECT_GE(field(host.out, "c0000000", "eax"), 0xC0000001u);
  EXPECT_EQ(field(host.out, "c0000001", "edx") & 0x3CCC, 0x3CCCu);
  for (const char* name : {"xcrypt_modes", "xsha", "montmul", "xstore"})
    expect_success(incore_run({"--cpu", "host"}, {guest(name)}));
}

TEST(run_models, single_fields_change_by_name) {
  const ProcessResult result =
      incore_run({"--cpu", "nano,ace2-en=on,stepping=10"}, {guest("cpuid_vendor")});
  expect_success(result);
  EXPECT_EQ(field(result.out, "00000001", "eax") & 15, 10u);
  EXPECT_NE(field(result.out, "c0000001", "edx") & (1u << 9), 0u);
}

struct AbsentUnit {
  const char *model, *program, *mnemonic, *unit;
};
void PrintTo(const AbsentUnit& absent, std::ostream* out) {
  *out << absent.unit << " on " << absent.model;
}

class run_absent_unit : public testing::TestWithParam<AbsentUnit> {};

TEST_P(run_absent_unit, is_an_undefined_opcode_and_v_names_it) {
  const AbsentUnit& c = GetParam();
  const ProcessResult quiet = incore_run({"--cpu", c.model}, {guest(c.program)});
  // clause: PLK-CPUID-008
  // clause: PLK-CPUID-016
  // clause: PLK-CPUID-019
  // clause: PLK-ACE-032
  // clause: PLK-CPUID-036
  // clause: PLK-ZX-004
  EXPECT_EQ(quiet.exit_code, 128 + SIGILL) << quiet.err;
  const ProcessResult verbose = incore_run({"--cpu", c.model, "-v"}, {guest(c.program)});
  EXPECT_EQ(verbose.exit_code, 128 + SIGILL);
  std::istringstream lines(verbose.err);
  bool named = false;
  for (std::string line; std::getline(lines, line);)
    named = named ||
            (line.find(c.mnemonic) != std::string::npos && line.find(c.unit) != std::string::npos);
  EXPECT_TRUE(named) << "no line with " << c.mnemonic << " and " << c.unit << " in:\n"
                     << verbose.err;
}

INSTANTIATE_TEST_SUITE_P(
    all, run_absent_unit,
    testing::Values(AbsentUnit{"c5xl", "xcrypt_modes", "xcrypt-ecb", "ACE"},
                    AbsentUnit{"c5xl", "xcrypt_modes_static", "xcrypt-ecb", "ACE"},
                    AbsentUnit{"nehemiah", "xcrypt_modes", "xcrypt-ctr", "ACE"},
                    AbsentUnit{"nehemiah", "xsha", "xsha1", "PHE"},
                    AbsentUnit{"nehemiah", "montmul", "montmul", "PMM"},
                    AbsentUnit{"esther", "xsha512", "xsha384", "PHE2"},
                    AbsentUnit{"nano", "ccs", "ccs-hash", "CCS"},
                    AbsentUnit{"host", "ccs_static", "ccs-hash", "CCS"}),
    [](const auto& tested) {
      return std::string(tested.param.model) + "_" + tested.param.program;
    });

TEST(run_models, units_that_are_there_work) {
  expect_success(incore_run({"--cpu", "c5xl"}, {guest("xstore")}));
  expect_success(incore_run({"--cpu", "nehemiah"}, {guest("exit_code"), "0"}));
  expect_success(incore_run({"--cpu", "nehemiah"}, {guest("xcrypt_chained_calls")}));
  for (const char* name : {"xcrypt_modes", "xsha", "montmul", "xstore", "misaligned"})
    expect_success(incore_run({"--cpu", "esther9"}, {guest(name)}));
}

TEST(run_models, later_units_work_where_they_are) {
  for (const char* model : {"nano", "zhaoxin", "host"})
    for (const char* form : {"xsha512", "xsha512_static"})
      expect_success(incore_run({"--cpu", model, "--require", "xsha384", "--require", "xsha512"},
                                {guest(form)}));
  for (const char* form : {"ccs", "ccs_static"})
    expect_success(incore_run(
        {"--cpu", "zhaoxin", "--require", "ccs-hash", "--require", "ccs-encrypt"}, {guest(form)}));
  for (const char* name :
       {"xcrypt_modes", "montmul", "montmul_ud", "xstore", "registers_preserved"})
    expect_success(incore_run({"--cpu", "zhaoxin"}, {guest(name)}));
}

// Zhaoxin has no hash of the empty message, which xsha asks for first.
TEST(run_models, zhaoxin_does_nothing_with_an_empty_message) {
  const ProcessResult result = incore_run({"--cpu", "zhaoxin"}, {guest("xsha")});
  // clause: PLK-ZX-011
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find(": SHA-1: "), std::string::npos) << result.err;
  expect_success(incore_run({"--cpu", "zhaoxin,xsha-skips-empty=off"}, {guest("xsha")}));
}

TEST(run_models, vendor_of_zhaoxin_can_be_shanghai) {
  const ProcessResult result =
      incore_run({"--cpu", "zhaoxin,vendor=shanghai"}, {guest("cpuid_vendor")});
  expect_success(result);
  // clause: PLK-ZX-002
  EXPECT_NE(result.out.find("   Shanghai  \n"), std::string::npos) << result.out;
}

// Going on from the vector of a call with an even count fails on Esther stepping 8 and on no other:
// xcrypt_modes does so.
TEST(run_models, esther_8_has_the_ctr_erratum) {
  const ProcessResult result = incore_run({"--cpu", "esther"}, {guest("xcrypt_modes")});
  // clause: PLK-ERR-001
  // clause: PLK-ERR-006
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find(": ctr: "), std::string::npos) << result.err;
}

// --- how programs end

TEST(run_exit, code_of_the_program_is_returned) {
  for (const int code : {0, 1, 2, 7, 42, 126, 127, 255})
    for (const char* form : {"exit_code", "exit_code_static"})
      EXPECT_EQ(incore_run({}, {guest(form), std::to_string(code)}).exit_code, code) << form;
}

TEST(run_exit, death_by_signal_is_128_and_its_number) {
  for (const int number : {SIGTERM, SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGKILL, SIGUSR1, SIGPIPE})
    for (const char* form : {"die_by_signal", "die_by_signal_static"})
      EXPECT_EQ(incore_run({}, {guest(form), std::to_string(number)}).exit_code, 128 + number)
          << form;
}

TEST(run_exit, bad_pointer_is_the_programs_own_fault) {
  for (const char* form : {"bad_pointer", "bad_pointer_static"}) {
    EXPECT_EQ(incore_run({}, {guest(form)}).exit_code, 128 + SIGSEGV) << form;
    EXPECT_EQ(incore_run({}, {guest(form), "xcrypt"}).exit_code, 128 + SIGSEGV) << form;
  }
}

TEST(run_exit, is_the_same_for_32_bit_programs) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  for (const std::string form : {"", "_static"}) {
    EXPECT_EQ(incore_run({}, {guest32("exit_code" + form), "42"}).exit_code, 42);
    for (const int number : {SIGTERM, SIGSEGV, SIGILL, SIGTRAP})
      EXPECT_EQ(incore_run({}, {guest32("die_by_signal" + form), std::to_string(number)}).exit_code,
                128 + number);
    EXPECT_EQ(incore_run({}, {guest32("bad_pointer" + form)}).exit_code, 128 + SIGSEGV);
    EXPECT_EQ(incore_run({}, {guest32("bad_pointer" + form), "xcrypt"}).exit_code, 128 + SIGSEGV);
  }
  expect_success(incore_run({}, {guest32("xcrypt_modes_static_pie")}));
}

// Each child runs a program of the other width, down to one that checks PadLock.
TEST(run_exec, goes_from_64_to_32_bits_and_back) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  const auto chain = [](const Arguments& program) {
    return incore_run({"--require", "xcrypt-ofb"}, program);
  };
  for (const std::string form : {"", "_static"}) {
    const std::string wide = guest("exec_next" + form), narrow = guest32("exec_next" + form);
    expect_success(chain({wide, narrow, wide, narrow, guest32("xcrypt_modes" + form)}));
    expect_success(chain({narrow, wide, narrow, wide, guest("xcrypt_modes" + form)}));
  }
}

// --- statistics and requirements

nlohmann::json statistics_file(const Arguments& program, ProcessResult* out_result) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/stats.json";
  *out_result = incore_run({"--stats=" + path}, program);
  EXPECT_EQ(out_result->err, "");
  size_t num_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path()))
    num_files += entry.exists();
  EXPECT_EQ(num_files, 1u) << "a temporary file was left behind";
  return nlohmann::json::parse(read_file(path));
}

TEST(run_stats, count_calls_and_bytes_of_each_mnemonic) {
  for (const char* form : {"exit_code", "exit_code_static"}) {
    ProcessResult result;
    const nlohmann::json stats = statistics_file({guest(form), "5"}, &result);
    EXPECT_EQ(result.exit_code, 5);
    for (const char* mnemonic : {"xcrypt-ecb", "xcrypt-cbc"}) {
      EXPECT_EQ(counter(stats, mnemonic, "calls"), 1u) << stats.dump(2);
      EXPECT_EQ(counter(stats, mnemonic, "bytes"), 64u) << stats.dump(2);
    }
    EXPECT_EQ(counter(stats, "xsha1", "calls"), 0u) << stats.dump(2);
  }
}

TEST(run_stats, show_that_a_hot_site_does_not_trap) {
  for (const char* form : {"xcrypt_chained_calls", "xcrypt_chained_calls_static"}) {
    ProcessResult result;
    const nlohmann::json stats = statistics_file({guest(form)}, &result);
    expect_success(result);
    EXPECT_EQ(counter(stats, "xcrypt-ecb", "calls"), 100000u);
    EXPECT_EQ(counter(stats, "xcrypt-ecb", "bytes"), 1600000u);
    EXPECT_LT(counter(stats, "xcrypt-ecb", "traps"), 100u) << stats.dump(2);
  }
}

TEST(run_stats, show_that_a_hot_site_of_32_bit_code_does_not_trap) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  for (const char* form : {"xcrypt_chained_calls", "xcrypt_chained_calls_static"}) {
    ProcessResult result;
    const nlohmann::json stats = statistics_file({guest32(form)}, &result);
    expect_success(result);
    EXPECT_EQ(counter(stats, "xcrypt-ecb", "calls"), 100000u);
    EXPECT_EQ(counter(stats, "xcrypt-ecb", "bytes"), 1600000u);
    EXPECT_LT(counter(stats, "xcrypt-ecb", "traps"), 100u) << stats.dump(2);
  }
}

// What each site of the program has behind it, and what lies where a jump could lead, decides.
void expect_a_site_for_each_tactic(const std::string& program) {
  ProcessResult result;
  const nlohmann::json stats = statistics_file({program}, &result);
  expect_success(result);
  const nlohmann::json expected = {
      {"jump", 1}, {"padded-jump", 1}, {"twice-padded-jump", 1}, {"breakpoint", 1}, {"trap", 1}};
  EXPECT_EQ(stats.at("tactics"), expected);
  EXPECT_EQ(stats.at("sites_patched"), 3);
  EXPECT_EQ(stats.at("sites_unpatched"), 2);
  EXPECT_EQ(counter(stats, "xcrypt-ecb", "calls"), 500u);
  EXPECT_EQ(counter(stats, "xcrypt-ecb", "patched_calls"), 297u);  // the first one traps
  EXPECT_EQ(counter(stats, "xcrypt-ecb", "traps"), 203u);
  const std::string log = incore_run({"-v"}, {program}).err;
  for (const auto& [tactic, sites] : expected.items())
    EXPECT_NE(log.find(": " + tactic + "\n"), std::string::npos) << log;
}

TEST(run_stats, tell_which_tactic_serves_a_site) {
  expect_a_site_for_each_tactic(guest("tactics_static"));
}

TEST(run_stats, tell_which_tactic_serves_a_site_of_32_bit_code) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  expect_a_site_for_each_tactic(guest32("tactics_static"));
}

TEST(run_stats, count_every_thread) {
  ProcessResult result;
  const nlohmann::json stats = statistics_file({guest("threads")}, &result);
  expect_success(result);
  EXPECT_EQ(counter(stats, "xcrypt-ecb", "calls"), 160000u);
  EXPECT_EQ(counter(stats, "xcrypt-cbc", "calls"), 160000u);
}

// A call by a child that a handler forked in the middle of another call, too.
void expect_exact_count_of_single_blocks(const std::string& program) {
  ProcessResult result;
  const nlohmann::json stats = statistics_file({program}, &result);
  expect_success(result);
  const uint64_t calls = std::stoull(result.out);
  EXPECT_EQ(counter(stats, "xcrypt-ecb", "calls"), calls);
  EXPECT_EQ(counter(stats, "xcrypt-ecb", "bytes"), (calls + 64) * 16);  // 64 of them are longer
  EXPECT_GT(counter(stats, "xcrypt-ecb", "patched_calls"), calls * 9 / 10);
}

TEST(run_stats, count_single_blocks_of_threads_handlers_and_children) {
  expect_exact_count_of_single_blocks(guest("one_block"));
}

TEST(run_stats, count_single_blocks_in_32_bit_code) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  expect_exact_count_of_single_blocks(guest32("one_block"));
}

TEST(run_stats, count_children_too) {
  ProcessResult result;
  const nlohmann::json stats = statistics_file({guest("fork_exec")}, &result);
  expect_success(result);
  // The program checks eight times, each of its five children once.
  EXPECT_EQ(counter(stats, "xcrypt-cbc", "calls"), 13u) << stats.dump(2);
}

TEST(run_stats, on_stderr_are_text_for_people) {
  const ProcessResult result = incore_run({"--stats"}, {guest("exit_code"), "0"});
  expect_success(result);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("xcrypt-ecb"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("xcrypt-cbc"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("xsha1"), std::string::npos) << result.err;
}

TEST(run_stats, file_that_cannot_be_written_is_refused_before_the_program_runs) {
  const ProcessResult result =
      incore_run({"--stats=/no/such/folder/stats.json"}, {guest("print_arguments"), "ran"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("/no/such/folder/stats.json"), std::string::npos) << result.err;
}

TEST(run_require, met_returns_the_programs_code) {
  EXPECT_EQ(incore_run({"--require", "xcrypt-cbc"}, {guest("exit_code"), "0"}).exit_code, 0);
  EXPECT_EQ(incore_run({"--require", "xcrypt-cbc"}, {guest("exit_code"), "7"}).exit_code, 7);
}

TEST(run_require, met_in_a_child_is_met) {
  const ProcessResult result = incore_run({"--require", "xcrypt-cbc"},
                                          {"/bin/sh", "-c", "\"$0\" 0; true", guest("exit_code")});
  expect_success(result);
}

TEST(run_require, unmet_fails_and_says_which) {
  for (const char* form : {"exit_code", "exit_code_static"}) {
    const ProcessResult result = incore_run({"--require", "xcrypt-ofb"}, {guest(form), "0"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("xcrypt-ofb"), std::string::npos) << result.err;
  }
}

// --- bad usage and input

void expect_refused(const ProcessResult& result, const Arguments& words) {
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("incore run: ", 0), 0u) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const std::string& word : words)
    EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
}

TEST(run_usage, without_a_program_is_refused) {
  expect_refused(run({INCORE_BINARY_DIR "/incore", "run"}), {});
  expect_refused(incore_run({}, {}), {});
  expect_refused(incore_run({"--cpu", "nano"}, {}), {});
}

TEST(run_usage, unknown_names_are_refused_with_what_is_accepted) {
  const Arguments program = {guest("print_arguments"), "ran"};
  expect_refused(incore_run({"--cpu", "pentium"}, program),
                 {"pentium", "nehemiah", "esther", "nano", "host"});
  expect_refused(incore_run({"--cpu", ""}, program), {"nano"});
  expect_refused(incore_run({"--cpu", "nano,colour=red"}, program),
                 {"colour", "stepping", "clock-mhz\n"});
  expect_refused(incore_run({"--cpu", "nano,stepping=many"}, program), {"many"});
  expect_refused(incore_run({"--cpu", "nano,stepping=99"}, program), {"99"});
  expect_refused(incore_run({"--cpu", "nano,stepping"}, program), {"stepping"});
  expect_refused(incore_run({"--require", "xcrypt-xts"}, program), {"xcrypt-xts", "xcrypt-cbc"});
  expect_refused(incore_run({"--frobnicate"}, program), {"--frobnicate"});
}

TEST(run_usage, help_has_an_example) {
  const ProcessResult result = run({INCORE_BINARY_DIR "/incore", "run", "--help"});
  expect_success(result);
  for (const char* word : {"incore run ", "--cpu esther", "--stats -- ", "--check -- ",
                           "--require xcrypt-cbc", "--rng-seed 1"})
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
}

TEST(run_program, missing_one_is_refused) {
  expect_refused(incore_run({}, {"/no/such/program"}), {"/no/such/program"});
  expect_refused(incore_run({}, {"no-such-program-in-path"}), {"no-such-program-in-path"});
  expect_refused(incore_run({}, {""}), {});
}

TEST(run_program, what_cannot_be_executed_is_refused) {
  const TemporaryDirectory directory;
  const auto executable = [&](const std::string& name, const std::string& content) {
    const std::string path = directory.write(name, content);
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    return path;
  };
  expect_refused(incore_run({}, {directory.path()}), {directory.path()});
  const std::string plain = directory.write("not_executable", "#!/bin/sh\nexit 0\n");
  std::filesystem::permissions(plain, std::filesystem::perms(0644));
  expect_refused(incore_run({}, {plain}), {plain});
  expect_refused(incore_run({}, {executable("empty", "")}), {"empty"});
  expect_refused(incore_run({}, {executable("text", "just some words\n")}), {"text"});
  expect_refused(incore_run({}, {executable("script", "#!/no/such/interpreter\n")}),
                 {"/no/such/interpreter"});

  const std::string program = read_file(guest("print_arguments"));
  ASSERT_GT(program.size(), 64u);
  expect_refused(incore_run({}, {executable("cut", program.substr(0, 40))}), {"cut"});
  std::string other = program;
  other[18] = static_cast<char>(183);  // e_machine EM_AARCH64
  expect_refused(incore_run({}, {executable("aarch64", other)}), {"aarch64"});
  std::string lonely = program;
  const size_t loader = lonely.find("/lib64/ld-linux");
  ASSERT_NE(loader, std::string::npos);
  lonely[loader + 1] = '_';
  expect_refused(incore_run({}, {executable("lonely", lonely)}), {"lonely", "loader"});
  std::string x32 = program;
  x32[4] = 1;  // EI_CLASS ELFCLASS32, while e_machine stays EM_X86_64
  expect_refused(incore_run({}, {executable("small", x32)}), {"small", "x32", "i386"});
}

TEST(run_program, does_not_start_on_a_linux_too_old_to_supervise_it) {
  for (const char* version : {"3.10", "4.19", "5.8"}) {
    SCOPED_TRACE(version);
    expect_refused(run({"timeout", "60", guest("older_linux"), version, INCORE_BINARY_DIR "/incore",
                        "run", "--", guest("exit_code"), "7"}),
                   {"Linux 5.9 or newer, and here is Linux "});
  }
}

// --- what passes through

TEST(run_arguments, reach_the_program_as_they_are) {
  const Arguments arguments = {"", "a b", "--stats", "-v", "--", "\xC3\xA4", "*", "--cpu=none"};
  std::string expected;
  for (const std::string& argument : arguments) expected += argument + "\n";
  for (const char* form : {"print_arguments", "print_arguments_static"}) {
    Arguments program = {guest(form)};
    program.insert(program.end(), arguments.begin(), arguments.end());
    const ProcessResult result = incore_run({}, program);
    expect_success(result);
    EXPECT_EQ(result.out, expected);
    EXPECT_EQ(result.err, "");
  }
}

TEST(run_arguments, dashes_may_be_left_out) {
  const std::string incore = INCORE_BINARY_DIR "/incore";
  const ProcessResult result = run({incore, "run", guest("print_arguments"), "--stats", "-v", "x"});
  expect_success(result);
  EXPECT_EQ(result.out, "--stats\n-v\nx\n");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(run({incore, "run", "--require", "xcrypt-cbc", guest("exit_code"), "3"}).exit_code, 3);
}

TEST(run_environment, is_kept_and_marked) {
  const ProcessResult result =
      incore_run({}, {guest("env_mark")}, "", {"INCORE_TEST_VARIABLE=a b=c", "INCORE_RUN=no"});
  expect_success(result);
  EXPECT_EQ(result.out, "a b=c\n");
  const ProcessResult shell = incore_run({}, {"/bin/sh", "-c", "echo $INCORE_RUN; cd /; pwd"});
  EXPECT_EQ(shell.out, "1\n/\n");
}

TEST(run_streams, pass_through) {
  const Bytes bytes = random_bytes(5 << 20, 1);
  const std::string data(bytes.begin(), bytes.end());
  const ProcessResult result = incore_run({}, {"cat"}, data);
  expect_success(result);
  EXPECT_TRUE(result.out == data) << result.out.size() << " bytes came back";
  EXPECT_EQ(result.err, "");
  const ProcessResult both = incore_run({}, {"/bin/sh", "-c", "echo out; echo err >&2"});
  EXPECT_EQ(both.out, "out\n");
  EXPECT_EQ(both.err, "err\n");
}

TEST(run_program, may_be_a_script) {
  const TemporaryDirectory directory;
  const std::string script = directory.write(
      "script", "#!/bin/sh -e\necho \"$0\" \"$1\"\n" + guest("xcrypt_modes") + "\nexit 6\n");
  std::filesystem::permissions(script, std::filesystem::perms(0755));
  const ProcessResult result = incore_run({"--require", "xcrypt-ofb"}, {script, "one"});
  EXPECT_EQ(result.exit_code, 6) << result.err;
  EXPECT_EQ(result.out, script + " one\n");
}

TEST(run_program, is_found_in_path) {
  EXPECT_EQ(incore_run({}, {"true"}).exit_code, 0);
  EXPECT_EQ(incore_run({}, {"false"}).exit_code, 1);
  const TemporaryDirectory directory;
  std::filesystem::create_symlink(guest("exit_code"), directory.path() + "/incore-test-program");
  const ProcessResult result =
      incore_run({}, {"incore-test-program", "9"}, "", {"PATH=/nowhere:" + directory.path()});
  EXPECT_EQ(result.exit_code, 9) << result.err;
}

}  // namespace
}  // namespace incore::test
