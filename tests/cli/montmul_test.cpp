// `incore montmul` as a user sees it: the sample MM's job.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/file.h"
#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;

ProcessResult montmul(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "montmul"});
  return test::run(arguments, input);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string printed_cases() {
  return test::read_file(INCORE_TEST_DATA "/cli/mm_cases.txt");
}

// |text| with the first |from| replaced.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(cli_montmul, printed_cases_pass) {
  // clause: PLK-TOOL-083
  // clause: PLK-TOOL-084
  // clause: PLK-TOOL-086
  // clause: PLK-TOOL-087
  const ProcessResult file = montmul({INCORE_TEST_DATA "/cli/mm_cases.txt"});
  EXPECT_EQ(file.exit_code, 0) << file.err;
  EXPECT_EQ(file.out, "Test 1 passed\nTest 2 passed\n2 passed, 0 failed\n");
  EXPECT_EQ(montmul({"-"}, printed_cases()).out, file.out);
}

TEST(cli_montmul, trace_shows_overflow_and_subtraction) {
  // clause: PLK-TOOL-088
  // clause: PLK-TOOL-090
  EXPECT_EQ(montmul({"--trace", "-"}, printed_cases()).out,
            "  T=f17638a loop of 2 words\n"
            "  T=d71a93 loop of 2 words\n"
            "Test 1 passed\n"
            "  T=715f3cf13bfef940 loop of 5 words\n"
            "  T=12cdb917b33ea04d4 loop of 5 words, m subtracted\n"
            "Test 2 passed\n"
            "2 passed, 0 failed\n");
}

TEST(cli_montmul, wrong_result_fails_with_both_numbers) {
  const std::string corrupt = with(printed_cases(), "c=d71a93", "c=d71a94");
  const ProcessResult text = montmul({"-"}, corrupt);
  EXPECT_EQ(text.exit_code, 1);
  // clause: PLK-TOOL-094
  EXPECT_EQ(text.out,
            "Test 1 failed\nCalculated: d71a93 (by the model)\n  Expected: d71a94\n"
            "Test 2 passed\n1 passed, 1 failed\n");
  const ProcessResult machine = montmul({"-", "--json"}, corrupt);
  EXPECT_EQ(machine.exit_code, 1);
  const json report = json::parse(machine.out);
  EXPECT_EQ(report.at("passed"), 1);
  ASSERT_EQ(report.at("failed").size(), 1u);
  EXPECT_EQ(report.at("failed")[0].at("test"), 1);
  EXPECT_EQ(report.at("failed")[0].at("calculated"), "d71a93");
  // A wrong R^2 makes a wrong product.
  EXPECT_EQ(montmul({"-"}, with(printed_cases(), "rm=a65c865", "rm=a65c866")).exit_code, 1);
}

TEST(cli_montmul, digits_may_be_of_either_case) {
  std::string upper = printed_cases();
  for (size_t at = upper.find('='); at != std::string::npos; at = upper.find('=', at + 1))
    for (size_t i = at; upper[i] != '\n'; ++i)
      upper[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(upper[i])));
  // clause: PLK-TOOL-093
  EXPECT_EQ(montmul({"-"}, upper).out, montmul({"-"}, printed_cases()).out);
  const ProcessResult bad = montmul({"-"}, with(printed_cases(), "a=a46aa5a", "a=a46ag5a"));
  EXPECT_EQ(bad.exit_code, 2);
  // clause: PLK-TOOL-093
  EXPECT_EQ(bad.err, "incore montmul: -:4: a: Invalid hex character: g\n");
}

