#include "assess/sp800_90b/prediction.h"

#include <cmath>

#include "assess/sp800_90b/search.h"

namespace incore::assess::sp800_90b {
namespace {

// The logarithm of the probability that |n| predictions, each right with probability |p|, have no
// run of |r| right ones: (1 - px) / ((r + 1 - rx) q x^(n + 1)), Feller's approximation, where x is
// the root near 1 of 1 - x + q p^r x^(r + 1). What is computed is y = x - 1: it is tiny, and is
// multiplied by n. NIST's tool improves x 66 times at most; so do we, for equal results where that
// is not enough.
double log_no_run(double p, double r, double n) {
  const double q = 1 - p, p_r = std::pow(p, r);
  double y = 0;
  for (int i = 0; i < 66; ++i) {
    const double last = y;
    y = q * p_r * std::exp((r + 1) * std::log1p(y));
    if (y - last <= 1e-19 * (1 + y)) break;
  }
  return std::log1p(-p * y / q) - std::log1p(-r * y) - (n + 1) * std::log1p(y);
}

double global_upper(double c, double n) {
  return c > 0 ? upper_bound(c / n, n) : 1 - std::pow(0.01, 1 / n);
}

// P_local, or 0 if it is not greater than |least|.
double local_above(double least, double r, double n) {
  const double log_alpha = std::log(0.99);
  const auto f = [&](double p) { return log_no_run(p, r, n); };
  return least < 1 && f(least) > log_alpha ? last_above(least, 1, log_alpha, f) : 0;
}

}  // namespace

double prediction_p(double c, double r, double n, unsigned k) {
  const double p = std::max(global_upper(c, n), 1.0 / k);
  return std::max(p, local_above(p, r, n));
}

Estimate prediction_estimate(const char* test, const Tally& tally, uint64_t n, unsigned k) {
  const auto num = static_cast<double>(n), c = static_cast<double>(tally.correct());
  const auto r = static_cast<double>(tally.r());
  const double p = prediction_p(c, r, num, k);
  const double p_global_upper = global_upper(c, num);
  Estimate estimate = {
      .test = test,
      .min_entropy = entropy_of(p),
      .figures = {
          {"C", c}, {"N", num}, {"r", r}, {"P_global", c / num}, {"P'_global", p_global_upper}}};
  // P_local is given only if it matters, as by NIST's tool.
  if (p > std::max(p_global_upper, 1.0 / k)) estimate.figures.push_back({"P_local", p});
  return estimate;
}

}  // namespace incore::assess::sp800_90b
