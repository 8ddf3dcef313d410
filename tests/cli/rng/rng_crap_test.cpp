// `incore rng crap` as a user sees it: the sample CRAP of PadLock guide 1.66, section 6.1.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/own_folder.h"
#include "incore/sha.h"
#include "support/hex.h"

namespace incore {
namespace {

using nlohmann::json;
using test::Bytes;
using test::ProcessResult;
using test::read_file;

ProcessResult crap(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "rng", "crap"});
  return test::run(arguments);
}

json report(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const ProcessResult result = crap(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
size_t occurrences(const std::string& text, const std::string& part) {
  size_t num = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++num;
  return num;
}

// Small samples of the emulated generator, quickly made.
std::vector<std::string> small(std::vector<std::string> arguments, const char* bytes = "4096") {
  arguments.insert(arguments.end(), {"--bytes", bytes, "--cpu", "esther"});
  if (std::find(arguments.begin(), arguments.end(), "--edx") == arguments.end())
    arguments.insert(arguments.end(), {"--edx", "0"});
  return arguments;
}

class cli_rng_crap : public test::OwnFolderTest {
 protected:
  // The one file that a run left.
  static std::string only_file() {
    const auto names = files();
    return names.size() == 1 ? *names.begin() : "";
  }
};

TEST_F(cli_rng_crap, a_processor_without_a_generator_is_an_error) {
  const ProcessResult off = crap({"--cpu", "esther,rng=off"});
  // clause: PLK-TOOL-002
  // clause: PLK-TOOL-003
  EXPECT_EQ(off.exit_code, 1);
  EXPECT_EQ(off.out, "");
  EXPECT_TRUE(contains(off.err, "PROCESSOR ERROR: no hardware RNG can be had: esther")) << off.err;
  const ProcessResult native = crap({"--native", "--bytes", "4096"});
  if (native.exit_code == 0) GTEST_SKIP() << "this CPU has PadLock";
  // clause: PLK-TOOL-001
  EXPECT_EQ(native.exit_code, 1);
  EXPECT_TRUE(contains(native.err, "PROCESSOR ERROR: ")) << native.err;
}

TEST_F(cli_rng_crap, without_options_it_is_one_sample_of_ten_megabytes) {
  // A file takes the place of the slow generator.
  const json found = report({"/dev/zero", "--speed"});
  // clause: PLK-TOOL-016
  EXPECT_EQ(found["sample_bytes"], 10485760);
  EXPECT_EQ(found["samples"][0]["bytes"], 10485760);
  // clause: PLK-TOOL-013
  EXPECT_EQ(found["samples"].size(), 1u);
  EXPECT_EQ(report({"/dev/zero", "--speed", "--size", "1"})["samples"][0]["bytes"], 1048576);
  EXPECT_EQ(report({"/dev/zero", "--speed", "--size", "0"})["samples"][0]["bytes"], 10485760);
  // clause: PLK-TOOL-013
  EXPECT_EQ(report({"/dev/zero", "--speed", "--size", "1", "--rep", "5"})["samples"].size(), 5u);
  EXPECT_EQ(report({"/dev/zero", "--speed", "--size", "1", "--rep", "0"})["samples"].size(), 1u);

  const json chip = report({"--cpu", "esther", "--bytes", "4096"});
  // clause: PLK-TOOL-005
  EXPECT_EQ(chip["edx"], 3);
  // clause: PLK-TOOL-006
  EXPECT_EQ(chip["limit"], 0.001);
  // clause: PLK-TOOL-019
  EXPECT_TRUE(chip["msr"].is_null());
  // clause: PLK-TOOL-011
  EXPECT_EQ(files().size(), 0u);
}

TEST_F(cli_rng_crap, the_msr_gets_what_the_options_say) {
  // clause: PLK-TOOL-019
  EXPECT_EQ(report(small({"--mode", "2", "--bias", "5", "--raw"}))["msr"], "0x3640");
  // clause: PLK-TOOL-007
  EXPECT_EQ(report(small({"--mode", "2"}))["msr"], "0x240");
  // clause: PLK-TOOL-012
  EXPECT_EQ(report(small({"--raw"}))["msr"], "0x2040");
  // clause: PLK-TOOL-004
  EXPECT_EQ(report(small({"--bias", "5"}))["msr"], "0x1440");
  EXPECT_EQ(report(small({"--bias", "8"}))["msr"], "0x40");
  EXPECT_EQ(report(small({"--bias", "-1"}))["msr"], "0x40");
  EXPECT_TRUE(contains(crap(small({"--bias", "5"})).out, "DCBIAS=5 "));
  // clause: PLK-TOOL-008
  EXPECT_EQ(crap(small({"--mode", "4"})).exit_code, 2);
  EXPECT_EQ(crap(small({"--mode", "-1"})).exit_code, 2);
  // The chip obeys: both sources are twice as fast, raw bits more than ten times.
  const double one = report(small({}))["samples"][0]["kbits_per_second"];
  const double both = report(small({"--mode", "2"}))["samples"][0]["kbits_per_second"];
  const double raw = report(small({"--mode", "2", "--raw"}))["samples"][0]["kbits_per_second"];
  EXPECT_NEAR(both / one, 2, 0.1);
  EXPECT_GT(raw, 6 * both);
  // A part without the register, and one that lacks source B.
  const ProcessResult zhaoxin = crap({"--cpu", "zhaoxin", "--bytes", "4096", "--raw"});
  EXPECT_EQ(zhaoxin.exit_code, 1);
  EXPECT_TRUE(contains(zhaoxin.err, "zhaoxin has no MSR 0x110B")) << zhaoxin.err;
  const ProcessResult c5xl = crap({"--cpu", "c5xl", "--bytes", "4096", "--mode", "2"});
  EXPECT_EQ(c5xl.exit_code, 0);
  EXPECT_TRUE(contains(c5xl.err, "the processor made 0x40 of 0x240 in MSR 0x110B")) << c5xl.err;
}

TEST_F(cli_rng_crap, options_out_of_range_are_put_right) {
  // clause: PLK-TOOL-005
  EXPECT_EQ(report(small({"--edx", "6"}))["edx"], 2);
  EXPECT_TRUE(contains(crap(small({"--edx", "6"})).out, " EDX DIVIDER=2 "));
  // clause: PLK-TOOL-006
  EXPECT_EQ(report(small({"--limit", "0.5", "--test", "1"}))["limit"], 0.01);
  // clause: PLK-TOOL-015
  EXPECT_EQ(report(small({"--sha", "500"}))["sha"], 128);
  // clause: PLK-TOOL-018
  EXPECT_EQ(report(small({"--test", "5000", "--raw"}))["test"], 1000);
  for (const char* wrong : {"--edx", "--sha", "--test", "--limit", "--pvalue"})
    EXPECT_EQ(crap(small({wrong, "-1"})).exit_code, 2) << wrong;
  EXPECT_EQ(crap({"--cpu", "esther", "--bytes", "255"}).exit_code, 2);
  EXPECT_EQ(crap({"--cpu", "pentium"}).exit_code, 2);
}

TEST_F(cli_rng_crap, the_rate_is_that_of_the_guide) {
  const json sample = report({"--cpu", "esther", "--bytes", "49152"})["samples"][0];
  const double kbits = sample["kbits_per_second"];
  // clause: PLK-TOOL-039
  EXPECT_GT(kbits, 1620);
  EXPECT_LT(kbits, 1680);
  // clause: PLK-TOOL-026
  EXPECT_EQ(kbits, std::floor(8 * 49152 / sample["seconds"].get<double>() / 1000));
  EXPECT_TRUE(contains(
      crap({"--cpu", "esther", "--bytes", "49152"}).out,
      "\n\tSample 1. RNG datarate: " + std::to_string(static_cast<int>(kbits)) + " kbits/sec\n"));
}

TEST_F(cli_rng_crap, speed_leaves_the_statistics_out) {
  const ProcessResult result = crap(small({"--speed", "--rep", "3"}));
  EXPECT_EQ(result.exit_code, 0);
  // clause: PLK-TOOL-017
  EXPECT_EQ(occurrences(result.out, "RNG datarate: "), 3u);
  EXPECT_FALSE(contains(result.out, "Chi-square")) << result.out;
  // clause: PLK-TOOL-034
  EXPECT_EQ(occurrences(result.out, "CENTAUR RNG ANALYSIS PACKAGE"), 3u) << result.out;
  // clause: PLK-TOOL-033
  const std::string nine = crap(small({"--rep", "9"}, "1024")).out;
  EXPECT_EQ(occurrences(nine, "CENTAUR RNG ANALYSIS PACKAGE"), 2u) << nine;
  EXPECT_GT(nine.rfind("CENTAUR"), nine.find("Sample 8."));
}

TEST_F(cli_rng_crap, save_writes_every_sample) {
  const ProcessResult result = crap(small({"--save", "--rep", "3", "-o", "."}, "5000"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // clause: PLK-TOOL-009
  // clause: PLK-TOOL-020
  // clause: PLK-TOOL-021
  EXPECT_TRUE(std::regex_match(only_file(), std::regex("esther\\.[0-9]{5}\\.[0-9]{4}\\.0\\.RNG")))
      << only_file();
  // clause: PLK-TOOL-014
  EXPECT_EQ(read_file(only_file()).size(), 15000u);
  EXPECT_TRUE(contains(result.out, "\tRNG data saved to ./" + only_file() + "\n")) << result.out;
}

TEST_F(cli_rng_crap, a_folder_that_cannot_be_written_is_an_error) {
  for (const char* option : {"--save", "--pvalue=0.5"}) {
    const ProcessResult result = crap(small({option, "-o", "missing"}));
    // clause: PLK-TOOL-022
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.err, "Error creating RNG outfile")) << result.err;
    EXPECT_EQ(result.out, "");
  }
  // The usual folder; what it holds is nobody's business where there is one.
  if (!std::filesystem::exists("/rngdata")) {
    // clause: PLK-TOOL-009
    EXPECT_TRUE(contains(crap(small({"--save"})).err, "'/rngdata/esther."));
  }
}

TEST_F(cli_rng_crap, pvalue_saves_the_samples_below_it_once) {
  const json all = report(small({"--seed", "1", "--rep", "6"}));
  size_t below = 0;
  for (const json& sample : all["samples"]) below += sample["p_value"] < 0.5;
  ASSERT_GT(below, 0u);
  ASSERT_LT(below, 6u);
  // clause: PLK-TOOL-010
  EXPECT_EQ(
      report(small({"--seed", "1", "--rep", "6", "--pvalue", "0.5", "-o", "."}))["saved_bytes"],
      4096 * below);
  EXPECT_EQ(read_file(only_file()).size(), 4096 * below);
  std::filesystem::remove(only_file());
  // clause: PLK-TOOL-010
  EXPECT_EQ(report(small({"--seed", "1", "--rep", "6", "--pvalue", "0.5", "--save", "-o",
                          "."}))["saved_bytes"],
            4096 * 6);
  EXPECT_EQ(read_file(only_file()).size(), 4096u * 6);
}

// SHA-1 of each |len| bytes of |raw|, one behind the other.
std::string digests(const std::string& raw, size_t len) {
  std::string all;
  for (size_t at = 0; at + len <= raw.size(); at += len) {
    uint8_t digest[20];
    EXPECT_EQ(incore_sha_digest(INCORE_SHA1, reinterpret_cast<const uint8_t*>(raw.data() + at), len,
                                digest, sizeof digest),
              INCORE_OK);
    all.append(reinterpret_cast<const char*>(digest), sizeof digest);
  }
  return all;
}

TEST_F(cli_rng_crap, sha_makes_real_digests_of_the_noise) {
  ASSERT_EQ(crap(small({"--save", "-o", "."}, "12800")).exit_code, 0);
  const std::string raw = read_file(only_file());
  std::filesystem::remove(only_file());
  // 64 bytes become 20: 200 digests of the same noise.
  ASSERT_EQ(crap(small({"--sha", "64", "--save", "-o", "."}, "4000")).exit_code, 0);
  EXPECT_TRUE(contains(only_file(), ".0H.RNG")) << only_file();
  // clause: PLK-TOOL-015
  // clause: PLK-TOOL-023
  EXPECT_EQ(read_file(only_file()), digests(raw, 64));
  std::filesystem::remove(only_file());

  const std::string file = directory_.write("input", raw);
  ASSERT_EQ(crap({file, "--sha", "64", "--bytes", "3990", "--save", "-o", "."}).exit_code, 0);
  std::filesystem::remove("input");
  // clause: PLK-TOOL-015
  EXPECT_EQ(read_file(only_file()), digests(raw, 64).substr(0, 3990));
  const ProcessResult nehemiah = crap({"--cpu", "nehemiah", "--bytes", "4096", "--sha", "64"});
  EXPECT_EQ(nehemiah.exit_code, 2);
  EXPECT_TRUE(contains(nehemiah.err, "cannot hash (no PHE)")) << nehemiah.err;
}

TEST_F(cli_rng_crap, sha_and_xstore_stay_within_their_buffers) {
  // Under AddressSanitizer this is where a step too far would be seen.
  for (int size = 1; size <= 10; ++size)
    // clause: PLK-TOOL-024
    EXPECT_EQ(report({"/dev/zero", "--sha", "128", "--speed", "--size",
                      std::to_string(size)})["samples"][0]["bytes"],
              size * 1048576);
  for (int bytes = 1024; bytes < 1044; ++bytes)
    // clause: PLK-TOOL-024
    EXPECT_EQ(report(small({"--sha", "20"}, std::to_string(bytes).c_str()))["samples"][0]["bytes"],
              bytes);
  // clause: PLK-TOOL-025
  EXPECT_EQ(crap(small({"--sha", "128", "--edx", "3"}, "256")).exit_code, 0);
}

TEST_F(cli_rng_crap, bias_test_goes_through_all_settings) {
  const json found = report(small({"--test", "3"}, "1024"));
  std::set<std::pair<int, int>> settings;
  for (const json& sample : found["samples"])
    settings.emplace(sample["mode"].get<int>(), sample["bias"].get<int>());
  // clause: PLK-TOOL-018
  EXPECT_EQ(settings.size(), 24u);
  EXPECT_EQ(settings.rbegin()->first, 2);
  EXPECT_EQ(settings.rbegin()->second, 7);
  // clause: PLK-TOOL-036
  ASSERT_EQ(found["mean_samples"].size(), 3u);
  for (const json& source : found["mean_samples"])
    EXPECT_EQ(source["by_bias"], (std::vector<int>{4, 4, 4, 4, 4, 4, 4, 4}));
  // The totals begin anew with each bias: they are the sample's own in the first one.
  for (const json& sample : found["samples"])
    EXPECT_EQ(sample["sample"] == 1, sample["chi_square"] == sample["total_chi_square"]);

  const std::string screen = crap(small({"--test", "3", "--rep", "2"}, "1024")).out;
  // clause: PLK-TOOL-036
  for (int bias = 0; bias < 8; ++bias)
    EXPECT_EQ(occurrences(screen, "\tMTBF DC BIAS = " + std::to_string(bias) + ": 4\n"), 6u);
  EXPECT_TRUE(contains(screen, " DEV=AB\n"));
}

TEST_F(cli_rng_crap, bias_test_stops_at_bad_statistics_after_three_samples) {
  // Raw bits are far from even.
  const json raw = report(small({"--test", "10", "--raw"}, "1024"));
  for (const json& source : raw["mean_samples"])
    // clause: PLK-TOOL-037
    EXPECT_EQ(source["by_bias"], (std::vector<int>{4, 4, 4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(raw["samples"].size(), 3u * 8 * 4);
  // Good bits seldom stop it, and never before the fourth.
  const json good = report(small({"--test", "6"}, "2048"));
  size_t never_stopped = 0;
  for (const json& source : good["mean_samples"])
    for (const int mean : source["by_bias"]) {
      EXPECT_GE(mean, 4);
      never_stopped += mean == 7;
    }
  EXPECT_GE(never_stopped, 20u);
  EXPECT_EQ(crap(small({"--test", "3", "--speed"})).exit_code, 2);
}

TEST_F(cli_rng_crap, files_pipes_and_generators_have_no_chips_options) {
  const std::string file = directory_.write("input", std::string(3000, 'x'));
  const json found = report({file, "--bytes", "1000", "--rep", "3"});
  EXPECT_EQ(found["samples"].size(), 3u);
  EXPECT_EQ(found["samples"][2]["p_value"], 0);
  EXPECT_FALSE(found["samples"][0].contains("kbits_per_second"));
  for (const char* option : {"--bias=1", "--edx=1", "--mode=1", "--raw", "--test=5", "--native"}) {
    const ProcessResult wrong = crap({file, "--bytes", "1000", option});
    EXPECT_EQ(wrong.exit_code, 2) << option;
    EXPECT_TRUE(contains(wrong.err, "is for a PadLock processor's generator")) << wrong.err;
  }
  // What is too short says so, and what came before is there.
  const ProcessResult brief = crap({file, "--bytes", "2000", "--rep", "3"});
  EXPECT_EQ(brief.exit_code, 1);
  EXPECT_TRUE(contains(brief.out, "Sample 1.")) << brief.out;
  EXPECT_TRUE(contains(brief.err, "sample 2 has 1000 of 2000 bytes and was not judged"))
      << brief.err;
  EXPECT_EQ(crap({"/dev/null"}).exit_code, 2);
  EXPECT_EQ(crap({"missing"}).exit_code, 2);
}

TEST_F(cli_rng_crap, an_interruption_keeps_what_is_saved) {
  const ProcessResult result =
      test::run({"timeout", "--preserve-status", "-s", "INT", "1", INCORE_PROGRAM, "rng", "crap",
                 "--cpu", "esther", "--bytes", "65520", "--rep", "100000", "--save", "-o", "."});
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_TRUE(contains(result.err, "interrupted; sample ")) << result.err;
  EXPECT_TRUE(contains(only_file(), ".RNG.partial")) << only_file();
  EXPECT_GE(read_file(only_file()).size(), 65520u);
}

TEST_F(cli_rng_crap, runs_natively_where_the_processor_is_lent) {
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
  if (test::kEmulated) GTEST_SKIP() << "incore run works on x86-64 machines only";
  const ProcessResult result =
      test::run({INCORE_PROGRAM, "run", "--cpu", "esther", "--", INCORE_PROGRAM, "rng", "crap",
                 "--native", "--bytes", "65536", "--save", "-o", "."});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "Source: this CPU\n")) << result.out;
  // clause: PLK-TOOL-021
  EXPECT_EQ(only_file().rfind("via-6a8.", 0), 0u) << only_file();
#else
  GTEST_SKIP() << "incore run works on x86-64 machines only, and not on sanitized programs";
#endif
}

TEST_F(cli_rng_crap, the_same_by_the_flag_of_analyze) {
  const std::vector<std::string> chip = {"--cpu", "esther", "--bytes", "4096",
                                         "--edx", "0",      "--json"};
  std::vector<std::string> arguments = {INCORE_PROGRAM, "rng", "analyze", "--crap"};
  arguments.insert(arguments.end(), chip.begin(), chip.end());
  const ProcessResult result = test::run(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, crap(chip).out);
}

}  // namespace
}  // namespace incore
