#include <gtest/gtest.h>

#include "assess/special.h"
#include "assess/stream/stretches.h"
#include "assess/suite_runs.h"
#include "support/property.h"

namespace incore::assess {
namespace {

using test::Bytes;

TEST(assess_stretches, are_equal_and_hold_the_ones_of_each_bit) {
  test::for_each_seed(60, [](uint64_t seed) {
    test::SeededChoices choices(seed);
    const Bytes data = test::good_bytes(seed, choices.below(choices.chance(3) ? 200000 : 3000));
    Stretches stretches;
    for (size_t i = 0; i < data.size();) {
      const size_t len = std::min<size_t>(data.size() - i, choices.below(5000));
      stretches.update({&data[i], len});
      i += len;
    }
    EXPECT_LE(stretches.all().size(), 256u);
    if (data.size() > 128 * 64) {
      EXPECT_GT(stretches.all().size(), 128u);
    }
    size_t begin = 0;
    for (const Stretch& stretch : stretches.all()) {
      if (begin + stretch.len < data.size()) {
        EXPECT_EQ(stretch.len, stretches.all().front().len);
      }
      std::array<uint64_t, 8> ones = {};
      for (size_t i = begin; i < begin + stretch.len; ++i)
        for (unsigned bit = 0; bit < 8; ++bit) ones[bit] += data[i] >> bit & 1u;
      EXPECT_EQ(stretch.ones, ones);
      begin += stretch.len;
    }
    EXPECT_EQ(begin, data.size());
    EXPECT_EQ(stretches.sum().len, data.size());
  });
}

TEST(assess_bitmap, first_bits_are_drawn_as_they_come) {
  const Bytes data = test::good_bytes(1, 100);
  const Series series = test::series_of(test::judge(suite_bitmap, data), "first-bits");
  EXPECT_EQ(series.kind, INCORE_SERIES_BITMAP);
  EXPECT_EQ(series.rows, 3u);
  EXPECT_EQ(series.columns, 256u);
  ASSERT_EQ(series.y.size(), 768u);
  for (size_t i = 0; i < 768; ++i) EXPECT_EQ(series.y[i], data[i / 8] >> (7 - i % 8) & 1);
  const Series most =
      test::series_of(test::judge(suite_bitmap, test::good_bytes(1, 100000)), "first-bits");
  EXPECT_EQ(most.rows, 256u);
  EXPECT_EQ(most.y.size(), 65536u);
}

TEST(assess_bitmap, byte_pairs_have_the_chi_square_of_a_plain_loop_in_any_pieces) {
  const Bytes data = test::good_bytes(2, 700001);
  std::vector<double> counts(65536);
  for (size_t i = 0; i + 2 <= data.size(); i += 2) ++counts[256u * data[i] + data[i + 1]];
  const double expected = 350000.0 / 65536;
  double statistic = 0;
  for (const double count : counts) statistic += (count - expected) * (count - expected) / expected;
  for (const uint64_t pieces : {0, 1, 2}) {
    const Report report = test::judge(suite_bitmap, data, pieces);
    const Result& result = test::result_of(report, "Byte pairs");
    EXPECT_NEAR(result.statistic, statistic, 1e-6);
    EXPECT_NEAR(result.p_value,
                2 * std::min(chi_square_p(statistic, 65535), 1 - chi_square_p(statistic, 65535)),
                1e-9);
    EXPECT_EQ(test::series_of(report, "byte-pairs").y.size(), 65536u);
  }
}

TEST(assess_bitmap, pairs_that_follow_each_other_too_often_are_found) {
  Bytes data = test::good_bytes(3, 1 << 20);
  for (size_t i = 0; i + 1 < data.size(); i += 200)
    data[i + 1] = static_cast<uint8_t>(data[i] + 1);  // each byte alone stays as it should
  const Report report = test::judge(suite_bitmap, data);
  EXPECT_EQ(test::result_of(report, "Byte pairs").verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(test::result_of(report, "Bit positions").verdict, INCORE_VERDICT_PASS);
}

TEST(assess_bitmap, a_bit_that_leans_is_named) {
  Bytes data = test::good_bytes(4, 100000);
  for (size_t i = 0; i < data.size(); i += 20) data[i] |= 0x20;
  const Report report = test::judge(suite_bitmap, data);
  const Result& result = test::result_of(report, "Bit positions");
  EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL);
  EXPECT_NE(result.text.find("bit 5"), std::string::npos) << result.text;
  double ones = 0;
  for (const uint8_t byte : data) ones += byte >> 5 & 1;
  EXPECT_DOUBLE_EQ(test::figure_of(result, "share of ones in bit 5"), ones / 1e5);
}

// The bits of stretches with known numbers of ones.
TEST(assess_bitmap, drift_is_the_scatter_of_stretches_about_their_mean) {
  Bytes data = test::good_bytes(5, 16 * 64);  // 16 stretches of 64 bytes
  const Report report = test::judge(suite_bitmap, data);
  double all = 0, ones[16] = {};
  for (size_t i = 0; i < data.size(); ++i) ones[i / 64] += __builtin_popcount(data[i]);
  for (const double each : ones) all += each;
  const double share = all / (16 * 512);
  double statistic = 0, worst = 0;
  for (const double each : ones) {
    const double off = (each - 512 * share) / std::sqrt(512 * share * (1 - share));
    statistic += off * off;
    worst = std::max(worst, std::fabs(off) / std::sqrt(15.0 / 16));
  }
  EXPECT_NEAR(test::result_of(report, "Drift", "all stretches").statistic, statistic, 1e-9);
  EXPECT_NEAR(std::fabs(test::result_of(report, "Drift", "worst stretch").statistic), worst, 1e-9);
  EXPECT_EQ(test::figure_of(test::result_of(report, "Drift", "all stretches"), "stretches"), 16);
}

TEST(assess_bitmap, a_bias_that_changes_is_found_and_one_that_stays_is_not) {
  Bytes steady = test::good_bytes(6, 1 << 20), changing = steady;
  const Bytes mask = test::good_bytes(7, 1 << 20);
  for (size_t i = 0; i < steady.size(); i += 10) steady[i] |= mask[i];
  for (size_t i = 0; i < steady.size() / 2; i += 10) changing[i] |= mask[i];
  const auto verdict = [](const Bytes& data) {
    return test::result_of(test::judge(suite_bitmap, data), "Drift", "all stretches").verdict;
  };
  EXPECT_EQ(verdict(steady), INCORE_VERDICT_PASS);
  EXPECT_EQ(verdict(changing), INCORE_VERDICT_FAIL);
}

TEST(assess_bitmap, the_worst_stretch_is_located) {
  Bytes data = test::good_bytes(8, 1 << 20);
  std::fill_n(&data[700000], 300, uint8_t{0xFF});
  const Result result = test::result_of(test::judge(suite_bitmap, data), "Drift", "worst stretch");
  EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL);
  // Stretches of 4096 or 8192 bytes; the 171st of 4096 holds byte 700000.
  EXPECT_NE(result.text.find("the 4096 bytes from byte 696320 on"), std::string::npos)
      << result.text;
}

TEST(assess_bitmap, each_bit_over_time_is_drawn_highest_first) {
  Bytes data = test::good_bytes(9, 64 * 64);
  for (size_t i = 0; i < 64; ++i) data[64 * 10 + i] |= 0x80;
  const Series series = test::series_of(test::judge(suite_bitmap, data), "bit-positions");
  ASSERT_EQ(series.rows, 8u);
  ASSERT_EQ(series.columns, 64u);
  EXPECT_EQ(series.y[10], 1);
}

TEST(assess_bitmap, equal_bits_have_no_drift_but_one_sided_positions) {
  const Report report = test::judge(suite_bitmap, Bytes(5000, 0));
  EXPECT_EQ(test::result_of(report, "Bit positions").verdict, INCORE_VERDICT_FAIL);
}

TEST(assess_bitmap, short_streams_are_skipped) {
  EXPECT_EQ(
      test::num_of(test::judge(suite_bitmap, test::good_bytes(1, 1023)), INCORE_VERDICT_SKIPPED),
      2u);
  EXPECT_EQ(
      test::num_of(test::judge(suite_bitmap, test::good_bytes(1, 1024)), INCORE_VERDICT_SKIPPED),
      1u);
  EXPECT_EQ(
      test::num_of(test::judge(suite_bitmap, test::good_bytes(1, 655360)), INCORE_VERDICT_SKIPPED),
      0u);
  EXPECT_EQ(test::num_of(test::judge(suite_bitmap, {}), INCORE_VERDICT_SKIPPED), 2u);
}

}  // namespace
}  // namespace incore::assess
