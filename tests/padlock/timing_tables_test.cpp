// The performance tables of PadLock guide 1.66, section 3.3, row by row: the figures that Incore
// prints are the document's, the bare formula misses them by as much as docs/clauses says, and the
// model comes close.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "padlock/figure_testing.h"

namespace incore::padlock::test {
namespace {

struct PrintedRow {
  uint64_t size;
  double gbits[4];
  double bare_error_percent = 0;  // of the guide's formula for ECB, the first column
};

// ECB, CBC, CFB, OFB
const PrintedRow kNehemiah[] = {
    // clause: PLK-TIME-035
    {16, {3.28, 3.37, 2.98, 1.86}, 61.5},
    // clause: PLK-TIME-036
    {32, {5.79, 5.29, 4.83, 2.38}, 71.2},
    // clause: PLK-TIME-037
    {64, {10.67, 5.82, 5.82, 2.65}, 12.9},
    // clause: PLK-TIME-038
    {128, {12.05, 6.04, 6.02, 2.82}, 12.1},
    // clause: PLK-TIME-039
    {256, {12.88, 6.19, 6.10, 2.91}, 11.6},
    // clause: PLK-TIME-040
    {512, {13.52, 6.36, 6.22, 3.03}, 9.8},
    // clause: PLK-TIME-041
    {1024, {13.88, 6.40, 6.33, 3.06}, 8.8},
    // clause: PLK-TIME-042
    {2048, {13.94, 6.38, 6.34, 3.06}, 9.2},
    // clause: PLK-TIME-043
    {4096, {14.00, 6.43, 6.28, 3.08}, 9.2},
    // clause: PLK-TIME-044
    {8192, {13.94, 6.43, 6.39, 3.09}, 10.0},
    // clause: PLK-TIME-045
    {16384, {14.01, 6.43, 6.24, 3.10}, 9.5},
    // clause: PLK-TIME-046
    {32768, {10.66, 6.24, 6.11, 2.89}, 44.0},
    // clause: PLK-TIME-047
    {65536, {9.45, 6.02, 5.90, 2.82}, 62.5},
    // clause: PLK-TIME-048
    {1048576, {1.05, 1.05, 1.05, 0.89}, 1362.8},
};

const PrintedRow kEsther[] = {
    // clause: PLK-TIME-049
    {16, {4.13, 3.88, 3.66, 2.11}, 71.0},
    // clause: PLK-TIME-050
    {32, {6.83, 6.03, 5.75, 2.96}, 93.5},
    // clause: PLK-TIME-051
    {64, {12.19, 7.53, 7.31, 3.71}, 31.8},
    // clause: PLK-TIME-052
    {128, {14.11, 8.36, 8.19, 4.27}, 27.6},
    // clause: PLK-TIME-053
    {256, {15.21, 8.71, 8.71, 4.60}, 26.0},
    // clause: PLK-TIME-054
    {512, {16.07, 8.80, 8.80, 4.82}, 23.2},
    // clause: PLK-TIME-055
    {1024, {16.72, 8.90, 8.90, 4.93}, 20.4},
    // clause: PLK-TIME-056
    {2048, {16.83, 8.98, 8.96, 4.96}, 20.7},
    // clause: PLK-TIME-057
    {4096, {17.03, 8.93, 8.93, 5.00}, 19.7},
    // clause: PLK-TIME-058
    {8192, {17.03, 8.93, 8.93, 5.00}, 20.0},
    // clause: PLK-TIME-059
    {16384, {17.03, 8.98, 8.93, 5.02}, 20.1},
    // clause: PLK-TIME-060
    {32768, {17.20, 8.97, 8.89, 5.04}, 19.0},
    // clause: PLK-TIME-061
    {65536, {14.56, 8.67, 8.67, 4.72}, 40.6},
    // clause: PLK-TIME-062
    {1048576, {3.09, 2.69, 2.69, 2.56}, 562.8},
};

// CTR, CBC, CFB, OFB
const PrintedRow kEstherMisaligned[] = {
    // clause: PLK-TIME-063
    {16, {1.52, 1.56, 1.49, 1.42}},
    // clause: PLK-TIME-064
    {32, {2.37, 1.78, 1.78, 1.70}},
    // clause: PLK-TIME-065
    {64, {3.27, 2.31, 2.28, 2.18}},
    // clause: PLK-TIME-066
    {128, {4.06, 2.69, 2.66, 2.54}},
    // clause: PLK-TIME-067
    {256, {4.10, 2.95, 2.93, 2.77}},
    // clause: PLK-TIME-068
    {512, {4.90, 3.08, 3.08, 2.90}},
    // clause: PLK-TIME-069
    {1024, {5.09, 3.17, 3.15, 2.98}},
    // clause: PLK-TIME-070
    {2048, {5.20, 3.20, 3.20, 3.01}},
    // clause: PLK-TIME-071
    {4096, {5.24, 3.23, 3.22, 3.02}},
    // clause: PLK-TIME-072
    {8192, {5.26, 3.23, 3.23, 3.03}},
    // clause: PLK-TIME-073
    {16384, {5.28, 3.24, 3.24, 3.04}},
    // clause: PLK-TIME-074
    {32768, {5.28, 3.25, 3.25, 3.04}},
    // clause: PLK-TIME-075
    {65536, {5.14, 3.20, 3.20, 3.01}},
    // clause: PLK-TIME-076
    {1048576, {1.68, 2.17, 2.17, 2.09}},
};

// How far the model may be from a figure. The guide itself says 10 to 15 % for its figures.
double tolerance_percent(const FigureTable& table, uint64_t size) {
  if (size < 64) return 11.5;        // the loop around the instruction rules
  if (size <= 16 << 10) return 4.1;  // what the model is made for
  if (size <= 32 << 10) return 7;    // the edge of the first cache
  return table.path == DataPath::misaligned && size > 64 << 10 ? 44 : 20.5;  // the memory
}

// The misprint of the table for non-aligned buffers: see PLK-TIME-067.
bool is_misprint(const FigureTable& table, uint64_t size, unsigned column) {
  return table.path == DataPath::misaligned && size == 256 && column == 0;
}

template <size_t kNumRows>
void expect_table(const char* key, const PrintedRow (&printed)[kNumRows]) {
  const FigureTable& table = table_called(key);
  ASSERT_EQ(table.num_rows, kNumRows);
  for (size_t r = 0; r < kNumRows; ++r) {
    const FigureRow& row = table.rows[r];
    ASSERT_EQ(row.size, printed[r].size);
    for (unsigned column = 0; column < 4; ++column) {
      SCOPED_TRACE(std::string(key) + " " + std::to_string(row.size) + " " + table.columns[column]);
      EXPECT_EQ(row.printed[column], printed[r].gbits[column]);
      if (!is_misprint(table, row.size, column)) {
        EXPECT_LT(std::fabs(error_percent(table, row, column)), tolerance_percent(table, row.size));
      }
    }
    if (printed[r].bare_error_percent == 0) continue;
    const XcryptWork ecb = {.blocks = row.size / 16};
    const double bare =
        gbits_per_second(row.size, table.clock_mhz, xcrypt_ticks(table.core, Engine::ideal, ecb));
    // 0.1 beside the rounding of very large ones
    EXPECT_NEAR(100 * (bare / row.printed[0] - 1), printed[r].bare_error_percent,
                0.1 + printed[r].bare_error_percent / 1000)
        << key << " " << row.size;
  }
}

TEST(padlock_timing_tables, nehemiah_aligned) {
  expect_table("guide-nehemiah", kNehemiah);
}

TEST(padlock_timing_tables, esther_aligned) {
  expect_table("guide-esther", kEsther);
}

TEST(padlock_timing_tables, esther_misaligned) {
  expect_table("guide-esther-misaligned", kEstherMisaligned);
  // With the value that was probably meant, the row fits as well as its neighbours.
  const FigureTable& table = table_called("guide-esther-misaligned");
  EXPECT_NEAR(table.model(table, row_of(table, 256), 0), 4.60, 0.02);
}

// ---- Derived constants ----

// Clocks per block of a long instruction.
double steady_clocks(TimingCore core, AceMode mode, DataPath path = DataPath::plain) {
  constexpr uint64_t kBlocks = 1024;
  XcryptWork work = {.mode = mode, .blocks = 2 * kBlocks, .path = path};
  const uint64_t twice = xcrypt_ticks(core, Engine::measured, work);
  work.blocks = kBlocks;
  return clocks_of(twice - xcrypt_ticks(core, Engine::measured, work)) / kBlocks;
}

void expect_within_3_percent(double value, double expected) {
  EXPECT_NEAR(value, expected, 0.03 * expected);
}

TEST(padlock_timing_tables, steady_state_per_block) {
  constexpr TimingCore kN = TimingCore::nehemiah, kE = TimingCore::esther;
  // clause: PLK-TIME-077
  expect_within_3_percent(steady_clocks(kN, AceMode::ecb), 11.0);
  expect_within_3_percent(steady_clocks(kN, AceMode::cbc), 23.9);
  expect_within_3_percent(steady_clocks(kN, AceMode::cfb), 24.3);
  expect_within_3_percent(steady_clocks(kN, AceMode::ofb), 49.7);
  // clause: PLK-TIME-078
  expect_within_3_percent(steady_clocks(kE, AceMode::ecb), 12.0);
  expect_within_3_percent(steady_clocks(kE, AceMode::cbc), 22.9);
  expect_within_3_percent(steady_clocks(kE, AceMode::cfb), 22.9);
  expect_within_3_percent(steady_clocks(kE, AceMode::ofb), 40.9);
  // clause: PLK-TIME-079
  expect_within_3_percent(steady_clocks(kE, AceMode::ctr, DataPath::misaligned), 38.9);
  expect_within_3_percent(steady_clocks(kE, AceMode::cbc, DataPath::misaligned), 63.3);
  expect_within_3_percent(steady_clocks(kE, AceMode::cfb, DataPath::misaligned), 63.3);
  expect_within_3_percent(steady_clocks(kE, AceMode::ofb, DataPath::misaligned), 67.5);
}

// The straight line a + b N through a column of 16 B to 16 KB, and how far the figures are from it.
struct Line {
  const char* table;
  const char* column;
  double a, b, worst_percent;
};

TEST(padlock_timing_tables, model_is_no_worse_than_a_straight_line) {
  const Line lines[] = {
      // clause: PLK-TIME-080
      {"guide-nehemiah", "OFB", 32.0, 49.86, 2.0},
      {"guide-esther", "OFB", 56.6, 40.81, 0.4},
      {"guide-nehemiah", "CBC", 17.3, 23.49, 10.6},
      {"guide-esther", "CBC", 26.4, 22.28, 7.8},
      // clause: PLK-TIME-081
      {"guide-esther-misaligned", "CTR", 95.8, 39.11, 9.7},
      {"guide-esther-misaligned", "CBC", 78.1, 64.26, 10.2},
      {"guide-esther-misaligned", "CFB", 83.3, 64.26, 7.9},
      {"guide-esther-misaligned", "OFB", 85.8, 68.23, 7.8},
  };
  for (const Line& line : lines) {
    SCOPED_TRACE(std::string(line.table) + " " + line.column);
    const FigureTable& table = table_called(line.table);
    const unsigned column = column_called(table, line.column);
    double worst_of_line = 0;
    for (size_t r = 0; r < table.num_rows; ++r) {
      const FigureRow& row = table.rows[r];
      if (row.size > 16 << 10) continue;
      const double blocks = static_cast<double>(row.size) / 16;
      const double clocks =
          static_cast<double>(row.size) * 8 * table.clock_mhz / 1000 / row.printed[column];
      const double off = 100 * std::fabs((line.a + line.b * blocks) / clocks - 1);
      worst_of_line = std::max(worst_of_line, off);
      // The least turn of the loop costs the model up to 9 % at 16 B.
      const double allowed = std::max(line.worst_percent, row.size == 16 ? 9.0 : 2.8);
      if (!is_misprint(table, row.size, column)) {
        EXPECT_LE(std::fabs(error_percent(table, row, column)), allowed) << row.size;
      }
    }
    EXPECT_NEAR(worst_of_line, line.worst_percent, 0.1);
  }
}

TEST(padlock_timing_tables, measured_pairs_against_the_formula) {
  const XcryptWork long_work = {.blocks = 1 << 20};
  for (unsigned rounds : {10u, 12u, 14u}) {
    XcryptWork pair = {.blocks = 2, .rounds = rounds}, pairs = {.blocks = 4, .rounds = rounds};
    const auto clocks = [&](TimingCore core, Engine engine) {
      return clocks_of(xcrypt_ticks(core, engine, pairs) - xcrypt_ticks(core, engine, pair));
    };
    // clause: PLK-TIME-136
    EXPECT_EQ(clocks(TimingCore::nehemiah, Engine::measured), 2 * rounds + 2);
    EXPECT_EQ(clocks(TimingCore::esther, Engine::measured), 2 * rounds + 4);
    EXPECT_EQ(clocks(TimingCore::nehemiah, Engine::ideal), 2 * rounds);
    EXPECT_EQ(clocks(TimingCore::esther, Engine::ideal), 2 * rounds);
  }
  // The article's 8192-byte figure, 10.5 clocks per block, lies between.
  const double blocks = static_cast<double>(long_work.blocks);
  EXPECT_LT(clocks_of(xcrypt_ticks(TimingCore::nehemiah, Engine::ideal, long_work)) / blocks, 10.5);
  EXPECT_GT(clocks_of(xcrypt_ticks(TimingCore::nehemiah, Engine::measured, long_work)) / blocks,
            10.5);
}

// ---- What the figures are worth ----

TEST(padlock_timing_tables, tolerances_are_those_of_the_guide) {
  // Two runs of the guide's programs on one core differ by as much as it says: its Nehemiah's
  // 8192-byte figure and the article's of the same part, at the same clock.
  const FigureTable& guide = table_called("guide-nehemiah");
  const FigureTable& article = table_called("linux-journal");
  const double guide_gbits = row_of(guide, 8192).printed[0];
  const double article_gbits = row_of(article, 8192).printed[0] * 8 / 1e6;
  // clause: PLK-TIME-033
  EXPECT_GT(article_gbits / guide_gbits, 1.03);
  EXPECT_LT(article_gbits / guide_gbits, 1.15);
  for (const char* key : {"guide-nehemiah", "guide-esther", "guide-esther-misaligned"}) {
    const FigureTable& table = table_called(key);
    for (size_t r = 0; r < table.num_rows; ++r)
      for (unsigned column = 0; column < 4; ++column)
        if (counts_in_summary(table, table.rows[r])) {
          EXPECT_LT(std::fabs(error_percent(table, table.rows[r], column)), 15) << key;
        }
  }
}

TEST(padlock_timing_tables, very_large_blocks_need_the_memory) {
  for (const char* key : {"guide-nehemiah", "guide-esther", "guide-esther-misaligned"}) {
    const FigureTable& table = table_called(key);
    const FigureRow& large = row_of(table, 1 << 20);
    for (unsigned column = 0; column < 4; ++column) {
      // The model of 16 KB, where nothing leaves the cache, is the rate without the memory.
      const double cached = table.model(table, row_of(table, 16 << 10), column);
      // clause: PLK-TIME-034
      EXPECT_GT(cached / large.printed[column], 1.4) << key << column;
      EXPECT_LT(std::fabs(error_percent(table, large, column)),
                100 * (cached / large.printed[column] - 1) / 2)
          << key << column;
      EXPECT_FALSE(counts_in_summary(table, large));
    }
  }
}

}  // namespace
}  // namespace incore::padlock::test
