// What one test found in all sequences, and how it is judged (SP 800-22 section 4.2).
#pragma once

#include "assess/sp800_22/test.h"

namespace incore::assess::sp800_22 {

inline constexpr double kAlpha = 0.01;  // a sequence passes from here on

struct Tally {
  const Test* test;
  std::string variant;
  std::vector<double> p_values = {};
  Outcome worst = {};

  void add(Outcome outcome);
  size_t num_passed() const;
};

// With one sequence, of n bits, its P-value is judged. With more, the worst of three: the number of
// sequences that pass at alpha = 0.01 (binomial), the least P-value, and, unless the sequences are
// too short for that, the P-values' uniformity. Of short sequences the first two are judged by what
// fair ones of that length really give, as far as that can be computed.
Result judge(const Tally& tally, uint64_t n);

// The probability that P-values of a good source are less uniform: P-value_T (section 4.2.2,
// chi-square over ten intervals) for 55 or more, and Kolmogorov and Smirnov's test for fewer.
double uniformity_p(std::vector<double> p_values);

// P-values in 20 intervals, and the share of sequences that pass each test, with section 4.2.1's
// interval.
std::vector<Series> series_of(const std::vector<Tally>& tallies);

}  // namespace incore::assess::sp800_22
