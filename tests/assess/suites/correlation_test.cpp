#include <gtest/gtest.h>

#include <cstdlib>

#include "assess/special.h"
#include "assess/suite_runs.h"
#include "support/property.h"

namespace incore::assess {
namespace {

using test::Bytes;

const char* const kWorst = "worst lag";
const char* const kTogether = "lags 1 to 64 together";

// Of bits as +1 and -1, with their mean taken out, at |lag|.
double z_at(const Bytes& data, size_t lag) {
  std::vector<double> values;
  double mean = 0;
  for (const uint8_t byte : data)
    for (unsigned k = 8; k-- > 0;) values.push_back(byte >> k & 1u ? 1 : -1);
  const auto n = static_cast<double>(values.size());
  for (const double value : values) mean += value / n;
  double sum = 0;
  for (size_t i = lag; i < values.size(); ++i) sum += values[i] * values[i - lag];
  const double pairs = n - static_cast<double>(lag);
  return ((sum / pairs - mean * mean) / (1 - mean * mean) + 1 / n) * std::sqrt(pairs);
}

TEST(assess_correlation, is_that_of_plain_loops_in_any_pieces) {
  test::for_each_seed(12, [](uint64_t seed) {
    test::SeededChoices choices(seed);
    Bytes data = test::good_bytes(seed, 520 + choices.below(choices.chance(2) ? 60000 : 9000));
    if (choices.chance(2)) data[0] |= 0xF0;
    const Report report = test::judge(suite_correlation, data, seed);
    double squares = 0, worst = 0;
    const auto margin = normal_quantile(0.995) / std::sqrt(8.0 * static_cast<double>(data.size()));
    const Series& series = test::series_of(report, "autocorrelation");
    EXPECT_NEAR(series.high, margin, 1e-12);
    for (size_t lag = 1; lag <= 64; ++lag) {
      const double z = z_at(data, lag);
      squares += z * z;
      worst = std::max(worst, std::fabs(z));
    }
    EXPECT_NEAR(test::result_of(report, "Autocorrelation", kTogether).statistic, squares, 1e-7);
    const Result& found = test::result_of(report, "Autocorrelation", kWorst);
    EXPECT_GE(std::fabs(found.statistic), worst - 1e-9);
    const auto lag = static_cast<size_t>(test::figure_of(found, "lag"));
    EXPECT_NEAR(found.statistic, z_at(data, lag), 1e-9) << "lag " << lag;
  });
}

// Bits that are the exclusive or of a random one and the one |lag| before, one time in |one_in|.
Bytes echoing(size_t len, size_t lag, unsigned one_in) {
  Bytes data = test::good_bytes(lag, len);
  test::SeededChoices choices(lag);
  for (size_t i = lag; i < 8 * len; ++i) {
    if (!choices.chance(one_in)) continue;
    const unsigned before = data[(i - lag) / 8] >> (7 - (i - lag) % 8) & 1u;
    const unsigned place = 7 - i % 8;
    data[i / 8] = static_cast<uint8_t>((data[i / 8] & ~(1u << place)) | before << place);
  }
  return data;
}

TEST(assess_correlation, finds_the_lag_of_an_echo) {
  for (const size_t lag : {1u, 2u, 7u, 8u, 9u, 31u, 32u, 63u, 64u, 72u, 1024u, 8000u, 32768u}) {
    const Result result = test::result_of(test::judge(suite_correlation, echoing(100000, lag, 50)),
                                          "Autocorrelation", kWorst);
    EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL) << lag;
    EXPECT_EQ(test::figure_of(result, "lag"), lag);
    EXPECT_NEAR(test::figure_of(result, "correlation"), 0.02, 0.005);
  }
}

TEST(assess_correlation, a_bias_alone_is_no_correlation) {
  Bytes data = test::good_bytes(1, 200000);
  const Bytes mask = test::good_bytes(2, 200000);
  for (size_t i = 0; i < data.size(); ++i) data[i] |= mask[i];  // three quarters are ones
  const Report report = test::judge(suite_correlation, data);
  EXPECT_EQ(test::num_of(report, INCORE_VERDICT_PASS), 2u);
}

TEST(assess_correlation, equal_bits_fail) {
  EXPECT_EQ(test::num_of(test::judge(suite_correlation, Bytes(1000, 0xFF)), INCORE_VERDICT_FAIL),
            1u);
}

TEST(assess_correlation, needs_520_bytes) {
  EXPECT_EQ(test::num_of(test::judge(suite_correlation, test::good_bytes(1, 519)),
                         INCORE_VERDICT_SKIPPED),
            1u);
  EXPECT_EQ(
      test::num_of(test::judge(suite_correlation, test::good_bytes(1, 520)), INCORE_VERDICT_PASS),
      2u);
}

}  // namespace
}  // namespace incore::assess
