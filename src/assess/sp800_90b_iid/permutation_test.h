// Permutation testing (SP 800-90B, section 5.1): how the statistics of a sample rank among those of
// 10,000 permutations of it.
#pragma once

#include "assess/sp800_90b_iid/statistics.h"
#include "assess/suite.h"

namespace incore::assess::sp800_90b {

inline constexpr uint32_t kPermutations = 10'000;

// One statistic, over the permutations that were computed for it.
struct Rank {
  double initial = 0;
  uint32_t above = 0, equal = 0, below = 0;  // C0, C1, C2: permuted ones above |initial|, ...
  double sum = 0, sum_of_squares = 0;        // of permuted values, each less |initial|
  bool decided = false;

  // The standard's rule for 10,000 permutations.
  bool rejected() const { return above + equal <= 5 || equal + below <= 5; }
  // How many standard deviations of the permuted values the initial one is from their mean.
  double deviations() const;
  uint32_t permutations() const { return above + equal + below; }
};
using Ranks = std::array<Rank, kNumStatistics>;

// True if so many |deviations| are no chance: the largest of many is spread wider than a sum.
bool beyond_chance(unsigned statistic, double deviations);

// Permutations depend on |seed| alone, and results not on |threads|. A statistic is followed until
// the standard's rule can only say that it passes, or until it is beyond chance. Nothing more is
// done when |progress| says stop; then some are not decided.
Ranks permutation_test(std::span<const uint8_t> symbols, std::span<const uint8_t> alphabet,
                       uint64_t seed, unsigned threads, Progress& progress);

}  // namespace incore::assess::sp800_90b
