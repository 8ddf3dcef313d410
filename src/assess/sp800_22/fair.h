// What Test::share is computed from: how fair sequences are distributed, and which statistics have
// a P-value of p.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "assess/special.h"

namespace incore::assess::sp800_22 {

// Binomial coefficients of numbers up to |most|.
class Choose {
 public:
  explicit Choose(uint64_t most) : log_factorial_(most + 1) {
    for (uint64_t k = 1; k <= most; ++k)
      log_factorial_[k] = log_factorial_[k - 1] + std::log(static_cast<double>(k));
  }
  double log_factorial(uint64_t k) const { return log_factorial_[k]; }
  // The logarithm of n over k; minus infinity if k is more than n.
  double log(uint64_t n, uint64_t k) const {
    return k > n ? -HUGE_VAL : log_factorial_[n] - log_factorial_[k] - log_factorial_[n - k];
  }
  // Of n fair bits so many are ones.
  double share(uint64_t n, uint64_t ones) const {
    return std::exp(log(n, ones) - static_cast<double>(n) * std::log(2.0));
  }

 private:
  std::vector<double> log_factorial_;
};

// The statistic whose P-value is |p|: of both tails of a normal variable, or of chi-square.
inline double two_sided_quantile(double p) {
  return p >= 1 ? 0 : -normal_quantile(p / 2);
}
inline double chi_square_quantile(double p, double degrees) {
  return 2 * igamc_inverse(degrees / 2, p);
}

// What a statistic is compared with: a little less, as its P-value was rounded on the way.
inline double at_least(double statistic) {
  return statistic * (1 - 1e-9);
}

}  // namespace incore::assess::sp800_22
