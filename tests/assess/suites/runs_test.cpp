#include <gtest/gtest.h>

#include "assess/special.h"
#include "assess/suite_runs.h"
#include "support/process.h"

namespace incore::assess {
namespace {

using test::Bytes;

TEST(assess_runs, number_of_runs_has_the_example_of_the_standard) {
  // SP 800-22, section 2.3.8: the first 100 bits of pi's binary expansion have 42 ones and 52 runs,
  // p = 0.500798. Too few for this suite: here they come ten times, and the seams are changes.
  const char* const kBits =
      "11001001000011111101101010100010001000010110100011000010001101001100010011000110011000101000"
      "10111000";
  Bytes data(125);
  unsigned ones = 0, runs = 1;
  for (size_t i = 0; i < 1000; ++i) {
    const unsigned bit = kBits[i % 100] == '1';
    ones += bit;
    runs += i != 0 && kBits[i % 100] != kBits[(i - 1) % 100];
    data[i / 8] = static_cast<uint8_t>(data[i / 8] | bit << (7 - i % 8));
  }
  EXPECT_EQ(ones, 420u);
  EXPECT_EQ(runs, 520u);
  const Result result = test::result_of(test::judge(suite_runs, data), "Number of runs");
  EXPECT_EQ(test::figure_of(result, "runs"), runs);
  EXPECT_EQ(test::figure_of(result, "ones"), ones);
  const double share = 0.42, expected = 2 * 1000 * share * (1 - share);
  EXPECT_NEAR(
      result.p_value,
      std::erfc(std::fabs(runs - expected) / (2 * std::sqrt(2.0 * 1000) * share * (1 - share))),
      1e-12);
}

// dieharder's sts_runs gives the upper tail, takes the highest bit of a word first, and counts the
// changes from bit to bit with that from the last to the first: one less than runs if those are
// equal.
TEST(assess_runs, number_of_runs_is_dieharders) {
  if (test::run({"sh", "-c", "command -v dieharder"}).exit_code != 0)
    GTEST_SKIP() << "dieharder is not installed";
  const test::TemporaryDirectory folder;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Bytes data = test::good_bytes(seed, 400000);
    std::string words(data.begin(), data.end());
    for (size_t i = 0; i < words.size(); i += 4)
      std::reverse(words.begin() + static_cast<ptrdiff_t>(i),
                   words.begin() + static_cast<ptrdiff_t>(i + 4));
    const std::string path = folder.write("data", words);
    const std::string out =
        test::run({"dieharder", "-d", "101", "-g", "201", "-f", path, "-t", "100000", "-p", "1"})
            .out;
    size_t at = out.find("sts_runs");
    ASSERT_NE(at, std::string::npos) << out;
    for (int column = 0; column < 4; ++column) at = out.find('|', at) + 1;
    const double upper = std::stod(out.substr(at));
    const Result result = test::result_of(test::judge(suite_runs, data), "Number of runs");
    const double n = 3.2e6, share = test::figure_of(result, "ones") / n;
    const double less = (data.front() >> 7) == (data.back() & 1) ? 1 : 0;
    const double z = result.statistic - less / (2 * std::sqrt(n) * share * (1 - share));
    EXPECT_NEAR(1 - normal_cdf(z), upper, 1e-7);
  }
}

// Chi-square by hand: 40 runs of zeros in known numbers, separated by ones.
TEST(assess_runs, lengths_are_compared_with_halving_numbers) {
  const unsigned counts[] = {0, 24, 8, 4, 2, 1, 1};  // by length
  std::string bits = "1";
  for (unsigned length = 1; length <= 6; ++length)
    for (unsigned i = 0; i < counts[length]; ++i) bits += std::string(length, '0') + "1";
  bits.resize(1000, '1');
  Bytes data(125);
  for (size_t i = 0; i < bits.size(); ++i)
    data[i / 8] = static_cast<uint8_t>(data[i / 8] | (bits[i] == '1') << (7 - i % 8));
  const Result result = test::result_of(test::judge(suite_runs, data), "Run lengths", "zeros");
  // Of 40: 20 of length 1, 10 of 2, and 10 longer ones, for a category has five or more.
  EXPECT_EQ(test::figure_of(result, "degrees of freedom"), 2);
  EXPECT_NEAR(result.statistic, 16.0 / 20 + 4.0 / 10 + 4.0 / 10, 1e-12);
}

TEST(assess_runs, the_longest_run_has_the_chance_of_poisson) {
  Bytes data = test::good_bytes(11, 1 << 20);
  const auto longest = [&] {
    return test::result_of(test::judge(suite_runs, data), "Longest run");
  };
  EXPECT_EQ(longest().verdict, INCORE_VERDICT_PASS);
  std::fill_n(&data[5000], 8, uint8_t{0xFF});
  const Result result = longest();
  EXPECT_GE(result.statistic, 64);
  EXPECT_EQ(test::figure_of(result, "bit"), 1);
  EXPECT_NEAR(result.p_value, 2 * 0x1p23 * std::exp2(-result.statistic), 1e-15);
  EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL);
  // Runs that are all short are as bad.
  data.assign(1 << 20, 0x5B);
  EXPECT_EQ(longest().verdict, INCORE_VERDICT_FAIL);
}

TEST(assess_runs, equal_bits_fail) {
  for (const uint8_t byte : {0x00, 0xFF}) {
    const Report report = test::judge(suite_runs, Bytes(200, byte));
    EXPECT_EQ(test::result_of(report, "Number of runs").verdict, INCORE_VERDICT_FAIL);
    EXPECT_EQ(test::result_of(report, "Longest run").statistic, 1600);
    EXPECT_EQ(test::num_of(report, INCORE_VERDICT_SKIPPED), 2u);
  }
}

TEST(assess_runs, drawn_lengths_are_near_their_expectation) {
  const Series series =
      test::series_of(test::judge(suite_runs, test::good_bytes(1, 1 << 20)), "run-lengths");
  EXPECT_GT(series.y.size(), 15u);
  for (size_t i = 0; i < series.y.size(); ++i) {
    EXPECT_EQ(series.x[i], static_cast<double>(i + 1));
    EXPECT_NEAR(series.y[i], 1, 1);
  }
}

TEST(assess_runs, needs_125_bytes) {
  EXPECT_EQ(test::num_of(test::judge(suite_runs, test::good_bytes(1, 124)), INCORE_VERDICT_SKIPPED),
            1u);
  EXPECT_EQ(test::num_of(test::judge(suite_runs, test::good_bytes(1, 125)), INCORE_VERDICT_PASS),
            4u);
}

}  // namespace
}  // namespace incore::assess
