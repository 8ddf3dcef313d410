// Whether numbers are evenly distributed over 0 to 1, as p-values of a good source are, in the form
// that DIEHARD's "KS test" has: the statistic of Anderson and Darling, and an approximation of its
// distribution function.
#pragma once

#include <vector>

namespace incore::assess {

// A^2 of |values|, which need at least one. A factor of its products below 1e-20 counts as that.
double anderson_darling(std::vector<double> values);

// The share of sets of even numbers whose A^2 is |statistic| or less; 0 below 0.01. A value near 1
// speaks against evenness.
double anderson_darling_cdf(double statistic);

}  // namespace incore::assess