TEST(cli_montmul, files_that_are_none_get_one_line) {
  const std::pair<const char*, const char*> kMistakes[] = {
      {"n=2", "n=0"},
      {"n=2", "n=111"},
      {"n=2", "n=1"},
      {"n=2", "n=ffffffffffffffffff"},
      {"m=10a4201d", "m=10a4201c"},
      {"m=10a4201d", "m=1"},
      {"m=10a4201d", "m="},
      {"m=10a4201d", "q=10a4201d"},
      {"a=a46aa5a", "a=10a4201d"},
      {"b=b4a3016", "b=110a4201d"},
      {"k=20", "k=30"},
      {"rm=a65c865", ""},
      {"c=d71a93", "c=1ffffffff"},
      {"The two", "The=two"},
  };
  for (const auto& [from, to] : kMistakes) {
    const ProcessResult result = montmul({"-"}, with(printed_cases(), from, to));
    EXPECT_EQ(result.exit_code, 2) << to;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.err.rfind("incore montmul: -:", 0), 0u) << result.err;
  }
  // clause: PLK-TOOL-092
  EXPECT_EQ(montmul({"-"}, with(printed_cases(), "n=2", "n=111")).err,
            "incore montmul: -:2: n is 273 words; accepted are 1 to 272 (hex 110), 4352 bits\n");
  const std::string cases = printed_cases();
  for (size_t len = cases.size() - 20; len > 150; len -= 7)
    EXPECT_EQ(montmul({"-"}, cases.substr(0, len)).exit_code, 2) << len;
  EXPECT_EQ(montmul({"-"}, "").exit_code, 2);
  EXPECT_EQ(montmul({"-"}, std::string(100'000, 'x')).exit_code, 2);
  EXPECT_EQ(montmul({"/nonexistent"}).err, "incore montmul: /nonexistent: cannot be opened\n");
}

TEST(cli_montmul, random_cases_of_all_sizes_agree_and_come_back_by_their_seed) {
  const ProcessResult result =
      montmul({"--bits", "256-1024:37,4096,8192", "--count", "3", "--seed", "7", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // clause: PLK-TOOL-089
  EXPECT_EQ(json::parse(result.out).at("passed"), (21 + 2) * 3) << result.out;
  const auto cases = [](const char* seed) {
    return montmul({"--bits", "256,4352", "--count", "2", "--seed", seed, "--print-cases"}).out;
  };
  EXPECT_EQ(cases("1"), cases("1"));
  EXPECT_NE(cases("1"), cases("2"));
  // clause: PLK-TOOL-092
  EXPECT_TRUE(contains(cases("1"), "\nn=110\n"));
  EXPECT_EQ(montmul({"-"}, cases("1")).out,
            "Test 1 passed\nTest 2 passed\nTest 3 passed\nTest 4 passed\n4 passed, 0 failed\n");
}

TEST(cli_montmul, given_numbers_are_multiplied) {
  EXPECT_EQ(montmul({"-a", "a46aa5a", "-b", "0xB4A3016", "--modulus", "10a4201d"}).out, "d71a93\n");
  // 2 * 2^254 = 19 modulo 2^255 - 19.
  const std::string p = "7" + std::string(61, 'f') + "ed";
  const std::string half = "4" + std::string(63, '0');
  EXPECT_EQ(montmul({"-a", "2", "-b", half, "--modulus", "f" + p}).out,
            "8" + std::string(63, '0') + "\n");
  EXPECT_EQ(montmul({"-a", "2", "-b", half, "--modulus", p}).out, "13\n");
  EXPECT_EQ(montmul({"-a", "0", "-b", half, "--modulus", p}).out, "0\n");
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"-a", "1"},
                                             {"-a", "1", "-b", "1", "--modulus", "4"},
                                             {"-a", "1", "-b", "1", "--modulus", "1"},
                                             {"-a", "5", "-b", "1", "--modulus", "5"},
                                             {"-a", "1", "-b", "1", "--modulus", "x"},
                                             {"-a", "1", "-b", "1", "--modulus", "@/nonexistent"},
                                             {"-a", "1", "-b", "1", "--modulus", "5", "file"},
                                             {"--bits", "255"},
                                             {"--bits", "32769"},
                                             {"--bits", "512-256"},
                                             {"--bits", "256-512:0"},
                                             {"--bits", ""},
                                             {"--count", "0"},
                                             {"--bits", "8192", "--print-cases"}}) {
    const ProcessResult result = montmul(wrong);
    EXPECT_EQ(result.exit_code, 2) << wrong[1];
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace incore
