// The statistics of SP 800-90B's IID track: the standard's small examples, what NIST's tool
// printed, and how they rank.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "assess/generators.h"
#include "assess/iid_statistics.h"
#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b_iid/chi_square.h"
#include "assess/sp800_90b_iid/permutation_test.h"
#include "assess/sp800_90b_iid/statistics.h"
#include "assess/sp800_90b_iid/xoshiro.h"
#include "support/vector_file.h"

namespace incore::test {
namespace {

using namespace assess::sp800_90b;

// ---- SP 800-90B, section 5.1: the examples of the text ----

TEST(sp800_90b_iid, excursion_of_the_standards_example) {
  EXPECT_EQ(excursion(Bytes{2, 15, 4, 10, 9}), 6);
}

TEST(sp800_90b_iid, directional_runs_of_the_standards_example) {
  const Directional found = directional_runs(Bytes{2, 2, 2, 5, 7, 7, 9, 3, 1, 4, 4});
  EXPECT_EQ(found.runs.num, 3u);
  EXPECT_EQ(found.runs.longest, 6u);
  EXPECT_EQ(found.most, 8u);
}

TEST(sp800_90b_iid, median_runs_of_the_standards_example) {
  const Runs found = median_runs(Bytes{5, 15, 12, 1, 13, 9, 4}, 2 * 9);
  EXPECT_EQ(found.num, 5u);
  EXPECT_EQ(found.longest, 2u);
}

TEST(sp800_90b_iid, collisions_of_the_standards_example) {
  const Collisions found = collisions(Bytes{2, 1, 1, 2, 0, 1, 0, 1, 1, 2});
  EXPECT_EQ(found.num, 3u);
  EXPECT_EQ(found.sum, 3u + 4u + 2u);
  EXPECT_EQ(found.longest, 4u);
}

TEST(sp800_90b_iid, periodicity_of_the_standards_example) {
  EXPECT_EQ(periodicity(Bytes{2, 1, 2, 1, 0, 1, 0, 1, 1, 2}, 2), 5u);
}

TEST(sp800_90b_iid, covariance_of_the_standards_example) {
  EXPECT_EQ(covariance(Bytes{5, 2, 6, 10, 12, 3, 1}, 2), 164u);
}

TEST(sp800_90b_iid, conversions_of_the_standards_example) {
  const Bytes bits = {1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1};
  std::vector<uint8_t> out;
  convert_1(bits, out);
  EXPECT_EQ(out, (Bytes{4, 6, 2}));
  convert_2(bits, out);
  EXPECT_EQ(out, (Bytes{142, 219, 48}));
}

TEST(sp800_90b_iid, covariance_does_not_overflow) {
  EXPECT_EQ(covariance(Bytes(200'001, 255), 1), uint64_t{200'000} * 255 * 255);
}

std::vector<uint8_t> alphabet_of(const Sample& sample) {
  std::vector<uint8_t> alphabet(sample.literal().k);
  for (size_t i = 0; i < sample.size(); ++i) alphabet[sample.literal().s[i]] = sample.raw()[i];
  return alphabet;
}

std::vector<double> weights_of(const std::string& text) {
  std::vector<double> weights;
  if (text == "bell") {
    for (int i = 0; i < 256; ++i) weights.push_back(std::pow(i * (256 - i), 2));
  } else {
    std::istringstream numbers(text);
    for (double weight; numbers >> weight;) weights.push_back(weight);
  }
  return weights;
}

TEST(sp800_90b_iid, figures_are_those_of_nists_tool) {
  constexpr size_t kLen = 50'000;
  const auto near = [](double expected) { return 1e-6 * std::max(1.0, std::fabs(expected)); };
  const size_t num = for_each_case("assess/sp800_90b_iid.txt", [&](VectorCase& known) {
    const auto number = [&](const std::string& name) { return std::stod(known.text(name)); };
    const auto seed = static_cast<uint64_t>(number("Seed"));
    const std::string id = known.text("Id");
    Bytes data;
    if (id[0] == 'r') {
      data = good_bytes(seed, kLen);
      for (uint8_t& byte : data)
        byte = static_cast<uint8_t>(byte & ((1u << std::stoi(known.text("Low bits"))) - 1));
    } else {
      data = symbols_by_weight(seed, kLen, weights_of(known.text("Weights")));
    }
    const Sample sample(data, static_cast<unsigned>(number("Symbol bits")));
    const Symbols symbols = sample.literal();
    const auto expect = [&](const char* field, double value) {
      const double expected = number(field);
      EXPECT_NEAR(value, expected, near(expected)) << field;
    };
    StatisticValues values;
    StatisticsOf(symbols.s, alphabet_of(sample)).compute(symbols.s, kAllStatistics, values);
    for (unsigned i = 0; i < kNumStatistics; ++i) expect(kStatisticNames[i], values[i]);
    const ChiSquare independence = chi_square_independence(symbols);
    expect("Independence T", independence.score);
    expect("Independence degrees", independence.degrees);
    expect("Independence p", independence.p_value());
    const ChiSquare fit = chi_square_goodness_of_fit(symbols);
    expect("Goodness of fit T", fit.score);
    expect("Goodness of fit degrees", fit.degrees);
    expect("Goodness of fit p", fit.p_value());
    const LongestRepeat repeat = longest_repeat(symbols);
    expect("W", repeat.len);
    expect("P_col", repeat.p_collision);
    expect("Longest repeat p", repeat.p_value);
    expect("H_original", most_common_value(symbols).min_entropy);
    expect("H_bitstring",
           most_common_value(symbols.k == 2 ? symbols : sample.bitstring()).min_entropy);
  });
  EXPECT_EQ(num, 6u);
}

TEST(sp800_90b_iid, rank_is_rejected_by_the_standards_rule) {
  EXPECT_TRUE((Rank{.above = 5, .equal = 0, .below = 9995}.rejected()));
  EXPECT_TRUE((Rank{.above = 9995, .equal = 3, .below = 2}.rejected()));
  EXPECT_FALSE((Rank{.above = 6, .equal = 0, .below = 9994}.rejected()));
  EXPECT_FALSE((Rank{.above = 2, .equal = 4, .below = 9994}.rejected()));
  EXPECT_FALSE((Rank{.above = 9994, .equal = 0, .below = 6}.rejected()));
}

TEST(sp800_90b_iid, shuffling_keeps_the_symbols_and_is_even) {
  const Bytes data = {0, 1, 2, 3, 4};
  std::map<Bytes, int> times;
  constexpr int kDraws = 120 * 200;
  for (uint64_t i = 0; i < kDraws; ++i) {
    Bytes shuffled = data;
    Xoshiro(1, i).shuffle(shuffled);
    ++times[shuffled];
    std::sort(shuffled.begin(), shuffled.end());
    ASSERT_EQ(shuffled, data);
  }
  EXPECT_EQ(times.size(), 120u);
  double chi_square = 0;
  for (const auto& [order, count] : times) chi_square += std::pow(count - 200, 2) / 200.0;
  EXPECT_LT(chi_square, 119 + 5 * std::sqrt(2 * 119.0));
}

}  // namespace
}  // namespace incore::test
