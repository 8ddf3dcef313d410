// The evenness of p-values, against the listing that PadLock guide 1.66 prints in section 6.1.
#include "assess/uniformity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "incore/assess.h"

namespace incore::assess {
namespace {

double evenness(const std::vector<double>& values) {
  double result = -1;
  EXPECT_EQ(incore_assess_evenness(values.data(), values.size(), &result), INCORE_OK);
  return result;
}

TEST(assess_uniformity, the_listing_of_the_guide) {
  // Chi-square of its five samples.
  const double statistics[] = {268.52, 236.62, 208.21, 295.41, 275.88};
  const double printed[] = {0.378, 0.035, 0.729, 0.515, 0.514};
  std::vector<double> p_values;
  for (size_t i = 0; i < 5; ++i) {
    p_values.push_back(incore_assess_chi_square_p(statistics[i], 255));
    // clause: PLK-TOOL-030
    // clause: PLK-TOOL-031
    EXPECT_NEAR(evenness(p_values), printed[i], 0.0011) << i;
  }
  // clause: PLK-TOOL-030
  EXPECT_NEAR(evenness(p_values), 0.513, 0.0005);
}

TEST(assess_uniformity, one_value) {
  // clause: PLK-TOOL-032
  EXPECT_NEAR(evenness({0.26835}), 0.378, 0.0005);
  // A^2 of one value y is -1 - log(y (1 - y)).
  EXPECT_DOUBLE_EQ(anderson_darling({0.25}), -1 - std::log(0.1875));
  // Two, worked by hand: sorted 0.1, 0.6.
  EXPECT_DOUBLE_EQ(anderson_darling({0.6, 0.1}),
                   -2 - (std::log(0.1 * 0.4) + 3 * std::log(0.6 * 0.9)) / 2);
  // 0 and 1 count as 1e-20.
  EXPECT_DOUBLE_EQ(anderson_darling({0}), -1 - std::log(1e-20));
  EXPECT_DOUBLE_EQ(anderson_darling({1}), -1 - std::log(1e-20));
}

TEST(assess_uniformity, the_distribution_function_in_its_four_parts) {
  // clause: PLK-TOOL-032
  EXPECT_EQ(anderson_darling_cdf(0.0099), 0);
  EXPECT_EQ(anderson_darling_cdf(-3), 0);
  EXPECT_NEAR(anderson_darling_cdf(1), 2 * std::exp(-1.2337) * (1.125 - 0.04958 / 2.325), 1e-15);
  EXPECT_NEAR(anderson_darling_cdf(3),
              1 - 0.6621361 * std::exp(-3.274914) - 0.95059 * std::exp(-6.015414), 1e-12);
  EXPECT_NEAR(anderson_darling_cdf(5),
              1 - 0.4938691 * std::exp(-5.251605) - 0.5946335 * std::exp(-7.63599), 1e-12);
  // The parts meet, and published critical values of A^2 come out: 1.933 (10 %), 2.492 (5 %), 3.857
  // (1 %), from Stephens (1974), table for the case of known parameters.
  EXPECT_NEAR(anderson_darling_cdf(2), anderson_darling_cdf(2.0001), 5e-4);
  EXPECT_NEAR(anderson_darling_cdf(4), anderson_darling_cdf(4.0001), 5e-4);
  EXPECT_NEAR(anderson_darling_cdf(1.933), 0.90, 0.001);
  EXPECT_NEAR(anderson_darling_cdf(2.492), 0.95, 0.001);
  EXPECT_NEAR(anderson_darling_cdf(3.857), 0.99, 0.001);
}

TEST(assess_uniformity, no_values) {
  double result = -1;
  EXPECT_EQ(incore_assess_evenness(&result, 0, &result), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_assess_evenness(nullptr, 1, &result), INCORE_ERROR_NULL);
  EXPECT_EQ(result, -1);
}

}  // namespace
}  // namespace incore::assess
