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

}  // namespace

Estimate prediction_estimate(const char* test, const Tally& tally, uint64_t n, unsigned k) {
  const auto num = static_cast<double>(n), correct = static_cast<double>(tally.correct());
  const auto r = static_cast<double>(tally.r());
  const double p_global = correct / num;
  const double p_global_upper =
      correct > 0 ? upper_bound(p_global, num) : 1 - std::pow(0.01, 1 / num);
  Estimate estimate = {.test = test,
                       .figures = {{"C", correct},
                                   {"N", num},
                                   {"r", r},
                                   {"P_global", p_global},
                                   {"P'_global", p_global_upper}}};
  double p = std::max(p_global_upper, 1.0 / k);
  // P_local matters, and is given, only if it is the greatest.
  const double log_alpha = std::log(0.99);
  const auto f = [&](double p_local) { return log_no_run(p_local, r, num); };
  if (p < 1 && f(p) > log_alpha) {
    p = last_above(p, 1, log_alpha, f);
    estimate.figures.push_back({"P_local", p});
  }
  estimate.min_entropy = entropy_of(p);
  return estimate;
}

}  // namespace incore::assess::sp800_90b
