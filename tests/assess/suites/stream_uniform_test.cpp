// P-values of the suites that read whole streams: for good bytes they are uniform, whatever the
// length. INCORE_PROPERTY_COUNT=10000 looks closer.
#include <gtest/gtest.h>

#include <map>

#include "assess/suite_runs.h"
#include "support/property.h"

namespace incore::assess {
namespace {

const SuiteInfo* const kSuites[] = {&suite_bytes, &suite_correlation, &suite_runs, &suite_spectrum,
                                    &suite_bitmap};

// Those with few possible values are not uniform; they must not be low too often.
bool is_discrete(const std::string& test) {
  return test == "Longest run";
}

class assess_stream_p_values : public ::testing::TestWithParam<size_t> {};

TEST_P(assess_stream_p_values, are_uniform_for_good_bytes) {
  std::map<std::string, std::vector<double>> p_values;
  const uint64_t usual = std::min<uint64_t>(300, 20'000'000 / GetParam());
  const uint64_t seeds = test::number_from_environment("INCORE_PROPERTY_COUNT", usual);
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const test::Bytes data = test::good_bytes(seed + 1000 * GetParam(), GetParam());
    for (const SuiteInfo* const suite : kSuites)
      for (const Result& result : test::judge(*suite, data).results)
        if (!std::isnan(result.p_value))
          p_values[std::string(suite->name) + ": " + result.test + " " + result.variant].push_back(
              result.p_value);
  }
  EXPECT_GE(p_values.size(), 9u);
  for (const auto& [name, values] : p_values) {
    if (values.size() < seeds) continue;  // too short for it now and then
    for (const double p : values) EXPECT_TRUE(p >= 0 && p <= 1) << name << " " << p;
    const auto low = std::count_if(values.begin(), values.end(), [](double p) { return p < 0.1; });
    const double many = 0.1 * static_cast<double>(seeds);
    EXPECT_LT(static_cast<double>(low), many + 5 * std::sqrt(many)) << name;
    if (!is_discrete(name.substr(name.find(": ") + 2, 11))) {
      EXPECT_GT(test::uniformity_p(values), 1e-4) << name;
    }
  }
}

TEST(assess_stream_texts, have_finite_numbers_for_bytes_without_any_chance) {
  for (const uint8_t byte : {0x00, 0x01, 0x55, 0xFF})
    for (const SuiteInfo* const suite : suites()) {
      if (!suite->by_default) continue;
      for (const Result& result : test::judge(*suite, test::Bytes(20'000, byte)).results) {
        EXPECT_FALSE(std::isinf(result.statistic)) << suite->name << ": " << result.test;
        for (const char* const odd : {"inf", "nan"})
          EXPECT_EQ((" " + result.text).find(std::string(" ") + odd), std::string::npos)
              << result.text;
        EXPECT_EQ(result.text.find("-inf"), std::string::npos) << result.text;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(lengths, assess_stream_p_values,
                         ::testing::Values(1500, 10000, 65536, 200001));

}  // namespace
}  // namespace incore::assess
