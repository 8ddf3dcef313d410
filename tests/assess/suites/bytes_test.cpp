// The measures of ENT against plain loops, against what ent printed, and against ent itself.
#include <gtest/gtest.h>

#include <sstream>

#include "assess/special.h"
#include "assess/suite_runs.h"
#include "support/process.h"
#include "support/property.h"

namespace incore::assess {
namespace {

using test::Bytes;

struct Measures {
  double chi_square, entropy, mean, pi, serial;
};

Measures of_bytes(const Report& report) {
  return {test::result_of(report, "Chi-square of bytes").statistic,
          test::result_of(report, "Entropy of bytes").statistic,
          test::figure_of(test::result_of(report, "Mean of bytes"), "mean"),
          test::figure_of(test::result_of(report, "Monte Carlo pi"), "pi"),
          test::result_of(report, "Serial correlation").statistic};
}

Measures of_bits(const Report& report) {
  const Result& monobit = test::result_of(report, "Monobit");
  const Result& entropy = test::result_of(report, "Entropy of bits");
  return {test::figure_of(monobit, "chi-square"), entropy.statistic,
          test::figure_of(monobit, "share"), of_bytes(report).pi,
          test::figure_of(entropy, "serial correlation")};
}

// The same for symbols one by one, in |values| ways. Pi is always of bytes.
Measures plainly(const std::vector<unsigned>& symbols, unsigned values, const Bytes& data) {
  const auto n = static_cast<double>(symbols.size());
  std::vector<double> counts(values);
  double sum = 0, squares = 0, products = 0;
  for (size_t i = 0; i < symbols.size(); ++i) {
    ++counts[symbols[i]];
    sum += symbols[i];
    squares += 1.0 * symbols[i] * symbols[i];
    products += 1.0 * symbols[i] * symbols[(i + 1) % symbols.size()];
  }
  Measures measures = {};
  for (const double count : counts) {
    measures.chi_square += std::pow(count - n / values, 2) / (n / values);
    if (count > 0) measures.entropy -= count / n * std::log2(count / n);
  }
  measures.mean = sum / n;
  measures.serial = (n * products - sum * sum) / (n * squares - sum * sum);
  double points = 0, inside = 0;
  for (size_t i = 0; i + 6 <= data.size(); i += 6, ++points) {
    const double x = 65536.0 * data[i] + 256.0 * data[i + 1] + data[i + 2];
    const double y = 65536.0 * data[i + 3] + 256.0 * data[i + 4] + data[i + 5];
    inside += x * x + y * y <= 16777215.0 * 16777215.0;
  }
  measures.pi = 4 * inside / points;
  return measures;
}

void expect_near(const Measures& found, const Measures& expected, double relative) {
  EXPECT_NEAR(found.chi_square, expected.chi_square, relative * expected.chi_square + relative);
  EXPECT_NEAR(found.entropy, expected.entropy, relative);
  EXPECT_NEAR(found.mean, expected.mean, relative * 128);
  EXPECT_NEAR(found.pi, expected.pi, relative);
  EXPECT_NEAR(found.serial, expected.serial, relative);
}

TEST(assess_bytes, measures_are_those_of_plain_loops_in_any_pieces) {
  test::for_each_seed(40, [](uint64_t seed) {
    test::SeededChoices choices(seed);
    Bytes data = test::good_bytes(seed, 6000 + choices.below(choices.chance(4) ? 200000 : 3000));
    if (choices.chance(2))
      for (uint8_t& byte : data) byte &= static_cast<uint8_t>(byte >> 1 | 0x83);
    const Report report = test::judge(suite_bytes, data, seed);
    std::vector<unsigned> bytes(data.begin(), data.end()), bits;
    for (const uint8_t byte : data)
      for (unsigned k = 8; k-- > 0;) bits.push_back(byte >> k & 1u);
    expect_near(of_bytes(report), plainly(bytes, 256, data), 1e-10);
    expect_near(of_bits(report), plainly(bits, 2, data), 1e-10);
  });
}

// x = 1664525 x + 1013904223 mod 2^32 from 1, the highest byte of each.
Bytes congruential(size_t len) {
  Bytes data(len);
  uint32_t x = 1;
  for (uint8_t& byte : data) byte = static_cast<uint8_t>((x = 1664525 * x + 1013904223) >> 24);
  return data;
}

// ent 1.2debian-3, `ent -t` and `ent -b -t`, of 100,000 such bytes.
TEST(assess_bytes, measures_are_what_ent_printed) {
  const Report report = test::judge(suite_bytes, congruential(100000));
  // Printed with six digits after the point.
  expect_near(of_bytes(report), {277.519360, 7.997992, 127.421620, 3.128765, -0.001851}, 5.1e-7);
  expect_near(of_bits(report), {1.053405, 0.999999, 0.499426, 3.128765, -0.000936}, 5.1e-7);
}

TEST(assess_bytes, measures_are_what_ent_prints_now) {
  if (test::run({"sh", "-c", "command -v ent"}).exit_code != 0)
    GTEST_SKIP() << "ent is not installed";
  const test::TemporaryDirectory folder;
  Bytes biased = test::good_bytes(2, 123457);
  for (uint8_t& byte : biased) byte |= static_cast<uint8_t>(byte << 1 & 0x10);
  for (const Bytes& data : {test::good_bytes(1, 1 << 20), biased, Bytes(6000, 7)}) {
    const Report report = test::judge(suite_bytes, data);
    const std::string path = folder.write("data", std::string(data.begin(), data.end()));
    for (const bool bits : {false, true}) {
      const std::string out = test::run({"ent", bits ? "-bt" : "-t", path}).out;
      std::istringstream line(out.substr(out.find('\n') + 1));
      std::vector<double> values;
      for (std::string field; std::getline(line, field, ',');) values.push_back(std::stod(field));
      ASSERT_EQ(values.size(), 7u) << out;
      const Measures found = bits ? of_bits(report) : of_bytes(report);
      EXPECT_NEAR(found.entropy, values[2], 5.1e-7);
      EXPECT_NEAR(found.chi_square, values[3], 5.1e-7 + 1e-12 * values[3]);
      EXPECT_NEAR(found.mean, values[4], 5.1e-7);
      EXPECT_NEAR(found.pi, values[5], 5.1e-7);
      // ent prints -99999 where it is not defined.
      if (std::isnan(found.serial)) {
        EXPECT_LT(values[6], -99998);
      } else {
        EXPECT_NEAR(found.serial, values[6], 5.1e-7);
      }
    }
  }
}

TEST(assess_bytes, chi_square_has_the_upper_tail_that_ent_prints) {
  // `ent` of the bytes above: "would exceed this value ... percent of the times".
  const Report report = test::judge(suite_bytes, congruential(100000));
  EXPECT_NEAR(test::figure_of(test::result_of(report, "Chi-square of bytes"), "upper tail"), 0.1590,
              5.1e-5);
}

// dieharder's sts_monobit gives the upper tail, of the ones of words as they are in the file.
TEST(assess_bytes, monobit_is_dieharders) {
  if (test::run({"sh", "-c", "command -v dieharder"}).exit_code != 0)
    GTEST_SKIP() << "dieharder is not installed";
  const test::TemporaryDirectory folder;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const Bytes data = test::good_bytes(seed, 400000);
    const std::string path = folder.write("data", std::string(data.begin(), data.end()));
    const std::string out =
        test::run({"dieharder", "-d", "100", "-g", "201", "-f", path, "-t", "100000", "-p", "1"})
            .out;
    size_t at = out.find("sts_monobit");
    ASSERT_NE(at, std::string::npos) << out;
    for (int column = 0; column < 4; ++column) at = out.find('|', at) + 1;
    const double upper = std::stod(out.substr(at));
    const double z = test::result_of(test::judge(suite_bytes, data), "Monobit").statistic;
    EXPECT_NEAR(1 - normal_cdf(z), upper, 1e-7);
  }
}

// Points of a lattice in a quarter of a disc, its axes included, of all 2^48.
TEST(assess_bytes, share_of_points_inside_is_exact) {
  constexpr uint64_t kRadius = 0xFFFFFF;
  uint64_t inside = 0, y = kRadius;
  for (uint64_t x = 0; x <= kRadius; ++x) {
    while (x * x + y * y > kRadius * kRadius) --y;
    inside += y + 1;
  }
  const double share = static_cast<double>(inside) * 0x1p-48;
  const Result result =
      test::result_of(test::judge(suite_bytes, test::good_bytes(1, 60000)), "Monte Carlo pi");
  const double points = test::figure_of(result, "points");
  EXPECT_EQ(points, 10000);
  const double z = (test::figure_of(result, "inside") - points * share) /
                   std::sqrt(points * share * (1 - share));
  EXPECT_NEAR(result.statistic, z, 1e-11);
}

TEST(assess_bytes, too_even_is_as_suspicious_as_uneven) {
  Bytes counter(256 * 100);
  for (size_t i = 0; i < counter.size(); ++i) counter[i] = static_cast<uint8_t>(i * 77);
  const Result result = test::result_of(test::judge(suite_bytes, counter), "Chi-square of bytes");
  EXPECT_EQ(result.statistic, 0);
  EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL);
}

