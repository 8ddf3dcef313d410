// P-values made from others, and those for which too good is as bad as too far.
#pragma once

namespace incore::assess {

// Both tails of a continuous distribution, from its upper tail |p|: twice the smaller one. A
// chi-square of nearly zero is as rare as a huge one: a counter gives it.
double both_tails(double p);

double chi_square_both_tails_p(double statistic, double degrees);

// The least of |tests| independent p-values is |least| or less (Sidak's correction).
double least_of_p(double least, double tests);

// |successes| of |trials|, each of probability |p|: both tails, 1 at most. Where few values are
// possible these p-values are larger than uniform ones.
double binomial_both_tails_p(double successes, double trials, double p);

}  // namespace incore::assess
