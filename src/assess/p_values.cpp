#include "assess/p_values.h"

#include <algorithm>
#include <cmath>

#include "assess/special.h"

namespace incore::assess {

double both_tails(double p) {
  return 2 * std::min(p, 1 - p);
}

double chi_square_both_tails_p(double statistic, double degrees) {
  return both_tails(chi_square_p(statistic, degrees));
}

double least_of_p(double least, double tests) {
  return least >= 1 ? 1 : -std::expm1(tests * std::log1p(-least));
}

double binomial_both_tails_p(double successes, double trials, double p) {
  const double upper = binomial_at_least(successes, trials, p);
  const double lower = successes >= trials ? 1 : 1 - binomial_at_least(successes + 1, trials, p);
  return std::min(1.0, 2 * std::min(lower, upper));
}

}  // namespace incore::assess
