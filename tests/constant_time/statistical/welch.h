// Welch's t-test of two samples: how many standard errors lie between their means.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace incore::test {

struct Moments {
  double mean, variance;
  size_t n;
};

inline Moments moments(const std::vector<double>& sample, double limit) {
  double sum = 0, squares = 0;
  size_t n = 0;
  for (const double x : sample)
    if (x <= limit) sum += x, ++n;
  const double mean = n == 0 ? 0 : sum / static_cast<double>(n);
  for (const double x : sample)
    if (x <= limit) squares += (x - mean) * (x - mean);
  return {mean, n < 2 ? 0 : squares / static_cast<double>(n - 1), n};
}

// |t| of the values up to |limit|; 0 if too few are left to say anything.
inline double welch_t(const std::vector<double>& a, const std::vector<double>& b, double limit) {
  constexpr size_t kFewest = 100;
  const Moments x = moments(a, limit), y = moments(b, limit);
  if (x.n < kFewest || y.n < kFewest) return 0;
  const double error =
      std::sqrt(x.variance / static_cast<double>(x.n) + y.variance / static_cast<double>(y.n));
  if (error == 0) return x.mean == y.mean ? 0 : std::numeric_limits<double>::infinity();
  return std::fabs(x.mean - y.mean) / error;
}

// The greatest |t| over several crops: interruptions make the longest times long, whatever the
// input was, and would hide a small difference.
inline double greatest_t(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all(a);
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end());
  double greatest = 0;
  for (const double share : {1.0, 0.99, 0.95, 0.9, 0.75, 0.5}) {
    const auto last = static_cast<size_t>(share * static_cast<double>(all.size() - 1));
    greatest = std::max(greatest, welch_t(a, b, all[last]));
  }
  return greatest;
}

}  // namespace incore::test
