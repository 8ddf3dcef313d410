// The timing of XSTORE and REP XSHA: PadLock guide 1.66, sections 2.3, 4.2 and 6.1.
#include <gtest/gtest.h>

#include <cmath>

#include "padlock/figure_testing.h"
#include "padlock/rng.h"

namespace incore::padlock::test {
namespace {

// ---- RNG ----

constexpr uint32_t kOneSource = 0, kOtherSource = 1u << kRngSourceShift,
                   kBothSources = 2u << kRngSourceShift;

double mbits(const char* model, uint32_t fields) {
  return rng_kbits_per_second(*find_model(model), fields) / 1000.0;
}

TEST(padlock_timing_rng, one_xstore) {
  for (unsigned edx = 0; edx < 4; ++edx) {
    // clause: PLK-TIME-001
    EXPECT_EQ(clocks_of(xstore_ticks(edx, false)), 30);
  }
  // clause: PLK-TIME-002
  EXPECT_EQ(clocks_of(xstore_ticks(0, true)), 55);
  // clause: PLK-TIME-003
  EXPECT_EQ(clocks_of(xstore_ticks(1, true)), 310);
  // clause: PLK-TIME-004
  EXPECT_EQ(clocks_of(xstore_ticks(2, true)), 200);
  // clause: PLK-TIME-005
  EXPECT_EQ(clocks_of(xstore_ticks(3, true)), 120);
}

TEST(padlock_timing_rng, rep_of_one_step_from_full_buffers) {
  const uint64_t wait = 1000 * kTicksPerClock;
  // clause: PLK-TIME-006
  EXPECT_EQ(clocks_of(rep_xstore_ticks(0, 8, 1, wait)), 62);
  EXPECT_EQ(clocks_of(rep_xstore_ticks(0, 3, 1, wait)), 62);
  EXPECT_EQ(clocks_of(rep_xstore_ticks(1, 4, 1, wait)), 317);
  EXPECT_EQ(clocks_of(rep_xstore_ticks(2, 2, 1, wait)), 207);
  EXPECT_EQ(clocks_of(rep_xstore_ticks(3, 1, 1, wait)), 127);
  EXPECT_GT(clocks_of(rep_xstore_ticks(0, 8, 0, wait)), 1000);  // an empty buffer
}

TEST(padlock_timing_rng, long_rep_takes_the_generation_time) {
  constexpr uint64_t kBytes = 10 << 20;
  for (const uint32_t mbit : {10u, 80u, 200u}) {
    const uint64_t buffer = generation_ticks(8, mbit * 1000, 1600);
    const double generation = kBytes * 8.0 / mbit * 1600;
    const double clocks = clocks_of(rep_xstore_ticks(0, kBytes, 0, buffer));
    // clause: PLK-TIME-007
    EXPECT_GT(clocks, generation);
    EXPECT_LT(clocks, generation + 1000);
  }
}

TEST(padlock_timing_rng, rates_of_nehemiah) {
  // clause: PLK-TIME-008
  EXPECT_GE(mbits("nehemiah", kBothSources | kRngRawBits), 80);
  EXPECT_LE(mbits("nehemiah", kBothSources | kRngRawBits), 120);
  // clause: PLK-TIME-009
  EXPECT_GE(mbits("nehemiah", kBothSources), 12);
  EXPECT_LE(mbits("nehemiah", kBothSources), 20);
  for (const uint32_t source : {kOneSource, kOtherSource, kBothSources})
    for (const char* model : {"c5xl", "nehemiah"}) {
      if (model[0] == 'n' && source == kBothSources) continue;
      // clause: PLK-TIME-010
      EXPECT_GE(mbits(model, source | kRngRawBits), 40) << model;
      EXPECT_LE(mbits(model, source | kRngRawBits), 60) << model;
      // clause: PLK-TIME-011
      EXPECT_GE(mbits(model, source), 6) << model;
      EXPECT_LE(mbits(model, source), 10) << model;
    }
}

TEST(padlock_timing_rng, rates_of_esther) {
  for (uint32_t bias = 0; bias < 8; ++bias) {
    const double raw = mbits("esther", kBothSources | kRngRawBits | bias << kRngBiasShift);
    // clause: PLK-TIME-012
    EXPECT_GE(raw, 65);
    EXPECT_LE(raw, 320);
  }
  // clause: PLK-TIME-013
  EXPECT_GE(mbits("esther", kBothSources | kRngRawBits), 150);
  EXPECT_LE(mbits("esther", kBothSources | kRngRawBits), 200);
  // clause: PLK-TIME-014
  EXPECT_GE(mbits("esther", kBothSources), 15);
  EXPECT_LE(mbits("esther", kBothSources), 80);
  for (const uint32_t source : {kOneSource, kOtherSource})
    for (const uint32_t raw : {0u, kRngRawBits}) {
      // clause: PLK-TIME-135
      EXPECT_EQ(mbits("esther", source | raw), mbits("esther", kBothSources | raw) / 2);
    }
  // clause: PLK-TIME-135
  EXPECT_NEAR(mbits("esther", kOneSource), 13.2, 0.2);
}

TEST(padlock_timing_rng, clocks_to_fill_a_buffer) {
  // clause: PLK-TIME-015
  EXPECT_EQ(clocks_of(generation_ticks(8, 256000, 2000)), 500);
  EXPECT_EQ(clocks_of(generation_ticks(8, 200000, 2000)), 640);
  EXPECT_NEAR(clocks_of(generation_ticks(8, 150000, 2000)), 853, 0.5);
  const uint32_t usual = rng_kbits_per_second(*find_model("esther"), kBothSources | kRngRawBits);
  EXPECT_GE(clocks_of(generation_ticks(8, usual, 2000)), 640);
  EXPECT_LE(clocks_of(generation_ticks(8, usual, 2000)), 853);
}

TEST(padlock_timing_rng, generator_limits_the_listing_of_crap) {
  // EDX = 3 keeps one byte of each buffer.
  const uint32_t rate = rng_kbits_per_second(*find_model("esther"), kOneSource);
  const double clocks_per_byte = clocks_of(generation_ticks(8, rate, 1200));
  // clause: PLK-TIME-134
  EXPECT_GE(clocks_per_byte, 5745);
  EXPECT_LE(clocks_per_byte, 5882);
  constexpr uint64_t kBytes = 1 << 20;
  const double all = clocks_of(rep_xstore_ticks(3, kBytes, 0, generation_ticks(8, rate, 1200)));
  EXPECT_NEAR(all / kBytes, clocks_per_byte, 1);
  EXPECT_GT(clocks_per_byte, 40 * clocks_of(xstore_ticks(3, true)));
}

// ---- PHE ----

// Clocks per block of a long message.
double hash_clocks(XshaKind kind) {
  return clocks_of(xsha_ticks(kind, 1001) - xsha_ticks(kind, 1)) / 1000;
}

TEST(padlock_timing_phe, rates) {
  // clause: PLK-TIME-091
  EXPECT_EQ(xsha_hardware_clocks(XshaKind::sha1), 160u);
  // clause: PLK-TIME-092
  EXPECT_EQ(xsha_hardware_clocks(XshaKind::sha256), 192u);
  // clause: PLK-TIME-093
  EXPECT_NEAR(512 / hash_clocks(XshaKind::sha1), 2.66, 0.02 * 2.66);
  EXPECT_NEAR(hash_clocks(XshaKind::sha1), 192.5, 0.1);
  // clause: PLK-TIME-094
  EXPECT_NEAR(512 / hash_clocks(XshaKind::sha256), 2.26, 0.02 * 2.26);
  EXPECT_NEAR(hash_clocks(XshaKind::sha256), 226.5, 0.1);
}

TEST(padlock_timing_phe, padding_is_counted) {
  EXPECT_EQ(padded_blocks(0), 1u);
  EXPECT_EQ(padded_blocks(55), 1u);
  EXPECT_EQ(padded_blocks(56), 2u);
  EXPECT_EQ(padded_blocks(64), 2u);
  EXPECT_EQ(padded_blocks(119), 2u);
  EXPECT_EQ(padded_blocks(120), 3u);
}

TEST(padlock_timing_phe, a_file) {
  const FigureTable& table = table_called("guide-hash-file");
  const FigureRow &user = row_of(table, 100757706, "user"),
                  &real = row_of(table, 100757706, "real");
  // clause: PLK-TIME-095
  EXPECT_EQ(user.printed[0], 0.330);
  EXPECT_EQ(real.printed[0], 0.837);
  const double instruction =
      clocks_of(xsha_ticks(XshaKind::sha1, padded_blocks(user.size))) / 1.6e9;
  EXPECT_NEAR(instruction, 0.189, 0.002);
  EXPECT_NEAR(1 - instruction / user.printed[0], 0.43, 0.005);
  EXPECT_LT(std::fabs(error_percent(table, user, 0)), 16);  // with the memory
  // clause: PLK-TIME-096
  EXPECT_EQ(user.printed[1], 1.719);
  EXPECT_EQ(real.printed[1], 2.010);
  EXPECT_EQ(table.model(table, user, 1), 0);  // software
  EXPECT_NEAR(user.printed[1] / user.printed[0], 5.2, 0.05);
  EXPECT_NEAR(real.printed[1] / real.printed[0], 2.4, 0.05);
}

}  // namespace
}  // namespace incore::padlock::test
