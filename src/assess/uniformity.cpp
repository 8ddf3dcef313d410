// The constants of the approximation are DIEHARD's, as PadLock guide 1.66 prints them in section
// 6.1.
#include "assess/uniformity.h"

#include <algorithm>
#include <cmath>

namespace incore::assess {

double anderson_darling(std::vector<double> values) {
  constexpr double kLeast = 1e-20;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double both_ends = values[i] * (1 - values[values.size() - 1 - i]);
    sum += static_cast<double>(2 * i + 1) * std::log(std::max(both_ends, kLeast));
  }
  return -n - sum / n;
}

double anderson_darling_cdf(double z) {
  if (z < 0.01) return 0;
  if (z <= 2)
    return 2 * std::exp(-1.2337 / z) * (1 + z / 8 - 0.04958 * z * z / (1.325 + z)) / std::sqrt(z);
  if (z <= 4) return 1 - 0.6621361 * std::exp(-1.091638 * z) - 0.95059 * std::exp(-2.005138 * z);
  return 1 - 0.4938691 * std::exp(-1.050321 * z) - 0.5946335 * std::exp(-1.527198 * z);
}

}  // namespace incore::assess
