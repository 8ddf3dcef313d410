// Section 4.2: how the P-values of many sequences are judged together, and what share of good
// sequences has so small a one.
#include "assess/sp800_22/tally.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "assess/sp800_22/statistics.h"
#include "assess/suite_runs.h"

namespace incore::assess {
namespace {

using sp800_22::Outcomes;
using sp800_22::Sequence;
using sp800_22::Tally;
using test::figure_of;

Tally tally_of(std::vector<double> p_values,
               const sp800_22::Test& test = sp800_22::test_frequency) {
  Tally tally = {.test = &test, .variant = ""};
  for (const double p : p_values) tally.add({.p_value = p});
  return tally;
}

std::vector<double> even_p_values(size_t count) {
  std::vector<double> p_values;
  for (size_t i = 0; i < count; ++i)
    p_values.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  return p_values;
}

TEST(sp800_22_tally, uniformity_is_chi_square_over_ten_intervals_from_55_on) {
  EXPECT_NEAR(sp800_22::uniformity_p(even_p_values(100)), 1, 1e-12);
  // 20 in one interval, none in another: chi-square = 100/10 + 100/10 = 20, 9 degrees of freedom.
  std::vector<double> p_values = even_p_values(100);
  for (double& p : p_values)
    if (p < 0.1) p += 0.5;
  EXPECT_NEAR(sp800_22::uniformity_p(p_values), 0.017912, 1e-6);
  // 54: Kolmogorov and Smirnov's test. Of the square roots the distance is 1/4 + 1/108.
  p_values = even_p_values(54);
  EXPECT_GT(sp800_22::uniformity_p(p_values), 0.9999);
  for (double& p : p_values) p = std::sqrt(p);
  EXPECT_NEAR(sp800_22::uniformity_p(p_values), 0.00107, 0.0002);
}

TEST(sp800_22_tally, one_sequence_is_judged_by_its_p_value) {
  const uint64_t n = 1'000'000;
  EXPECT_EQ(judge(tally_of({0.0009}), n).verdict, INCORE_VERDICT_WEAK);
  EXPECT_EQ(judge(tally_of({0.0011}), n).verdict, INCORE_VERDICT_PASS);
  EXPECT_EQ(judge(tally_of({0.9e-6}), n).verdict, INCORE_VERDICT_FAIL);
  // Of excursions, such P-values are not rare enough.
  EXPECT_EQ(judge(tally_of({0.9e-6}, sp800_22::test_random_excursions), n).verdict,
            INCORE_VERDICT_WEAK);
}

TEST(sp800_22_tally, sequences_are_judged_by_how_many_pass) {
  // 6 of 100 below 0.01 in otherwise even P-values: binomial P = 5.345e-4.
  std::vector<double> p_values = even_p_values(100);
  for (size_t i = 0; i < 5; ++i) p_values[20 + i] = 0.009;
  const Result found = judge(tally_of(p_values), 1'000'000);
  EXPECT_EQ(figure_of(found, "passed"), 94);
  EXPECT_NEAR(figure_of(found, "proportion P-value"), 5.345e-4, 1e-6);
  EXPECT_NEAR(found.p_value, 1 - std::pow(1 - 5.345e-4, 3), 3e-6);
  EXPECT_EQ(found.text, "the balance of ones and zeros: 94 of 100 sequences pass");
  // Excursions are judged by two of the three.
  const Result excursions = judge(tally_of(p_values, sp800_22::test_random_excursions), 1'000'000);
  EXPECT_NEAR(excursions.p_value, 1 - std::pow(1 - 5.345e-4, 2), 3e-6);
}

TEST(sp800_22_tally, sequences_are_judged_by_the_worst_of_them) {
  std::vector<double> p_values = even_p_values(100);
  p_values[0] = 1e-9;
  EXPECT_NEAR(judge(tally_of(p_values), 1'000'000).p_value, 3 * 100 * 1e-9, 1e-10);
  EXPECT_EQ(judge(tally_of(p_values), 1'000'000).verdict, INCORE_VERDICT_FAIL);
}

TEST(sp800_22_tally, uniformity_is_judged_where_sequences_are_long) {
  std::vector<double> p_values = even_p_values(100);
  for (double& p : p_values) p = 0.5 + p / 2;
  EXPECT_EQ(judge(tally_of(p_values), 100'000).verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(judge(tally_of(p_values), 99'999).verdict, INCORE_VERDICT_PASS);
}

// 63 ones of 100 or more, or as many zeros, have P-values below 0.01; 70 have P = 6.33e-5.
TEST(sp800_22_tally, short_sequences_are_judged_by_their_true_shares) {
  const char* const kShare = "share of good sequences that do not pass";
  std::vector<double> p_values(100, 0.5);
  p_values[7] = std::erfc(4 / std::sqrt(2.0));
  const Tally tally = tally_of(p_values);
  const Result exact = judge(tally, 100), usual = judge(tally, 10'000);
  EXPECT_NEAR(figure_of(exact, kShare), 0.0120329757, 1e-8);
  EXPECT_EQ(figure_of(usual, kShare), 0.01);
  // The least of 100 counts, and it is one of two that are judged.
  EXPECT_NEAR(exact.p_value, 1 - std::pow(1 - 7.85013965e-5, 200), 1e-7);
  EXPECT_NEAR(usual.p_value, 1 - std::pow(1 - 6.3342e-5, 200), 1e-6);
}

TEST(sp800_22_tally, series_show_the_shares_with_their_interval) {
  std::vector<double> p_values = even_p_values(100);
  std::vector<Tally> tallies = {tally_of(p_values), tally_of(std::vector<double>(64, 0.001)),
                                tally_of(p_values)};
  const std::vector<Series> series = series_of(tallies);
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series[0].y[0], 64 + 10);  // below 0.05
  EXPECT_EQ(series[0].y[19], 10);
  EXPECT_EQ(series[1].name, "proportions of 100");
  EXPECT_EQ(series[1].x, (std::vector<double>{1, 3}));
  EXPECT_EQ(series[1].y, (std::vector<double>{0.99, 0.99}));
  EXPECT_NEAR(series[1].low, 0.960150, 1e-6);  // section 4.2.1: 0.99 +- 3 sqrt(0.99 0.01 / 100)
  EXPECT_EQ(series[2].y, std::vector<double>{0});
}

// ---- Shares of short sequences ----

// Each test's P-value of all sequences of n bits, against what Test::share says of them.
TEST(sp800_22_share, is_the_share_of_all_sequences) {
  constexpr size_t kShort = 16;
  for (const sp800_22::Test* test : sp800_22::tests()) {
    if (test->share == nullptr) continue;
    const sp800_22::Parameters parameters = {.block_frequency_M = 4, .serial_m = 2};
    std::map<std::string, std::map<double, double>> shares;  // by variant and P-value
    for (unsigned bits = 0; bits < 1u << kShort; ++bits) {
      const uint8_t data[] = {static_cast<uint8_t>(bits >> 8), static_cast<uint8_t>(bits)};
      Outcomes outcomes;
      test->run(Sequence(data, 0, kShort), parameters, outcomes);
      ASSERT_FALSE(outcomes.empty()) << test->name;
      for (const sp800_22::Outcome& outcome : outcomes)
        shares[outcome.variant][outcome.p_value] += std::exp2(-double{kShort});
    }
    for (const auto& [variant, by_p] : shares) {
      double sum = 0, rounded = 0;  // P-values that differ by rounding only are one
      for (auto each = by_p.begin(); each != by_p.end(); ++each) {
        sum += each->second;
        const auto next = std::next(each);
        if (next != by_p.end() && next->first < each->first * (1 + 1e-6)) continue;
        if (each->first < 1e-12 || each->first > 0.999) continue;
        ++rounded;
        EXPECT_NEAR(test->share(kShort, parameters, variant, each->first * (1 + 1e-7)), sum, 1e-9)
            << test->name << " " << variant << " " << each->first;
      }
      EXPECT_GE(rounded, 3) << test->name << " " << variant;
    }
  }
}

TEST(sp800_22_share, is_close_to_p_for_long_sequences) {
  for (const sp800_22::Test* test : sp800_22::tests()) {
    if (test->share == nullptr) continue;
    const uint64_t n = test == &sp800_22::test_serial        ? 900
                       : test == &sp800_22::test_longest_run ? 6000
                                                             : 9999;
    const sp800_22::Parameters parameters = sp800_22::parameters_for(n);
    for (const char* const variant : {"del psi^2", "del^2 psi^2"})
      EXPECT_NEAR(test->share(n, parameters, variant, 0.01), 0.01, 0.002) << test->name;
  }
}

}  // namespace
}  // namespace incore::assess
