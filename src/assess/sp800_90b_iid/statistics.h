// The statistics of permutation testing (SP 800-90B, section 5.1), all of a sample at once.
// Sums are exact, so that equal statistics compare as equal.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "assess/sp800_90b_iid/text_compression.h"

namespace incore::assess::sp800_90b {

// In the standard's order; the two with a lag have one for each of kLags.
enum Statistic : uint8_t {
  kExcursion,
  kNumDirectionalRuns,
  kLenDirectionalRuns,
  kNumIncreasesDecreases,
  kNumRunsMedian,
  kLenRunsMedian,
  kAverageCollision,
  kMaximumCollision,
  kPeriodicity,
  kCovariance = kPeriodicity + 5,
  kCompression = kCovariance + 5,
  kNumStatistics
};
inline constexpr std::array<unsigned, 5> kLags = {1, 2, 8, 16, 32};

using StatisticValues = std::array<double, kNumStatistics>;
using StatisticSet = uint32_t;  // bit by bit
inline constexpr StatisticSet kAllStatistics = (1u << kNumStatistics) - 1;

// The parts, for sequences of any length.
double excursion(std::span<const uint8_t> values);
struct Runs {
  uint64_t num = 0, longest = 0;
};
struct Directional {
  Runs runs;
  uint64_t most;  // the larger of the numbers of increases and decreases
};
Directional directional_runs(std::span<const uint8_t> values);
// |twice_median| tells a median between two symbols too.
Runs median_runs(std::span<const uint8_t> values, unsigned twice_median);
struct Collisions {
  uint64_t num = 0, sum = 0, longest = 0;
};
Collisions collisions(std::span<const uint8_t> values);
uint64_t periodicity(std::span<const uint8_t> values, unsigned lag);
uint64_t covariance(std::span<const uint8_t> values, unsigned lag);
// Conversions I (how many ones) and II (the number they spell) of each eight bits. The last block
// may be short.
void convert_1(std::span<const uint8_t> bits, std::vector<uint8_t>& out);
void convert_2(std::span<const uint8_t> bits, std::vector<uint8_t>& out);

// What stays the same when a sample is permuted, and room to work in.
class StatisticsOf {
 public:
  // Symbols are indices into |alphabet|, which is ascending. There are at least 257 symbols.
  StatisticsOf(std::span<const uint8_t> symbols, std::span<const uint8_t> alphabet);

  // The values of the |wanted| ones; others are not set.
  void compute(std::span<const uint8_t> symbols, StatisticSet wanted, StatisticValues& out);

 private:
  std::vector<uint8_t> alphabet_;
  bool binary_, translated_;
  unsigned twice_median_;
  TextCompression compression_;
  std::vector<uint8_t> raw_, ones_, bytes_;
};

}  // namespace incore::assess::sp800_90b
