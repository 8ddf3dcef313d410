// Distributions, by Boost.Math, with the standards' names for them.
#pragma once

namespace incore::assess {

// igamc: the incomplete gamma function Q(a, x) (SP 800-22, section 5.5.3). 1 for x <= 0.
double igamc(double a, double x);
// The x at which igamc(a, x) is |q|.
double igamc_inverse(double a, double q);

// The probability that chi-square with |degrees| degrees of freedom is |statistic| or more.
double chi_square_p(double statistic, double degrees);

// The standard normal distribution function, and both of its tails beyond |z|.
double normal_cdf(double z);
double normal_two_sided_p(double z);
double normal_quantile(double probability);

// The probability of |successes| or more of |trials|, each of probability |p|.
double binomial_at_least(double successes, double trials, double p);

}  // namespace incore::assess
