// The guide's formulas for REP XCRYPT: PadLock guide 1.66, section 3.3, with what sections 1 and
// 3.1 say of speed.
#include <gtest/gtest.h>

#include "padlock/figure_testing.h"

namespace incore::padlock::test {
namespace {

constexpr TimingCore kCores[] = {TimingCore::nehemiah, TimingCore::esther};
constexpr KeyLoad kKeyLoads[] = {KeyLoad::bypassed, KeyLoad::hardware, KeyLoad::memory};
constexpr unsigned kRounds[] = {1, 10, 12, 14, 16};

// SSE clocks of ECB by the formula.
double ecb_clocks(uint64_t blocks, KeyLoad keys, unsigned rounds = 10,
                  TimingCore core = TimingCore::esther) {
  return clocks_of(
      xcrypt_ticks(core, Engine::ideal, {.blocks = blocks, .rounds = rounds, .keys = keys}));
}

unsigned integer_clocks(uint64_t blocks, KeyLoad keys) {
  return xcrypt_integer_clocks({.blocks = blocks, .keys = keys});
}

TEST(padlock_timing_ace, one_block_of_ecb) {
  for (const TimingCore core : kCores)
    for (const unsigned r : kRounds) {
      // clause: PLK-TIME-018
      EXPECT_EQ(ecb_clocks(1, KeyLoad::bypassed, r, core), 9 + 2 * r);
      // clause: PLK-TIME-019
      EXPECT_EQ(ecb_clocks(1, KeyLoad::hardware, r, core), 45 + 2 * r);
      // clause: PLK-TIME-020
      EXPECT_EQ(ecb_clocks(1, KeyLoad::memory, r, core), 76 + 2 * r);
    }
  // clause: PLK-TIME-018
  EXPECT_EQ(integer_clocks(1, KeyLoad::bypassed), 17u);
  // clause: PLK-TIME-019
  EXPECT_EQ(integer_clocks(1, KeyLoad::hardware), 61u);
  // clause: PLK-TIME-020
  EXPECT_EQ(integer_clocks(1, KeyLoad::memory), 84u);
}

TEST(padlock_timing_ace, two_blocks_of_ecb) {
  for (const TimingCore core : kCores)
    for (const unsigned r : kRounds) {
      // clause: PLK-TIME-021
      // clause: PLK-ACE-017
      EXPECT_EQ(ecb_clocks(2, KeyLoad::bypassed, r, core), 11 + 2 * r);
      EXPECT_EQ(ecb_clocks(2, KeyLoad::bypassed, r, core),
                ecb_clocks(1, KeyLoad::bypassed, r, core) + 2);
      // clause: PLK-TIME-022
      EXPECT_EQ(ecb_clocks(2, KeyLoad::hardware, r, core), 47 + 2 * r);
      // clause: PLK-TIME-023
      EXPECT_EQ(ecb_clocks(2, KeyLoad::memory, r, core), 78 + 2 * r);
    }
  // clause: PLK-TIME-021
  EXPECT_EQ(integer_clocks(2, KeyLoad::bypassed), 12u);
  // clause: PLK-TIME-022
  EXPECT_EQ(integer_clocks(2, KeyLoad::hardware), 56u);
  // clause: PLK-TIME-023
  EXPECT_EQ(integer_clocks(2, KeyLoad::memory), 79u);
}

TEST(padlock_timing_ace, many_blocks_of_ecb) {
  for (const unsigned r : kRounds)
    for (const uint64_t n : {4u, 100u, 512u}) {
      // clause: PLK-TIME-024
      EXPECT_EQ(ecb_clocks(n, KeyLoad::bypassed, r), 11 + n * r);
      EXPECT_EQ(integer_clocks(n, KeyLoad::bypassed), 0u);
      // clause: PLK-TIME-025
      EXPECT_EQ(ecb_clocks(n, KeyLoad::hardware, r), 47 + n * r);
      EXPECT_EQ(integer_clocks(n, KeyLoad::hardware), 0u);
      // clause: PLK-TIME-026
      EXPECT_EQ(ecb_clocks(n, KeyLoad::memory, r), 78 + n * r);
      EXPECT_EQ(integer_clocks(n, KeyLoad::memory), 0u);
    }
}

TEST(padlock_timing_ace, an_odd_block_costs_a_pair_less_two_clocks) {
  for (const unsigned r : kRounds)
    for (const uint64_t n : {3u, 5u, 511u}) {
      // clause: PLK-TIME-027
      EXPECT_EQ(ecb_clocks(n, KeyLoad::bypassed, r), 11 + n * r + r - 2);
    }
  EXPECT_EQ(ecb_clocks(3, KeyLoad::bypassed), 49);
}

TEST(padlock_timing_ace, integer_instructions_overlap_with_the_engine) {
  // clause: PLK-TIME-017
  // clause: PLK-TIME-028
  EXPECT_EQ(ecb_clocks(2, KeyLoad::bypassed), 31);
  EXPECT_EQ(integer_clocks(2, KeyLoad::bypassed), 12u);
  EXPECT_EQ(ecb_clocks(2, KeyLoad::bypassed) - integer_clocks(2, KeyLoad::bypassed), 19);
  // The guide gives the second view for ECB only.
  EXPECT_EQ(xcrypt_integer_clocks({.mode = AceMode::cbc, .blocks = 1}), 0u);
}

TEST(padlock_timing_ace, key_loads) {
  for (const uint64_t n : {1u, 2u, 3u, 512u}) {
    // clause: PLK-TIME-029
    EXPECT_EQ(ecb_clocks(n, KeyLoad::hardware) - ecb_clocks(n, KeyLoad::bypassed), 36);
    // clause: PLK-TIME-030
    EXPECT_EQ(ecb_clocks(n, KeyLoad::memory) - ecb_clocks(n, KeyLoad::bypassed), 67);
  }
  for (const uint64_t n : {1u, 2u}) {
    // clause: PLK-TIME-029
    EXPECT_EQ(integer_clocks(n, KeyLoad::hardware) - integer_clocks(n, KeyLoad::bypassed), 44u);
    // clause: PLK-TIME-030
    EXPECT_EQ(integer_clocks(n, KeyLoad::memory) - integer_clocks(n, KeyLoad::bypassed), 67u);
  }
}

TEST(padlock_timing_ace, a_load_costs_more_than_a_block_in_every_mode) {
  for (const TimingCore core : kCores)
    for (const Engine engine : {Engine::ideal, Engine::measured})
      for (const AceMode mode : {AceMode::ecb, AceMode::cbc, AceMode::cfb, AceMode::ofb}) {
        XcryptWork first = {.mode = mode, .blocks = 1, .keys = KeyLoad::hardware};
        XcryptWork second = {.mode = mode, .blocks = 1};
        const double bypassed = clocks_of(xcrypt_ticks(core, engine, second));
        // clause: PLK-MULTI-020
        EXPECT_EQ(clocks_of(xcrypt_ticks(core, engine, first)) - bypassed, 36);
        first.keys = KeyLoad::memory;
        EXPECT_EQ(clocks_of(xcrypt_ticks(core, engine, first)) - bypassed, 67);
      }
  EXPECT_GT(36, ecb_clocks(1, KeyLoad::bypassed));
}

TEST(padlock_timing_ace, no_blocks) {
  for (const TimingCore core : kCores)
    for (const KeyLoad keys : kKeyLoads)
      for (unsigned mode = 0; mode < kNumAceModes; ++mode) {
        const XcryptWork work = {.mode = static_cast<AceMode>(mode), .blocks = 0, .keys = keys};
        const double clocks = clocks_of(xcrypt_ticks(core, Engine::measured, work));
        // clause: PLK-TIME-031
        EXPECT_GE(clocks, 10);
        EXPECT_LE(clocks, 27);
      }
  EXPECT_LT(ecb_clocks(0, KeyLoad::bypassed), ecb_clocks(0, KeyLoad::hardware));
}

TEST(padlock_timing_ace, asymptotic_rate) {
  constexpr uint64_t kBlocks = 1 << 24;
  const uint64_t ticks = xcrypt_ticks(TimingCore::nehemiah, Engine::ideal, {.blocks = kBlocks});
  // clause: PLK-TIME-032
  EXPECT_NEAR(kBlocks * 128 / clocks_of(ticks), 12.8, 1e-4);
  EXPECT_NEAR(gbits_per_second(kBlocks * 16, 1200, ticks), 15.36, 1e-4);
  EXPECT_NEAR(gbits_per_second(kBlocks * 16, 1600, ticks), 20.48, 1e-4);
  // clause: LJ-012
  EXPECT_GT(gbits_per_second(kBlocks * 16, 1200, ticks), 15);
  EXPECT_NEAR(gbits_per_second(kBlocks * 16, 1200, ticks) / 8, 1.92, 1e-4);
}

TEST(padlock_timing_ace, conditions_are_ideal_unless_asked_otherwise) {
  // However much the data: the caches enter by memory_ticks only.
  for (const TimingCore core : kCores)
    for (const uint64_t blocks : {uint64_t{1} << 10, uint64_t{1} << 20, uint64_t{1} << 30}) {
      const uint64_t one = xcrypt_ticks(core, Engine::measured, {.blocks = blocks});
      const uint64_t two = xcrypt_ticks(core, Engine::measured, {.blocks = 2 * blocks});
      const uint64_t start = xcrypt_ticks(core, Engine::measured, {.blocks = 2}) * 2 -
                             xcrypt_ticks(core, Engine::measured, {.blocks = 4});
      // clause: PLK-TIME-016
      EXPECT_EQ(2 * one - two, start) << blocks;
      EXPECT_EQ(memory_ticks(core, 16 << 10, true), 0u);
      EXPECT_GT(memory_ticks(core, 1 << 20, true), 0u);
      EXPECT_LT(memory_ticks(core, 1 << 20, false), memory_ticks(core, 1 << 20, true));
    }
}

TEST(padlock_timing_ace, aligning_path_is_slower_even_for_aligned_data) {
  for (const AceMode mode : {AceMode::cbc, AceMode::ctr, AceMode::cfb, AceMode::ofb})
    for (const uint64_t blocks : {1u, 2u, 3u, 100u}) {
      XcryptWork work = {.mode = mode, .blocks = blocks};
      const auto ticks = [&](DataPath path) {
        work.path = path;
        return xcrypt_ticks(TimingCore::esther, Engine::measured, work);
      };
      // clause: PLK-ACE-036
      EXPECT_GT(ticks(DataPath::realigning), ticks(DataPath::plain)) << blocks;
      EXPECT_GT(ticks(DataPath::misaligned), ticks(DataPath::realigning)) << blocks;
    }
}

TEST(padlock_timing_ace, ecb_never_realigns_and_digests_cost_more_where_they_chain) {
  XcryptWork work = {.blocks = 8, .path = DataPath::misaligned};
  EXPECT_EQ(xcrypt_ticks(TimingCore::esther, Engine::measured, work),
            xcrypt_ticks(TimingCore::esther, Engine::measured, {.blocks = 8}));
  for (unsigned mode = 0; mode < kNumAceModes; ++mode) {
    XcryptWork cipher = {.mode = static_cast<AceMode>(mode), .blocks = 8}, digest = cipher;
    digest.digest = true;
    const bool chains = cipher.mode == AceMode::cbc || cipher.mode == AceMode::cfb;
    EXPECT_EQ(xcrypt_ticks(TimingCore::esther, Engine::measured, digest) >
                  xcrypt_ticks(TimingCore::esther, Engine::measured, cipher),
              chains)
        << mode;
  }
}

}  // namespace
}  // namespace incore::padlock::test