TEST(assess_bytes, equal_bytes_fail_without_a_correlation) {
  const Report report = test::judge(suite_bytes, Bytes(2000, 0x55));
  EXPECT_EQ(test::result_of(report, "Serial correlation").verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(test::result_of(report, "Chi-square of bytes").verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(test::result_of(report, "Monobit").verdict, INCORE_VERDICT_PASS);
}

TEST(assess_bytes, needs_1280_bytes_and_pi_6000) {
  const auto skipped = [](size_t len) {
    return test::num_of(test::judge(suite_bytes, test::good_bytes(1, len)), INCORE_VERDICT_SKIPPED);
  };
  EXPECT_EQ(skipped(0), 1u);
  EXPECT_EQ(skipped(1279), 1u);
  EXPECT_EQ(skipped(1280), 1u);
  EXPECT_EQ(skipped(5999), 1u);
  EXPECT_EQ(skipped(6000), 0u);
}

TEST(assess_bytes, histogram_has_a_bar_for_each_byte) {
  const Series series =
      test::series_of(test::judge(suite_bytes, test::good_bytes(1, 256000)), "byte-histogram");
  ASSERT_EQ(series.y.size(), 256u);
  double sum = 0;
  size_t outside = 0;
  for (const double share : series.y) {
    sum += share;
    outside += share < series.low || share > series.high;
  }
  EXPECT_NEAR(sum, 256, 1e-9);
  EXPECT_LE(outside, 9u);  // 2.6 are expected
}

}  // namespace
}  // namespace incore::assess
