// Figures that were printed by programs: the listings of chapter 6 of PadLock guide 1.66, and the
// Linux Journal article's Table 1 and disk benchmark.
#include <gtest/gtest.h>

#include <cmath>

#include "padlock/figure_testing.h"

namespace incore::padlock::test {
namespace {

// Printed, close to the model at 1.2 GHz, and the share of the 1.6 GHz table's figure that says so.
void expect_listed(const char* key, const char* column, double encrypt, double decrypt,
                   double at_1600) {
  SCOPED_TRACE(std::string(key) + " " + column);
  const FigureTable& table = table_called(key);
  const unsigned c = column_called(table, column);
  const FigureRow &first = row_of(table, 8192, "encrypt"), &second = row_of(table, 8192, "decrypt");
  EXPECT_EQ(first.printed[c], encrypt);
  EXPECT_EQ(second.printed[c], decrypt);
  EXPECT_LT(std::fabs(error_percent(table, first, c)), 1.5);
  const FigureTable& faster =
      table_called(table.path == DataPath::misaligned ? "guide-esther-misaligned" : "guide-esther");
  const double printed = row_of(faster, 8192).printed[column_called(faster, column)];
  EXPECT_EQ(printed, at_1600);
  EXPECT_NEAR(printed / encrypt, 1.325, 0.0075);
}

TEST(padlock_timing_listings, baes) {
  // clause: PLK-TIME-082
  expect_listed("guide-listing", "CBC", 6.76, 6.76, 8.93);
  // clause: PLK-TIME-083
  expect_listed("guide-listing", "ECB", 12.85, 12.85, 17.03);
  // clause: PLK-TIME-084
  expect_listed("guide-listing", "CFB", 6.76, 6.76, 8.93);
  // clause: PLK-TIME-085
  expect_listed("guide-listing", "OFB", 3.77, 3.79, 5.00);
  // clause: PLK-TIME-086
  expect_listed("guide-listing-misaligned", "CBC", 2.45, 2.44, 3.23);
  // clause: PLK-TIME-087
  expect_listed("guide-listing-misaligned", "CFB", 2.45, 2.44, 3.23);
  // clause: PLK-TIME-088
  expect_listed("guide-listing-misaligned", "OFB", 2.29, 2.29, 3.03);
}

TEST(padlock_timing_listings, cbc_mac) {
  const FigureTable& table = table_called("guide-listing");
  const unsigned column = column_called(table, "CBC-MAC");
  const FigureRow& row = row_of(table, 8192, "encrypt");
  // clause: PLK-TIME-089
  EXPECT_EQ(row.printed[column], 3.52);
  const XcryptWork mac = {.mode = AceMode::cbc, .blocks = 512, .digest = true};
  const XcryptWork cbc = {.mode = AceMode::cbc, .blocks = 512};
  const uint64_t mac_ticks = xcrypt_ticks(TimingCore::esther, Engine::measured, mac);
  EXPECT_NEAR(clocks_of(mac_ticks) / 512, 43.6, 0.3);
  const uint64_t cbc_ticks = xcrypt_ticks(TimingCore::esther, Engine::measured, cbc);
  EXPECT_NEAR(clocks_of(mac_ticks) / clocks_of(cbc_ticks), 2, 0.15);
}

TEST(padlock_timing_listings, processor_ran_at_1200_mhz) {
  for (const char* key :
       {"guide-listing", "guide-listing-misaligned", "guide-ctr-listing", "guide-modexp-listing"}) {
    const FigureTable& table = table_called(key);
    const FigureRow& last = table.rows[table.num_rows - 1];
    // clause: PLK-TIME-090
    EXPECT_EQ(table.clock_mhz, 1200u);
    EXPECT_LT(std::fabs(error_percent(table, last, 0)), 3) << key;
    FigureTable faster = table;
    faster.clock_mhz = 1600;
    EXPECT_GT(error_percent(faster, last, 0), 30) << key;
  }
}

TEST(padlock_timing_listings, ctr_errata) {
  const FigureTable& table = table_called("guide-ctr-listing");
  constexpr double kBits = 256 * 128 * 1e6;
  const FigureRow& blocks = row_of(table, 16, "256 calls");
  // clause: PLK-TIME-130
  EXPECT_EQ(blocks.printed[0], 1.23);
  EXPECT_NEAR(kBits / 26.70 / 1e9, blocks.printed[0], 0.005);
  EXPECT_LT(std::fabs(error_percent(table, blocks, 0)), 1);
  const FigureRow& once = row_of(table, 4096, "1 call");
  // clause: PLK-TIME-131
  EXPECT_EQ(once.printed[0], 5.06);
  EXPECT_NEAR(kBits / 6.47 / 1e9, once.printed[0], 0.005);
  EXPECT_LT(std::fabs(error_percent(table, once, 0)), 2);
  const FigureRow& checked = row_of(table, 4096, "1 call, checked");
  // clause: PLK-TIME-132
  EXPECT_EQ(checked.printed[0], 5.02);
  EXPECT_NEAR(kBits / 6.53 / 1e9, checked.printed[0], 0.005);
  EXPECT_NEAR(1 - 6.47 / 6.53, 0.009, 0.0005);
  EXPECT_LT(std::fabs(error_percent(table, checked, 0)), 3);
  // An interrupt in a call spoils it: so many in a second by the model's time of a call.
  const XcryptWork call = {.mode = AceMode::ctr, .blocks = 256};
  const double seconds =
      clocks_of(xcrypt_ticks(TimingCore::esther, Engine::measured, call)) / 1.2e9;
  // clause: PLK-TIME-133
  EXPECT_NEAR(0.0138 / seconds, 2130, 0.03 * 2130);
}

// ---- Linux Journal ----

struct ArticleRow {
  uint64_t size;
  double kbytes;
};

void expect_column(const char* column, const ArticleRow (&rows)[5], double tolerance_percent) {
  const FigureTable& table = table_called("linux-journal");
  const unsigned c = column_called(table, column);
  ASSERT_EQ(table.num_rows, 5u);
  for (const ArticleRow& row : rows) {
    SCOPED_TRACE(std::string(column) + " " + std::to_string(row.size));
    const FigureRow& figure = row_of(table, row.size);
    EXPECT_EQ(figure.printed[c], row.kbytes);
    if (tolerance_percent == 0) {
      EXPECT_EQ(table.model(table, figure, c), 0);  // software
    } else if (row.size >= 64) {
      EXPECT_LT(std::fabs(error_percent(table, figure, c)), tolerance_percent);
    }
  }
}

double printed(const char* column, uint64_t size) {
  const FigureTable& table = table_called("linux-journal");
  return row_of(table, size).printed[column_called(table, column)];
}

double modelled(const char* column, uint64_t size) {
  const FigureTable& table = table_called("linux-journal");
  return table.model(table, row_of(table, size), column_called(table, column));
}

TEST(padlock_timing_article, table_1) {
  // clause: LJ-015
  expect_column(
      "ECB software",
      {{16, 11274.53}, {64, 14327.79}, {256, 14608.64}, {1024, 14672.55}, {8192, 14693.72}}, 0);
  EXPECT_NEAR(1.2e6 / printed("ECB software", 8192), 82, 0.5);
  // clause: LJ-016
  expect_column(
      "ECB",
      {{16, 66892.82}, {64, 346583.52}, {256, 910704.21}, {1024, 1489932.59}, {8192, 1832151.72}},
      1.5);
  EXPECT_NEAR(printed("ECB", 8192) * 8 / 1e6, 14.66, 0.005);
  const uint64_t bare = xcrypt_ticks(TimingCore::nehemiah, Engine::ideal, {.blocks = 512});
  EXPECT_NEAR(gbits_per_second(8192, 1200, bare) / (printed("ECB", 8192) * 8 / 1e6), 1.046, 0.001);
  // clause: LJ-017
  expect_column(
      "CBC software",
      {{16, 8276.27}, {64, 12915.75}, {256, 13264.13}, {1024, 13313.02}, {8192, 13322.92}}, 0);
  EXPECT_NEAR(1.2e6 / printed("CBC software", 8192), 90, 0.5);
  // clause: LJ-018
  expect_column(
      "CBC",
      {{16, 48542.30}, {64, 241898.79}, {256, 523706.28}, {1024, 745157.61}, {8192, 846402.90}},
      1.5);
  EXPECT_NEAR(printed("CBC", 8192) * 8 / 1e6, 6.77, 0.005);
}

TEST(padlock_timing_article, what_the_text_says_of_it) {
  // clause: LJ-013
  EXPECT_NEAR(printed("CBC", 8192) / printed("ECB", 8192), 0.46, 0.005);
  EXPECT_NEAR(modelled("CBC", 8192) / modelled("ECB", 8192), 0.46, 0.005);
  // clause: LJ-019
  EXPECT_NEAR(printed("ECB", 8192) / printed("ECB software", 8192), 124.7, 0.05);
  EXPECT_NEAR(printed("CBC", 8192) / printed("CBC software", 8192), 63.5, 0.05);
  EXPECT_NEAR(modelled("ECB", 8192) / printed("ECB software", 8192), 120, 7);
  EXPECT_NEAR(modelled("CBC", 8192) / printed("CBC software", 8192), 60, 5);
  // clause: LJ-020
  EXPECT_NEAR(printed("ECB", 8192) / 1e6, 1.83, 0.005);
  EXPECT_NEAR(printed("CBC", 8192) / 1024, 827, 1);
  EXPECT_NEAR(modelled("ECB", 8192) / 1024 / 1024, 1.7, 0.1);
  EXPECT_NEAR(modelled("CBC", 8192) / 1024, 800, 40);
  // clause: LJ-021
  EXPECT_NEAR(printed("ECB", 16) / printed("ECB software", 16), 5.93, 0.005);
  EXPECT_NEAR(printed("CBC", 16) / printed("CBC software", 16), 5.87, 0.005);
  EXPECT_LT(modelled("ECB", 16) / printed("ECB software", 16), 10);
  EXPECT_LT(modelled("CBC", 16) / printed("CBC software", 16), 10);
}

TEST(padlock_timing_article, disk) {
  constexpr double kPlain = 61543;
  const FigureTable& table = table_called("linux-journal-disk");
  const FigureRow& row = row_of(table, 512);
  // clause: LJ-023
  EXPECT_EQ(row.printed[0], 49961);
  EXPECT_EQ(row.printed[1], 10005);
  EXPECT_NEAR(1 - row.printed[0] / kPlain, 0.188, 0.0005);
  EXPECT_NEAR(1 - row.printed[1] / kPlain, 0.837, 0.0005);
  EXPECT_NEAR(1 - table.model(table, row, 0) / kPlain, 0.188, 0.01);
  EXPECT_NEAR(1 - table.model(table, row, 1) / kPlain, 0.837, 0.012);
}

}  // namespace
}  // namespace incore::padlock::test
