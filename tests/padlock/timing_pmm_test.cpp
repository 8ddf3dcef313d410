// The timing of REP MONTMUL: PadLock guide 1.66, sections 5.2 and 6.4.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "padlock/figure_testing.h"

namespace incore::padlock::test {
namespace {

constexpr uint64_t kAllSteps = ~uint64_t{0};

double least(uint64_t bits) {
  return clocks_of(montmul_ticks(bits, {}));
}
double most(uint64_t bits) {
  return clocks_of(montmul_ticks(bits, {.overflow_steps = kAllSteps}));
}
double typical(uint64_t bits) {
  return clocks_of(montmul_ticks(bits));
}
double k1_of(uint64_t bits, double clocks) {
  const double n = static_cast<double>(bits) / 1024;
  return ((clocks - 35) / 1024 - 4 * n * n) / n;
}

TEST(padlock_timing_pmm, formula) {
  // clause: PLK-TIME-097
  EXPECT_NEAR(least(1024), 4704, 1);
  EXPECT_NEAR(most(1024), 5216, 2);
  EXPECT_NEAR(least(2048), 17566, 2);
  EXPECT_NEAR(most(2048), 18590, 4);
  for (uint64_t bits = 256; bits <= 32768; bits += 128) {
    // clause: PLK-TIME-098
    EXPECT_GE(k1_of(bits, least(bits)), 0.56);
    EXPECT_LE(k1_of(bits, most(bits)), 1.06);
    EXPECT_NEAR(k1_of(bits, typical(bits)), 0.81, 0.001);
  }
  // clause: PLK-TIME-099
  EXPECT_EQ(clocks_of(montmul_ticks(0)), 35);
  EXPECT_EQ(least(0), 35);
  // clause: PLK-TIME-100
  EXPECT_NEAR(least(2304), 22063, 2);
  EXPECT_NEAR(k1_of(2304, least(2304)), 0.561, 0.001);
}

TEST(padlock_timing_pmm, what_makes_k1_vary) {
  constexpr uint64_t kBits = 1024, kSteps = kBits / 32;
  const auto ticks = [](uint64_t overflows, bool crosses) {
    return montmul_ticks(kBits, {.overflow_steps = overflows, .carry_crosses_line = crosses});
  };
  for (uint64_t overflows = 1; overflows <= kSteps; ++overflows) {
    // clause: PLK-TIME-101
    EXPECT_GT(ticks(overflows, false), ticks(overflows - 1, false));
  }
  EXPECT_EQ(ticks(kSteps + 1, false), ticks(kSteps, false));
  // clause: PLK-TIME-102
  EXPECT_GT(ticks(0, true), ticks(0, false));
  for (uint64_t overflows = 1; overflows <= kSteps; ++overflows) {
    // clause: PLK-TIME-103
    const uint64_t crossing = ticks(overflows, true) - ticks(overflows, false);
    EXPECT_EQ(crossing * kSteps, (ticks(0, true) - ticks(0, false)) * (kSteps - overflows));
  }
  EXPECT_LE(k1_of(kBits, clocks_of(ticks(0, true))), 1.06);
}

TEST(padlock_timing_pmm, inner_loops_give_the_square) {
  for (const uint64_t n : {1u, 2u, 5u}) {
    const uint64_t bits = 1024 * n;
    const double outer = 32.0 * n, inner = 8.0 * n;
    // clause: PLK-TIME-104
    EXPECT_EQ(outer * inner * 16, 4096.0 * n * n);
    const double least_per_step = (least(bits) - 35 - outer * inner * 16) / outer;
    const double most_per_step = (most(bits) - 35 - outer * inner * 16) / outer;
    EXPECT_NEAR(least_per_step, 18, 0.1);
    EXPECT_NEAR(most_per_step, 34, 0.2);
    EXPECT_NEAR(most_per_step - least_per_step, 16, 0.1);  // an inner loop
  }
}

TEST(padlock_timing_pmm, largest_example) {
  // clause: PLK-TIME-105
  EXPECT_NEAR(least(4096), 67865, 5);
  EXPECT_NEAR(most(4096), 69913, 10);
  EXPECT_GE(typical(4096), 67865);
  EXPECT_LE(typical(4096), 69913);
  EXPECT_LT(least(4096) / 67000, 1.014);
}

TEST(padlock_timing_pmm, rsa_estimates) {
  const FigureTable& table = table_called("guide-rsa");
  const auto error = [&](uint64_t bits) { return error_percent(table, row_of(table, bits), 0); };
  // clause: PLK-TIME-106
  EXPECT_EQ(row_of(table, 1024).printed[0], 900);
  EXPECT_NEAR(error(1024), -1.8, 0.1);
  // clause: PLK-TIME-107
  EXPECT_EQ(row_of(table, 2048).printed[0], 130);
  EXPECT_NEAR(error(2048), 1.0, 0.1);
  // clause: PLK-TIME-108
  EXPECT_EQ(row_of(table, 4096).printed[0], 18);
  EXPECT_NEAR(error(4096), 0, 0.3);
}

struct ModexpRow {
  uint64_t bits;
  double pmm, gmp, of_the_formula;  // the last: PMM's rate over that of MONTMUL alone
};

const ModexpRow kModexp[] = {
    // clause: PLK-TIME-109
    {512, 1233.3, 250.0, 0.872},
    // clause: PLK-TIME-110
    {1024, 194.7, 50.0, 0.927},
    // clause: PLK-TIME-111
    {1536, 62.7, 16.1, 0.948},
    // clause: PLK-TIME-112
    {2048, 27.4, 7.1, 0.951},
};

const ModexpRow kModexpListing[] = {
    // clause: PLK-TIME-113
    {256, 3700.0, 0, 0.59},
    // clause: PLK-TIME-114
    {384, 1850.0, 500.0, 0.82},
    // clause: PLK-TIME-115
    {512, 740.0, 250.0, 0.70},
    // clause: PLK-TIME-116
    {640, 462.5, 125.0, 0.80},
    // clause: PLK-TIME-117
    {768, 308.3, 71.4, 0.88},
    // clause: PLK-TIME-118
    {896, 217.6, 50.0, 0.95},
    // clause: PLK-TIME-119
    {1024, 142.3, 31.2, 0.90},
    // clause: PLK-TIME-120
    {1152, 105.7, 23.8, 0.94},
    // clause: PLK-TIME-121
    {1280, 75.5, 17.2, 0.90},
    // clause: PLK-TIME-122
    {1408, 59.7, 13.5, 0.94},
    // clause: PLK-TIME-123
    {1536, 46.2, 10.6, 0.93},
    // clause: PLK-TIME-124
    {1664, 37.0, 8.3, 0.94},
    // clause: PLK-TIME-125
    {1792, 30.1, 6.8, 0.95},
    // clause: PLK-TIME-126
    {1920, 25.3, 5.7, 0.97},
    // clause: PLK-TIME-127
    {2048, 20.3, 4.7, 0.94},
};

template <size_t kNumRows>
void expect_modexp(const char* key, const ModexpRow (&printed)[kNumRows], double tolerance) {
  const FigureTable& table = table_called(key);
  ASSERT_EQ(table.num_rows, kNumRows);
  for (size_t r = 0; r < kNumRows; ++r) {
    const FigureRow& row = table.rows[r];
    SCOPED_TRACE(std::string(key) + " " + std::to_string(printed[r].bits));
    ASSERT_EQ(row.size, printed[r].bits);
    EXPECT_EQ(row.printed[0], printed[r].pmm);
    EXPECT_EQ(row.printed[1], printed[r].gmp);
    const double formula =
        table.clock_mhz * 1e6 / (1.5 * static_cast<double>(row.size)) / typical(row.size);
    EXPECT_NEAR(row.printed[0] / formula, printed[r].of_the_formula, 0.006);
    // Below 1024 bits a figure is a few ticks of the clock: only its order is checked.
    EXPECT_LT(std::fabs(error_percent(table, row, 0)), row.size < 1024 ? 41 : tolerance);
    EXPECT_EQ(table.model(table, row, 1), 0);  // GMP is software
  }
}

TEST(padlock_timing_pmm, measured_modular_exponentiations) {
  expect_modexp("guide-modexp", kModexp, 1);
  for (const ModexpRow& row : kModexp) {  // also the shortest, timed well enough here
    const FigureTable& table = table_called("guide-modexp");
    EXPECT_LT(std::fabs(error_percent(table, row_of(table, row.bits), 0)), 1);
  }
}

TEST(padlock_timing_pmm, listing_of_modular_exponentiations) {
  expect_modexp("guide-modexp-listing", kModexpListing, 4);
}

// Whether |rate| is |count| runs in a whole number of clock ticks, as far as one decimal tells.
bool is_whole_ticks(double rate, double count) {
  const double ticks = std::round(count / rate / 0.01);
  return std::fabs(count / (ticks * 0.01) - rate) <= 0.0500001;
}

TEST(padlock_timing_pmm, listing_was_timed_in_ticks_of_10_ms) {
  const FigureTable& table = table_called("guide-modexp-listing");
  unsigned coarse = 0;
  for (size_t r = 0; r < table.num_rows; ++r) {
    const FigureRow& row = table.rows[r];
    // clause: PLK-TIME-128
    EXPECT_TRUE(is_whole_ticks(row.printed[0], 74)) << row.size;
    coarse += 74 / row.printed[0] / 0.01 < 25;
    if (row.printed[1] == 0) continue;
    // clause: PLK-TIME-129
    EXPECT_TRUE(is_whole_ticks(row.printed[1], 5)) << row.size;
  }
  EXPECT_EQ(coarse, 5u);  // up to 768 bits
}

}  // namespace
}  // namespace incore::padlock::test
