#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "assess/p_values.h"
#include "assess/special.h"
#include "assess/suite_runs.h"

namespace incore::assess {
namespace {

using test::Bytes;

constexpr size_t kBlockLen = 8192;
constexpr size_t kBits = 8 * kBlockLen;

Result strongest_in(const Bytes& data, uint64_t pieces_seed = 0) {
  return test::result_of(test::judge(suite_spectrum, data, pieces_seed), "Spectrum",
                         "strongest line");
}

// Power at |line| in the block from byte |begin| on, by the definition.
double power_at(const Bytes& data, size_t begin, size_t line) {
  std::complex<double> sum = 0;
  for (size_t i = 0; i < kBits; ++i) {
    const double value = data[begin + i / 8] >> (7 - i % 8) & 1 ? 1 : -1;
    sum += value *
           std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * line % kBits) / kBits);
  }
  return std::norm(sum) / kBits;
}

TEST(assess_spectrum, the_strongest_line_has_the_power_of_the_definition) {
  const Bytes data = test::good_bytes(2, 3 * kBlockLen + 5000);
  const Result result = strongest_in(data);
  EXPECT_EQ(test::figure_of(result, "blocks"), 3);
  const auto line = static_cast<size_t>(test::figure_of(result, "frequency") * kBits + 0.5);
  double power = 0, mean = 0, bias = 0;
  for (size_t begin = 0; begin < 3 * kBlockLen; begin += kBlockLen) {
    power += power_at(data, begin, line) / 3;
    bias += power_at(data, begin, 0) / 3;
  }
  // By Parseval's theorem all powers of bits add up to their number; every other line but the first
  // and the last is there twice.
  mean = (kBits - bias + power_at(data, 0, kBits / 2)) / 2 / (kBits / 2);
  EXPECT_NEAR(result.statistic, 10 * std::log10(power / mean / 1), 1e-3);
  EXPECT_NEAR(result.p_value, least_of_p(igamc(3, 3 * power / mean), kBits / 2),
              1e-2 * result.p_value);
}

// Bits that are 1 with probability 1/2 + amplitude * sin(2 pi i / period).
Bytes swinging(size_t len, double amplitude, double period) {
  test::GoodSource source(static_cast<uint64_t>(period));
  Bytes data(len);
  for (size_t i = 0; i < 8 * len; ++i)
    if (source.chance(0.5 +
                      amplitude * std::sin(2 * std::numbers::pi * static_cast<double>(i) / period)))
      data[i / 8] = static_cast<uint8_t>(data[i / 8] | 128 >> i % 8);
  return data;
}

TEST(assess_spectrum, a_weak_hum_is_found_at_its_period) {
  for (const double period : {3.7, 50.0, 1333.3, 20000.0}) {
    const Result result = strongest_in(swinging(1 << 20, 0.012, period));
    EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL) << period;
    EXPECT_NEAR(1 / test::figure_of(result, "period"), 1 / period, 1.0 / kBits) << period;
  }
}

TEST(assess_spectrum, the_last_line_belongs_to_alternating_bits) {
  Bytes data = test::good_bytes(3, 1 << 20);
  test::SeededChoices choices(1);
  for (uint8_t& byte : data)
    if (choices.chance(40)) byte = 0x55;
  const Result result = strongest_in(data);
  EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(test::figure_of(result, "period"), 2);
}

TEST(assess_spectrum, a_bias_alone_is_no_line) {
  Bytes data = test::good_bytes(1, 1 << 20);
  const Bytes mask = test::good_bytes(2, 1 << 20);
  for (size_t i = 0; i < data.size(); ++i) data[i] |= mask[i];
  EXPECT_EQ(strongest_in(data).verdict, INCORE_VERDICT_PASS);
}

TEST(assess_spectrum, pieces_do_not_matter_and_later_blocks_are_seen_too) {
  Bytes data = test::good_bytes(8, 600 * kBlockLen);
  const Result whole = strongest_in(data);
  EXPECT_EQ(test::figure_of(whole, "blocks"), 512 + 3);  // 512, 544 and 576 of those after the 512
  EXPECT_EQ(strongest_in(data, 5).statistic, whole.statistic);
  // A line in one of these alone.
  std::fill_n(&data[544 * kBlockLen], kBlockLen, uint8_t{0x0F});
  EXPECT_EQ(strongest_in(data).verdict, INCORE_VERDICT_FAIL);
}

TEST(assess_spectrum, equal_bits_fail_and_a_short_stream_is_skipped) {
  EXPECT_EQ(test::num_of(test::judge(suite_spectrum, Bytes(kBlockLen, 0xFF)), INCORE_VERDICT_FAIL),
            1u);
  EXPECT_EQ(test::num_of(test::judge(suite_spectrum, test::good_bytes(1, kBlockLen - 1)),
                         INCORE_VERDICT_SKIPPED),
            1u);
}

TEST(assess_spectrum, drawn_lines_lie_in_the_band_of_a_good_source) {
  const Series series =
      test::series_of(test::judge(suite_spectrum, test::good_bytes(1, 40 * kBlockLen)), "spectrum");
  ASSERT_EQ(series.y.size(), 512u);
  EXPECT_NEAR(series.x.back(), 0.5, 0.001);
  size_t outside = 0;
  for (const double power : series.y) outside += power < series.low || power > series.high;
  EXPECT_LE(outside, 14u);  // 5 are expected
}

}  // namespace
}  // namespace incore::assess
