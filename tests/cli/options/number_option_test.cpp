// Options that take numbers: what is none, or is out of range, is refused before anything is done,
// for every option of every command.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/every_command.h"
#include "cli/own_folder.h"

namespace incore {
namespace {

using test::Args;
using test::joined;
using test::ProcessResult;

// Of numbers that need not be whole.
const std::set<std::string> kReals = {"X", "BITS", "SECONDS"};

// Options that take -1: the documents say what it means.
const std::set<std::string> kTakesNegative = {
    "padlock errata --tests",  // "below 10 is 1000"
    "rng crap --size",         // "below 1 it is 10"
    "rng crap --rep",          // "below 1 it is 1"
    "rng crap --bias",         // "0 to 7; else 0"
};

class cli_number_option : public test::OwnFolderTest {};

void expect_refused(const Args& command, const std::string& option, const Args& given) {
  const Args args = joined(command, given);
  SCOPED_TRACE(test::words(args));
  const ProcessResult result = test::run(joined({INCORE_PROGRAM}, args));
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(option), std::string::npos) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

// "--cpu" of "--cpu=esther".
std::string name_of(const std::string& option) {
  return option.substr(0, option.find('='));
}

TEST_F(cli_number_option, refuses_what_is_no_number_in_its_range) {
  size_t num_options = 0;
  for (const test::HelpCommand& command : test::every_command())
    for (const test::HelpOption& option : command.options) {
      if (!option.is_number) continue;
      ++num_options;
      const std::string& name = option.name;
      for (const char* const wrong : {"99999999999999999999999", "-99999999999999999999999", "1x",
                                      "0x", "0x-1", "1 ", "nan", "inf", "1e999"}) {
        if (option.type == "X" && std::atof(wrong) > 1 && wrong[1] == '9') continue;  // a number
        expect_refused(command.path, name, {name, wrong});
        if (name.starts_with("--")) expect_refused(command.path, name, {name + "=" + wrong});
      }
      expect_refused(command.path, name, {name, ""});
      expect_refused(command.path, name, {name});
      if (kTakesNegative.count(test::words(joined(command.path, {name}))) == 0)
        expect_refused(command.path, name, {name, "-1"});
      if (kReals.count(option.type) == 0) expect_refused(command.path, name, {name, "1.5"});
    }
  EXPECT_GT(num_options, 50u);
  EXPECT_EQ(files(), std::set<std::string>{});
}

// 010 is ten: the parser alone would take it for eight.
TEST_F(cli_number_option, reads_decimal_and_hexadecimal) {
  const auto cases = [](const char* seed) {
    return test::run({INCORE_PROGRAM, "montmul", "--bits", "256", "--count", "1", "--print-cases",
                      "--seed", seed})
        .out;
  };
  EXPECT_NE(cases("10"), "");
  EXPECT_EQ(cases("10"), cases("010"));
  EXPECT_EQ(cases("10"), cases("0xa"));
  EXPECT_EQ(cases("10"), cases("0XA"));
  EXPECT_EQ(cases("18446744073709551615"), cases("0xffffffffffffffff"));
  EXPECT_NE(cases("10"), cases("8"));
}

TEST_F(cli_number_option, says_what_is_accepted) {
  const auto error = [](const Args& args) { return test::run(joined({INCORE_PROGRAM}, args)).err; };
  EXPECT_EQ(error({"modexp", "--seed", "-1"}),
            "incore modexp: --seed: '-1' is no whole number from 0 to 2^64 - 1 (see 'incore modexp "
            "--help')\n");
  if (test::has_command_of({"rng", "analyze"})) {
    EXPECT_EQ(
        error({"rng", "analyze", "--threads", "0"}),
        "incore rng: --threads: '0' is no whole number from 1 to 1024 (see 'incore rng analyze "
        "--help')\n");
  }
  EXPECT_EQ(error({"rng", "bytes", "--min-entropy", "9"}),
            "incore rng: --min-entropy: '9' is no number from 0.01 to 8 (see 'incore rng bytes "
            "--help')\n");
}

// A command line with an option that has no effect there, and the option.
using IdleOption = std::pair<Args, std::string>;

std::vector<IdleOption> idle_options() {
  const Args power = {"modexp", "--base", "2", "--exponent", "3", "--modulus", "101"};
  const Args product = {"montmul", "-a", "2", "-b", "3", "--modulus", "11"};
  std::vector<IdleOption> all = {
      {{"modexp", "--cpu", "esther"}, "--cpu"},
      {joined(power, {"--seed", "1"}), "--seed"},
      {joined(power, {"--bits", "256"}), "--bits"},
      {joined(power, {"--count", "1"}), "--count"},
      {joined(power, {"--repeat", "1"}), "--repeat"},
      {joined(power, {"--mmtest"}), "--mmtest"},
      {joined(product, {"--seed", "1"}), "--seed"},
      {joined(product, {"--bits", "256"}), "--bits"},
      {joined(product, {"--count", "1"}), "--count"},
      {joined(product, {"--print-cases"}), "--print-cases"},
      {{"montmul", "--trace"}, "--trace"},
      {joined(product, {"--trace", "--json"}), "--trace"},
      {{"montmul", "--print-cases", "--json"}, "--print-cases"},
      {{"aes", "encrypt", "--mode", "ecb", "--key", "00", "--iv", "00"}, "--iv"},
      {{"aes", "encrypt", "--mode", "ecb", "--key", "00", "--aad", "00"}, "--aad"},
      {{"aes", "encrypt", "--mode", "ecb", "--key", "00", "--tag-len", "16"}, "--tag-len"},
      {{"aes", "encrypt", "--mode", "ecb", "--key", "00", "--unit-size", "16"}, "--unit-size"},
      {{"aes", "encrypt", "--mode", "ctr", "--key", "00", "--iv", "00", "--no-padding"},
       "--no-padding"},
      {{"aes", "encrypt", "--mode", "ecb", "--key", "00", "--key-file", "f"}, "--key-file"},
      {{"help", "--man", "--json"}, "--man"},
      {{"help", "--json", "--man"}, "--json"},
      {{"hash", "--cpu", "esther"}, "--cpu"},
      {{"hash", "--phe", "--json", "f"}, "--json"},
      {{"hash", "--phe", "--check", "f"}, "--check"},
      {{"hash", "--phe", "--binary", "f"}, "--binary"},
      {{"hash", "--phe", "--text", "f"}, "--text"},
      {{"hash", "--phe", "--ignore-missing", "f"}, "--ignore-missing"},
      {{"hash", "--phe", "--quiet", "f"}, "--quiet"},
      {{"hash", "--phe", "--status", "f"}, "--status"},
      {{"hash", "--phe", "--strict", "f"}, "--strict"},
      {{"hash", "--phe", "--warn", "f"}, "--warn"},
      {{"hash", "--json", "--tag"}, "--tag"},
      {{"hash", "--json", "--zero"}, "--zero"},
      {{"hash", "--json", "--check", "--quiet"}, "--quiet"},
      {{"bench", "padlock-model", "--rep", "1"}, "--rep"},
      {{"bench", "padlock-model", "--buffer", "1"}, "--buffer"},
      {{"bench", "padlock-model", "--mc"}, "--mc"},
      {{"bench", "padlock-model", "--cpu", "esther"}, "--cpu"},
      {{"bench", "padlock-model", "--vs", "openssl"}, "--vs"},
      {{"bench", "padlock-model", "--vs", ""}, "--vs"},
      {{"bench", "padlock-model", "--sizes", "16"}, "--sizes"},
      {{"bench", "padlock-model", "--time", "1"}, "--time"},
      {{"bench", "gladman", "vemicry", "--sizes", "16"}, "--sizes"},
      {{"bench", "rng", "--vs", "openssl"}, "--vs"},
      {{"bench", "rsa", "modexp", "gf2", "--sizes", "16"}, "--sizes"},
      {{"bench", "rsa-2048", "--sizes", "16"}, "--sizes"},
      {{"bench", "aes", "--baes", "--sizes", "16"}, "--sizes"},
      {{"bench", "aes", "--baes", "--vs", "openssl"}, "--vs"},
      {{"bench", "aes", "--baes", "--messages", "2"}, "--messages"},
      {{"bench", "crc", "gladman", "--messages", "2"}, "--messages"},
      {{"bench", "aes-128-ctr", "--messages", "2"}, "--messages"},
      {{"bench", "aes", "--baes", "--time", "1"}, "--time"},
      {{"bench", "sha", "--baes"}, "--baes"},
      {{"bench", "crc", "--table", "guide-esther"}, "--table"},
      {{"rng", "bytes", "getrandom", "--size", "1", "--quality", "1"}, "--quality"},
      {{"rng", "bytes", "getrandom", "--size", "1", "--cpu", "esther"}, "--cpu"},
      {{"rng", "bytes", "getrandom", "--size", "1", "--raw"}, "--raw"},
      {{"rng", "bytes", "getrandom", "--size", "1", "--bias", "1"}, "--bias"},
      {{"rng", "bytes", "getrandom", "--size", "1", "--noise-source", "1"}, "--noise-source"},
      {{"rng", "bytes", "getrandom", "--size", "1", "--seed", "1"}, "--seed"},
      {{"rng", "health", "--size", "1"}, "--size"},
      {{"rng", "health", "--binary"}, "--binary"},
      {{"rng", "health", "--stall-timeout", "1"}, "--stall-timeout"},
      {{"rng", "health", "getrandom", "--binary"}, "--binary"},
      {{"rng", "health", "getrandom", "--stall-timeout", "1"}, "--stall-timeout"},
      {{"rng", "analyze", "--source", "getrandom", "--stall-timeout", "1"}, "--stall-timeout"},
      {{"rng", "analyze", "--source", "getrandom", "f"}, "--source"},
      {{"rng", "analyze", "--json", "--csv"}, "--csv"},
      {{"rng", "analyze", "--json", "-v"}, "--verbose"},
      {{"rng", "analyze", "--csv", "-vv"}, "--verbose"},
      {{"rng", "analyze", "--suites", "bytes", "--min-entropy", "1"}, "min-entropy"},
      {{"rng", "analyze", "--suites", "bytes", "--sequence-bits", "1000"}, "--sequence-bits"},
      {{"rng", "analyze", "--suites", "bytes,sp800-90b", "--sequences", "2"}, "--sequences"},
      {{"rng", "analyze", "--suites", "sp800-22", "--samples", "1000"}, "--samples"},
      {{"rng", "analyze", "f", "--seed", "1"}, "--seed"},
      {{"rng", "crap", "--native", "--seed", "1"}, "--seed"},
      {{"rng", "crap", "--size", "1", "--bytes", "256"}, "--size"},
      {{"rng", "crap", "--cpu", "esther", "--bytes", "256", "--out", "."}, "--out"},
      {{"rng", "analyze", "--crap", "--cpu", "esther", "--bytes", "256", "-o", "."}, "--out"},
      {{"rng", "crap", "--cpu", "esther", "--bytes", "256", "--pvalue", "0", "-o", "."}, "--out"},
      {{"rng", "crap", "--cpu", "esther", "--bytes", "256", "--limit", "0.005"}, "--limit"},
      {{"rng", "crap", "--cpu", "esther", "--bytes", "256", "--test", "1", "--bias", "1"},
       "--bias"},
      {{"rng", "crap", "--cpu", "esther", "--bytes", "256", "--test", "1", "--mode", "1"},
       "--mode"},
      {{"rng", "crap", "--cpu", "esther", "--bytes", "256", "--test", "1", "--speed"}, "--speed"},
      {{"rng", "crap", "--cpu", "esther", "--bytes", "256", "--speed", "--pvalue", "1", "-o", "."},
       "--pvalue"},
      {{"padlock", "errata", "--native", "--seed", "1"}, "--seed"},
      {{"padlock", "errata", "--cpu", "esther", "--interrupts", "0", "--seed", "1"}, "--seed"},
      {{"vemicry", "run", "f.s", "--arg", "1"}, "--arg"},
      {{"vemicry", "run", "big.elf", "--little-endian"}, "--little-endian"},
      {{"vemicry", "run", "f.s", "--memory-latency", "1"}, "--memory-latency"},
      {{"vemicry", "run", "f.s", "--banks", "1"}, "--banks"},
      {{"vemicry", "run", "f.s", "--ports", "1"}, "--ports"},
      {{"vemicry", "measure", "--call", "f"}, "--call"},
      {{"vemicry", "measure", "--arg", "1"}, "--arg"},
      {{"vemicry", "measure", "--input", "f=f.s"}, "--input"},
      {{"vemicry", "measure", "--expect", "f=f.s"}, "--expect"},
      {{"vemicry", "measure", "--limit", "1"}, "--limit"},
      {{"vemicry", "measure", "--program", "f.s", "--call", "f", "--seed", "1"}, "--seed"},
      {{"vemicry", "measure", "xor-words", "--program", "f.s", "--call", "f"}, "--program"},
      {{"vemicry", "run", "f.s", "--gdb", "0", "--limit", "1"}, "--gdb"},
      {{"vemicry", "trace", "big.elf", "--little-endian"}, "--little-endian"},
      {{"vemicry", "trace", "f.s", "--arg", "1"}, "--arg"},
      {{"vemicry", "trace", "f.s", "--seed", "1"}, "--seed"},
      {{"vemicry", "trace", "--workload", "xor-words", "--call", "f"}, "--call"},
      {{"vemicry", "trace", "--workload", "xor-words", "f.s"}, "--workload"},
      {{"vemicry", "trace", "f.s", "--json", "--diagram", "1"}, "--diagram"},
      {{"vemicry", "trace", "f.s", "--json", "--from", "1"}, "--from"},
      {{"vemicry", "trace", "f.s", "--json", "--to", "1"}, "--to"},
      {{"vemicry", "disasm", "f.s", "--words", "0"}, "--words"},
      {{"vemicry", "disasm", "--words", "0", "--little-endian"}, "--little-endian"},
      {{"vemicry", "disasm", "big.elf", "--little-endian"}, "--little-endian"},
      {{"probe", "--json"}, "--json"},
      {{"probe", "--compare", "f.s"}, "--compare"},
      {{"probe", "--compare", "f.s", "nano", "--out", "f"}, "--out"},
      {{"probe", "--compare", "f.s", "nano", "--cpu", "nano"}, "--cpu"},
      {{"probe", "--compare", "f.s", "nano", "--clause", "LJ-003"}, "--clause"},
      {{"probe", "--compare", "f.s", "nano", "--skip", "LJ-003"}, "--skip"},
      {{"probe", "--compare", "f.s", "nano", "--write-msrs"}, "--write-msrs"},
      {{"probe", "--program", "f", "--compare", "f.s", "nano"}, "--program"},
      {{"run", "--cpu", "nano", "--", "f.s"}, "--cpu"},
      {{"run", "--stats", "--", "f.s"}, "--stats"},
      {{"run", "--check", "--", "f.s"}, "--check"},
      {{"run", "--require", "vcipher", "--", "f.s"}, "--require"},
      {{"run", "--rng-seed", "1", "--", "f.s"}, "--rng-seed"},
      {{"run", "--check-skip", "stale-key", "--", "f.s"}, "--check-skip"},
      {{"run", "--stale-key", "emulate", "--", "f.s"}, "--stale-key"},
      {{"run", "--check-suppress", "f.s", "--", "f.s"}, "--check-suppress"},
      {{"run", "--list-cpus", "--", "f.s"}, "--list-cpus"},
      {{"run", "--trace", "--", "f.s"}, "--trace"},
      {{"run", "--gdb", "--", "f.s"}, "--gdb"},
      {{"run", "--compare", "--", "f.s"}, "--compare"},
      {{"run", "--trace-secrets", "--", "f.s"}, "--trace-secrets"},
      {{"vemicry", "sweep", "plan.toml", "--csv", "--json"}, "--csv"},
      {{"vemicry", "sweep", "plan.toml", "--csv", "--html"}, "--csv"},
      {{"vemicry", "sweep", "plan.toml", "--json", "--html"}, "--json"},
  };
  // A file has none of a generator's options.
  for (const char* const command : {"analyze", "health"})
    for (const char* const option : {"--quality=1", "--condition=64", "--condition", "--cpu=esther",
                                     "--raw", "--bias=1", "--noise-source=1", "--seed=1"})
      all.push_back({{"rng", command, "f.s", option}, name_of(option)});
  for (const char* const option : {"--edx=1", "--bias=1", "--mode=1", "--raw", "--test=1",
                                   "--native", "--cpu=esther", "--seed=1"})
    all.push_back({{"rng", "crap", "f.s", option}, name_of(option)});
  for (const char* const option :
       {"f.s", "--json", "--csv", "-v", "--html=f.html", "--out=f", "--suites=bytes", "--size=1"})
    all.push_back({{"rng", "analyze", "--list-suites", option}, "--list-suites"});
  return all;
}

// Options that a command goes by whatever else it is given; or whose effect another test checks.
const std::map<std::string, std::set<std::string>> kNeverIdle = {
    {"run", {"--verbose"}},
    {"boot",
     {"--cpu", "--kernel", "--initrd", "--append", "--disk", "--memory", "--smp", "--stats",
      "--check", "--require", "--rng-seed", "--timeout", "--verbose"}},
    {"scan", {"--all", "--json"}},
    {"probe", {"--verbose"}},
    {"cpu", {"--json"}},
    {"bench", {"--json"}},
    {"modexp", {"--base", "--exponent", "--modulus", "--json"}},
    {"montmul", {"-a", "-b", "--modulus", "--json"}},
    {"aes", {"--mode", "--key", "--in", "--out"}},
    {"hash", {"--algorithm", "--phe"}},
    {"rng bytes", {"--size", "--out", "--hex", "--quiet", "--condition", "--min-entropy"}},
    {"rng analyze",
     {"--size", "--skip", "--crap", "--suites", "--symbol-bits", "--threads", "--json", "--html"}},
    {"rng crap", {"--bytes", "--rep", "--sha", "--save", "--json"}},
    {"rng health", {"--json", "--min-entropy"}},
    {"padlock errata", {"--cpu", "--native", "--blocks", "--tests", "--interrupts", "--json"}},
    {"vemicry asm", {"--output", "-D", "--list", "--q", "--p", "--l", "--little-endian"}},
    {"vemicry disasm", {"--flat", "--q", "--p", "--json"}},
    {"vemicry run",
     {"--call", "--limit", "--stats", "--cycles", "--profile", "--regs", "--json", "--q", "--p",
      "--r", "--l", "--load-delay", "--banked", "--car-accumulates", "--junk"}},
    {"vemicry trace",
     {"--out", "--json", "--limit", "--q", "--p", "--r", "--l", "--load-delay", "--banked",
      "--car-accumulates", "--junk", "--memory-latency", "--banks", "--ports"}},
    {"vemicry measure",
     {"--json", "--q", "--p", "--r", "--l", "--little-endian", "--load-delay", "--banked",
      "--car-accumulates", "--junk", "--memory-latency", "--banks", "--ports"}},
    {"vemicry results", {"--json"}},
    {"vemicry sweep", {"--out", "--jobs", "--html"}},
    {"vemicry area", {"--q", "--p", "--r", "--liberty", "--keep", "--json"}},
    {"vemicry fpga", {"--device", "--q", "--p", "--r", "--whole", "--keep", "--json"}},
};

// A new option belongs in one of the two lists: is there a command line in which it does nothing?
TEST_F(cli_number_option, and_others_are_refused_where_they_have_no_effect) {
  directory_.write("f.s", "f: jr $31\n nop\n");
  directory_.write("plan.toml", "programs = [\"xor-words\"]\n");
  ASSERT_EQ(test::run({INCORE_PROGRAM, "vemicry", "asm", "f.s", "-o", "big.elf"}).exit_code, 0);
  const std::set<std::string> before = files();
  std::set<std::string> tried;  // "rng crap out"
  const auto key = [](const Args& command, const std::string& option) {
    return test::words(joined(command, {option.substr(option.find_first_not_of('-'))}));
  };
  for (const auto& [args, option] : idle_options()) {
    if (!test::has_command_of(args)) continue;
    expect_refused({}, option, args);
    for (size_t i = 1; i < args.size(); ++i)
      tried.insert(key({args.begin(), args.begin() + static_cast<long>(i)}, option));
  }
  EXPECT_EQ(files(), before);
  for (const test::HelpCommand& command : test::every_command())
    for (const test::HelpOption& option : command.options) {
      if (option.is_positional || option.name == "--help" || option.name == "--version") continue;
      const auto never = kNeverIdle.find(test::words(command.path));
      const bool is_never_idle = never != kNeverIdle.end() && never->second.count(option.name) != 0;
      EXPECT_NE(tried.count(key(command.path, option.name)) != 0, is_never_idle)
          << test::words(command.path) << " " << option.name;
    }
}

// A flag is there, or not.
TEST_F(cli_number_option, and_flags_take_no_value) {
  expect_refused({}, "--json", {"cpu", "--json=no"});
  expect_refused({}, "--raw", {"rng", "bytes", "--raw=0"});
}

// The noise of a real PadLock begins nowhere; `incore run` lends one.
TEST_F(cli_number_option, and_seeds_of_what_is_not_emulated) {
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
  if (test::kEmulated) GTEST_SKIP() << "incore run works on x86-64 machines only";
  const Args lent = {"run", "--cpu", "esther", "--", INCORE_PROGRAM};
  for (const Args& command : std::vector<Args>{
           {"rng", "crap", "--bytes", "256"},
           {"padlock", "errata", "--tests", "10"},
           {"modexp", "--mmtest", "--bits", "256", "--count", "1", "--repeat", "1"}}) {
    const Args args = joined(lent, command);
    EXPECT_EQ(test::run(joined({INCORE_PROGRAM}, args)).exit_code, 0) << test::words(command);
    expect_refused(args, "--seed", {"--seed", "1"});
  }
  expect_refused(lent, "--interrupts", {"padlock", "errata", "--interrupts", "18551"});
#else
  GTEST_SKIP() << "incore run works on x86-64 machines only, and not on sanitized programs";
#endif
}

}  // namespace
}  // namespace incore
