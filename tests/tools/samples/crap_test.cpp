// The parts of `incore rng crap`: its statistics, and what it shows. The command itself is in
// cli/rng/rng_crap_test.cpp.
#include <gtest/gtest.h>

#include "support/hex.h"
#include "tools/samples/crap_screen.h"
#include "tools/samples/crap_statistics.h"

namespace incore::tools {
namespace {

using test::Bytes;
using test::random_bytes;

double direct_chi_square(const Bytes& bytes) {
  double sum = 0;
  const double expected = static_cast<double>(bytes.size()) / 256;
  for (int value = 0; value < 256; ++value) {
    const auto count = static_cast<double>(std::count(bytes.begin(), bytes.end(), value));
    sum += (count - expected) * (count - expected) / expected;
  }
  return sum;
}

CrapResult judge(CrapStatistics& statistics, const Bytes& sample) {
  // In two pieces of odd lengths.
  statistics.update({sample.data(), 1001});
  statistics.update({sample.data() + 1001, sample.size() - 1001});
  return statistics.end_sample();
}

TEST(samples_crap, chi_square_of_a_sample_and_of_all) {
  CrapStatistics statistics;
  const Bytes first = random_bytes(5003, 1), second = random_bytes(7001, 2);
  Bytes both = first;
  both.insert(both.end(), second.begin(), second.end());
  // clause: PLK-TOOL-027
  EXPECT_NEAR(judge(statistics, first).chi_square, direct_chi_square(first), 1e-9);
  const CrapResult result = judge(statistics, second);
  EXPECT_NEAR(result.chi_square, direct_chi_square(second), 1e-9);
  // clause: PLK-TOOL-029
  EXPECT_NEAR(result.total_chi_square, direct_chi_square(both), 1e-9);
  EXPECT_EQ(result.total_p_value, crap_p_value(result.total_chi_square));
  statistics.reset();
  const CrapResult again = judge(statistics, second);
  EXPECT_NEAR(again.total_chi_square, direct_chi_square(second), 1e-9);
  EXPECT_NE(again.evenness, result.evenness);
}

TEST(samples_crap, p_values_of_the_guides_listing) {
  const struct {
    double statistic, p;
  } samples[] = {
      {268.52, 0.268}, {236.62, 0.789}, {208.21, 0.986}, {295.41, 0.042}, {275.88, 0.176}};
  // clause: PLK-TOOL-028
  for (const auto& s : samples) EXPECT_NEAR(crap_p_value(s.statistic), s.p, 0.00051);
  const struct {
    double statistic, p;
  } totals[] = {
      {268.52, 0.268}, {246.00, 0.646}, {236.39, 0.793}, {237.74, 0.774}, {262.48, 0.360}};
  // clause: PLK-TOOL-029
  for (const auto& s : totals) EXPECT_NEAR(crap_p_value(s.statistic), s.p, 0.00051);
  // clause: PLK-TOOL-028
  EXPECT_GT(crap_p_value(409.9), 0);
  EXPECT_EQ(crap_p_value(410.1), 0);
}

CrapHeader header() {
  CrapHeader h;
  h.date = "Thu Aug  4 13:32:11 2005";
  h.host = "esther";
  h.sample_bytes = 1 << 20;
  h.divider = 3;
  return h;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(samples_crap, a_sample_looks_as_in_the_guide) {
  CrapScreen screen;
  EXPECT_EQ(screen.sample(header(), 1, 1632),
            "\tCENTAUR RNG ANALYSIS PACKAGE Thu Aug  4 13:32:11 2005\n"
            "\t1 MB samples from esther\n"
            "\tDCBIAS=0 EDX DIVIDER=3 DEV=A\n"
            "\t-----\n"
            "\n\tSample 1. RNG datarate: 1632 kbits/sec\n");
  // clause: PLK-TOOL-038
  EXPECT_EQ(screen.statistics({268.52, 0.26835, 246.0, 0.64623, 0.37812}),
            "\t\tChi-square:  268.52 PVALUE: 0.26835\n"
            "\t\t   [Total]  246.00         0.64623\n"
            "\t\t                    KSTEST: 0.37812\n"
            "\t\t-----\n");
  EXPECT_EQ(screen.sample(header(), 2, std::nullopt), "\n\tSample 2.\n");
}

TEST(samples_crap, the_header_says_what_is_set) {
  CrapHeader h = header();
  h.mode = 2, h.raw = true, h.bias = 5;
  // clause: PLK-TOOL-035
  EXPECT_TRUE(contains(CrapScreen().sample(h, 1, 1), "\tDCBIAS=5 EDX DIVIDER=3 DEV=AB RAW BITS\n"));
  h = header();
  h.mode = 1, h.sha = 64, h.saved_to = "/rngdata/x.RNG", h.sample_bytes = 10 << 20;
  // clause: PLK-TOOL-035
  EXPECT_TRUE(contains(CrapScreen().sample(h, 1, 1),
                       "\t10 MB samples from esther\n"
                       "\tDCBIAS=0 EDX DIVIDER=3 DEV=B SHA-1=64\n"
                       "\tRNG data saved to /rngdata/x.RNG\n"));
  h.is_chip = false, h.sample_bytes = 1000, h.saved_to = "";
  EXPECT_TRUE(
      contains(CrapScreen().sample(h, 1, 1), "\t1000 byte samples from esther\n\tSHA-1=64\n"));
}

TEST(samples_crap, a_page_is_full_after_eight_samples) {
  CrapScreen screen;
  for (unsigned i = 1; i <= 17; ++i) {
    const std::string sample = screen.sample(header(), i, 1);
    const std::string statistics = screen.statistics({});
    // clause: PLK-TOOL-033
    EXPECT_EQ(contains(sample, "CENTAUR"), i % 8 == 1) << i;
    EXPECT_EQ(contains(statistics, "\f\n"), i % 8 == 0) << i;
  }
  CrapScreen without;
  for (unsigned i = 1; i <= 3; ++i)
    // clause: PLK-TOOL-034
    EXPECT_TRUE(contains(without.sample(header(), i, 1), "CENTAUR"));
}

TEST(samples_crap, data_rate_in_whole_kilobits) {
  // clause: PLK-TOOL-026
  EXPECT_EQ(crap_data_rate(1 << 20, 5.14), 1632u);
  EXPECT_EQ(crap_data_rate(1000, 0), 0u);
}

TEST(samples_crap, file_names_have_chip_day_time_divider_and_flags) {
  std::tm time = {};
  time.tm_year = 105, time.tm_yday = 215, time.tm_mon = 7, time.tm_mday = 4;
  time.tm_hour = 13, time.tm_min = 32;
  // clause: PLK-TOOL-020
  EXPECT_EQ(crap_file_name("/rngdata", "esther", time, 3, "R"),
            "/rngdata/esther.05216.1332.3R.RNG");
  EXPECT_EQ(crap_file_name("x", "nano", time, 0, "HRT"), "x/nano.05216.1332.0HRT.RNG");
}

}  // namespace
}  // namespace incore::tools
