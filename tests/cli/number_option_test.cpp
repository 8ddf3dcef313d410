// Options that take numbers: what is none, or is out of range, is refused before anything is done,
// for every option of every command.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "every_command.h"
#include "own_folder.h"

namespace incore {
namespace {

using test::Args;
using test::joined;
using test::ProcessResult;

// Types that --help shows for what is no number, or a number with a unit or in a list, which the
// command reads itself.
const std::set<std::string> kTexts = {"TEXT", "FILE",  "DIR",     "MODEL", "NAME",
                                      "LIST", "BYTES", "[BYTES]", ""};

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

TEST_F(cli_number_option, refuses_what_is_no_number_in_its_range) {
  size_t num_options = 0;
  for (const test::HelpCommand& command : test::every_command())
    for (const test::HelpOption& option : command.options) {
      if (kTexts.count(option.type) != 0) continue;
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
  EXPECT_EQ(error({"rng", "analyze", "--threads", "0"}),
            "incore rng: --threads: '0' is no whole number from 1 to 1024 (see 'incore rng analyze "
            "--help')\n");
  EXPECT_EQ(error({"rng", "bytes", "--min-entropy", "9"}),
            "incore rng: --min-entropy: '9' is no number from 0.01 to 8 (see 'incore rng bytes "
            "--help')\n");
}

// An option that would do nothing is a mistake.
TEST_F(cli_number_option, and_others_that_have_no_effect_are_refused) {
  const Args power = {"modexp", "--base", "2", "--exponent", "3", "--modulus", "101"};
  const Args product = {"montmul", "-a", "2", "-b", "3", "--modulus", "11"};
  const std::vector<std::pair<Args, const char*>> cases = {
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
      {{"hash", "--cpu", "esther"}, "--cpu"},
      {{"hash", "--phe", "--json", "f"}, "--json"},
      {{"hash", "--phe", "--check", "f"}, "--check"},
      {{"hash", "--json", "--tag"}, "--tag"},
      {{"hash", "--json", "--zero"}, "--zero"},
      {{"hash", "--json", "--check", "--quiet"}, "--quiet"},
      {{"bench", "padlock-model", "--rep", "1"}, "--rep"},
      {{"bench", "padlock-model", "--buffer", "1"}, "--buffer"},
      {{"bench", "padlock-model", "--mc"}, "--mc"},
      {{"bench", "padlock-model", "--cpu", "esther"}, "--cpu"},
      {{"bench", "aes", "--baes", "--sizes", "16"}, "--sizes"},
      {{"bench", "aes", "--baes", "--vs", "openssl"}, "--vs"},
      {{"bench", "aes", "--baes", "--messages", "2"}, "--messages"},
      {{"bench", "crc", "--table", "guide-esther"}, "--table"},
      {{"rng", "health", "--size", "1"}, "--size"},
      {{"rng", "health", "--binary"}, "--binary"},
      {{"rng", "crap", "--native", "--seed", "1"}, "--seed"},
      {{"rng", "crap", "--size", "1", "--bytes", "256"}, "--size"},
      {{"padlock", "errata", "--native", "--seed", "1"}, "--seed"},
      {{"cpu", "--json=no"}, "--json"},  // a flag is there, or not
      {{"rng", "crap", "--raw=0"}, "--raw"},
  };
  for (const auto& [args, option] : cases) expect_refused({}, option, args);
}

}  // namespace
}  // namespace incore
