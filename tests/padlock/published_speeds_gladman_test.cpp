// The tables of Gladman's note, row by row: the figures that Incore prints are the note's, what the
// note's figures say of each other, and how close the model comes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "padlock/figure_testing.h"

namespace incore::padlock::test {
namespace {

struct PrintedRow {
  const char *table, *mode, *direction;
  double blocks_1, blocks_10, blocks_100, blocks_1000;  // cycles a byte
  double peak_mb_per_second;
  double fixed_clocks;  // of a call, from the first and the last figure
};

const PrintedRow kRows[] = {
    // clause: BG-PERF-010
    {"gladman-aligned", "ECB", "encrypt", 8.25, 1.36, 0.69, 0.63, 1900, 122},
    // clause: BG-PERF-011
    {"gladman-aligned", "ECB", "decrypt", 8.75, 1.41, 0.70, 0.64, 1900, 130},
    // clause: BG-PERF-012
    {"gladman-aligned", "CBC", "encrypt", 11.56, 2.41, 1.47, 1.38, 870, 163},
    // clause: BG-PERF-013
    {"gladman-aligned", "CBC", "decrypt", 12.37, 2.38, 1.47, 1.38, 870, 176},
    // clause: BG-PERF-014
    {"gladman-aligned", "CFB", "encrypt", 11.93, 2.46, 1.48, 1.38, 870, 169},
    // clause: BG-PERF-015
    {"gladman-aligned", "CFB", "decrypt", 12.18, 2.36, 1.47, 1.38, 870, 173},
    // clause: BG-PERF-016
    {"gladman-aligned", "OFB", "encrypt", 13.31, 3.88, 2.92, 2.82, 425, 168},
    // clause: BG-PERF-017
    {"gladman-aligned", "OFB", "decrypt", 13.31, 3.88, 2.92, 2.82, 425, 168},
    // clause: BG-PERF-018
    {"gladman-unaligned", "ECB", "encrypt", 17.68, 4.31, 3.15, 3.05, 390, 234},
    // clause: BG-PERF-019
    {"gladman-unaligned", "ECB", "decrypt", 18.12, 4.36, 3.17, 3.06, 390, 241},
    // clause: BG-PERF-020
    {"gladman-unaligned", "CBC", "encrypt", 20.68, 5.70, 4.39, 4.27, 280, 263},
    // clause: BG-PERF-021
    {"gladman-unaligned", "CBC", "decrypt", 21.87, 5.75, 4.34, 4.21, 285, 283},
    // clause: BG-PERF-022
    {"gladman-unaligned", "CFB", "encrypt", 21.06, 5.81, 4.43, 4.31, 280, 268},
    // clause: BG-PERF-023
    {"gladman-unaligned", "CFB", "decrypt", 21.37, 5.72, 4.36, 4.24, 285, 274},
    // clause: BG-PERF-024
    {"gladman-unaligned", "OFB", "encrypt", 22.43, 7.23, 5.85, 5.72, 210, 268},
    // clause: BG-PERF-025
    {"gladman-unaligned", "OFB", "decrypt", 22.43, 7.34, 5.86, 5.73, 210, 267},
    // clause: BG-PERF-026
    {"gladman-unaligned", "CTR", "encrypt", 16.43, 6.90, 6.00, 5.89, 205, 169},
    // clause: BG-PERF-027
    {"gladman-unaligned", "CTR", "decrypt", 16.43, 6.90, 6.00, 5.89, 205, 169},
    // clause: BG-PERF-028
    {"gladman-assembler", "ECB", "encrypt", 11.87, 2.89, 1.91, 1.83, 660, 161},
    // clause: BG-PERF-029
    {"gladman-assembler", "ECB", "decrypt", 12.18, 2.83, 1.97, 1.87, 640, 165},
    // clause: BG-PERF-030
    {"gladman-assembler", "CBC", "encrypt", 14.87, 4.13, 3.11, 3.01, 400, 190},
    // clause: BG-PERF-031
    {"gladman-assembler", "CBC", "decrypt", 14.43, 3.87, 2.89, 2.80, 430, 186},
    // clause: BG-PERF-032
    {"gladman-assembler", "CFB", "encrypt", 14.75, 4.12, 3.10, 3.01, 400, 188},
    // clause: BG-PERF-033
    {"gladman-assembler", "CFB", "decrypt", 14.12, 4.10, 2.88, 2.79, 430, 181},
    // clause: BG-PERF-034
    {"gladman-assembler", "OFB", "encrypt", 15.25, 5.36, 4.37, 4.27, 280, 176},
    // clause: BG-PERF-035
    {"gladman-assembler", "OFB", "decrypt", 15.25, 5.36, 4.36, 4.27, 280, 176},
    // clause: BG-PERF-036
    {"gladman-assembler", "CTR", "encrypt", 13.31, 4.79, 4.01, 3.94, 305, 150},
    // clause: BG-PERF-037
    {"gladman-assembler", "CTR", "decrypt", 13.31, 4.79, 4.01, 3.94, 305, 150},
};
constexpr uint64_t kSizes[] = {1, 10, 100, 1000};

std::vector<double> printed(const PrintedRow& row) {
  return {row.blocks_1, row.blocks_10, row.blocks_100, row.blocks_1000};
}

std::string name(const PrintedRow& row) {
  return std::string(row.table) + ' ' + row.mode + ' ' + row.direction;
}

double model(const std::string& key, const char* mode, const char* direction, uint64_t blocks) {
  const FigureTable& table = table_called(key);
  return table.model(table, row_of(table, blocks, direction), column_called(table, mode));
}

TEST(published_speeds_gladman, are_those_of_the_note_and_met_by_the_model) {
  for (const PrintedRow& row : kRows) {
    const FigureTable& table = table_called(row.table);
    const unsigned column = column_called(table, row.mode);
    for (size_t i = 0; i < 4; ++i) {
      const FigureRow& figure = row_of(table, kSizes[i], row.direction);
      EXPECT_EQ(figure.printed[column], printed(row)[i]) << name(row) << ' ' << kSizes[i];
      EXPECT_LT(std::abs(error_percent(table, figure, column)), 6) << name(row) << ' ' << kSizes[i];
    }
    EXPECT_NEAR((row.blocks_1 - row.blocks_1000) * 16, row.fixed_clocks, 1) << name(row);
    EXPECT_EQ(table.clock_mhz, 1200u);
    EXPECT_STREQ(table.unit, "cycles/byte");
  }
}

// clause: BG-PERF-006
TEST(published_speeds_gladman, peak_throughput_follows_from_the_longest_message) {
  double largest = 0;
  for (const PrintedRow& row : kRows)
    largest = std::max(largest, std::abs(1200 / row.blocks_1000 / row.peak_mb_per_second - 1));
  EXPECT_LT(largest, 0.014);
  EXPECT_GT(largest, 0.012);
}

// clause: BG-PERF-007
TEST(published_speeds_gladman, fit_a_cost_per_call_and_one_per_block) {
  double largest = 0;
  for (const PrintedRow& row : kRows) {
    const double b = (row.blocks_1 - row.blocks_1000) / (1 - 1e-3), a = row.blocks_1 - b;
    largest = std::max(largest, std::abs((a + b / 10) / row.blocks_10 - 1));
    largest = std::max(largest, std::abs((a + b / 100) / row.blocks_100 - 1));
  }
  EXPECT_LT(largest, 0.05);
  EXPECT_GT(largest, 0.04);
}

// clause: BG-PERF-009
TEST(published_speeds_gladman, differ_little_between_the_directions) {
  double largest = 0;
  for (size_t i = 0; i < std::size(kRows); i += 2) {
    ASSERT_STREQ(kRows[i].mode, kRows[i + 1].mode);
    largest = std::max(largest, std::abs(kRows[i].blocks_1000 / kRows[i + 1].blocks_1000 - 1));
  }
  EXPECT_LT(largest, 0.10);
  EXPECT_NEAR(largest, 3.01 / 2.79 - 1, 1e-9);
}

// clause: BG-RULE-005
TEST(published_speeds_gladman, aligned_data_are_faster_in_every_mode) {
  for (const char* mode : {"ECB", "CBC", "CFB", "OFB"})
    for (const char* direction : {"encrypt", "decrypt"})
      for (const char* other : {"gladman-unaligned", "gladman-assembler"})
        EXPECT_LT(model("gladman-aligned", mode, direction, 1000),
                  model(other, mode, direction, 1000))
            << mode;
}

// clause: BG-RULE-010
TEST(published_speeds_gladman, unaligned_data_cost_the_factor_that_the_note_shows) {
  const struct {
    const char* mode;
    double factor;
  } factors[] = {
      {"ECB", 3.05 / 0.63}, {"CBC", 4.27 / 1.38}, {"CFB", 4.31 / 1.38}, {"OFB", 5.72 / 2.82}};
  for (const auto& f : factors)
    EXPECT_NEAR(model("gladman-unaligned", f.mode, "encrypt", 1000) /
                    model("gladman-aligned", f.mode, "encrypt", 1000),
                f.factor, 0.25 * f.factor)
        << f.mode;
}

// A call whose length is no multiple of 16 ends with one block of the ordinary code, which on this
// processor takes as long as the article's figure for its software says.
// clause: BG-RULE-015
TEST(published_speeds_gladman, bytes_cost_least_in_multiples_of_a_block) {
  const FigureTable& article = table_called("linux-journal");
  const double kb_per_second = row_of(article, 16).printed[column_called(article, "ECB software")];
  const double software_block = 16 * 1.2e6 / kb_per_second;
  for (const AceMode mode : {AceMode::cfb, AceMode::ofb}) {
    const auto clocks_per_byte = [&](uint64_t len) {
      const XcryptWork work = {.mode = mode, .blocks = len / 16, .keys = KeyLoad::memory};
      const double whole =
          len < 16 ? 0 : clocks_of(xcrypt_ticks(TimingCore::nehemiah, Engine::ideal, work));
      return (whole + (len % 16 != 0 ? software_block : 0)) / static_cast<double>(len);
    };
    for (uint64_t blocks = 1; blocks <= 64; ++blocks)
      for (uint64_t off = 1; off < 16; ++off) {
        EXPECT_LT(clocks_per_byte(16 * blocks), clocks_per_byte(16 * blocks - off)) << blocks;
        EXPECT_LT(clocks_per_byte(16 * blocks), clocks_per_byte(16 * blocks + off)) << blocks;
      }
  }
}

}  // namespace
}  // namespace incore::padlock::test
