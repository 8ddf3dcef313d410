#include "assess/special.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace incore::assess {

double igamc(double a, double x) {
  return x <= 0 ? 1 : boost::math::gamma_q(a, x);
}

double igamc_inverse(double a, double q) {
  return boost::math::gamma_q_inv(a, q);
}

double chi_square_p(double statistic, double degrees) {
  return igamc(degrees / 2, statistic / 2);
}

double normal_cdf(double z) {
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

double normal_two_sided_p(double z) {
  return std::erfc(std::fabs(z) / std::sqrt(2.0));
}

double normal_quantile(double probability) {
  return boost::math::quantile(boost::math::normal(), probability);
}

double binomial_at_least(double successes, double trials, double p) {
  if (successes <= 0) return 1;
  return boost::math::cdf(complement(boost::math::binomial(trials, p), successes - 1));
}

}  // namespace incore::assess
