// The random walk of sections 2.14 and 2.15: up for 1, down for 0, in cycles from 0 to 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "assess/sp800_22/sequence.h"

namespace incore::assess::sp800_22 {

// Calls |visit|(S_k) for every k with |S_k| <= reach, in order. Far from 0 the walk is followed in
// steps of 64 bits. Returns where it ends.
template <class Visit>
int64_t walk_near_zero(const Sequence& epsilon, int64_t reach, Visit visit) {
  int64_t S = 0;
  const size_t n = epsilon.n();
  for (size_t i = 0; i < n;) {
    if (std::abs(S) > reach + 64 && i + 64 <= n) {
      S += 2 * std::popcount(epsilon.word_at(i)) - 64;
      i += 64;
      continue;
    }
    const uint64_t word = epsilon.word_at(i);
    const unsigned count = static_cast<unsigned>(std::min<size_t>(n - i, 64));
    for (unsigned j = 0; j < count; ++j) {
      S += static_cast<int64_t>(word << j >> 63) * 2 - 1;
      if (std::abs(S) <= reach) visit(S);
    }
    i += count;
  }
  return S;
}

// Fewer cycles do not suffice (2.14.4, note to step 4).
inline bool enough_cycles(double J, size_t n) {
  return J >= std::max(0.005 * std::sqrt(static_cast<double>(n)), 500.0);
}

inline constexpr const char* kTooFewCycles =
    "the sums return to 0 less than 500 times, which happens to two in five good sequences";

}  // namespace incore::assess::sp800_22
