#include "assess/p_values.h"

#include <gtest/gtest.h>

#include <cmath>

#include "assess/special.h"

namespace incore::assess {
namespace {

TEST(assess_p_values, both_tails_are_equally_far_from_the_middle) {
  EXPECT_DOUBLE_EQ(both_tails(0.5), 1);
  EXPECT_DOUBLE_EQ(both_tails(0.01), 0.02);
  EXPECT_NEAR(both_tails(0.99), both_tails(0.01), 1e-15);
}

TEST(assess_p_values, a_chi_square_near_zero_is_as_bad_as_a_huge_one) {
  // Quantiles of chi-square with 10 degrees of freedom at 0.01 and 0.99, from tables.
  EXPECT_NEAR(chi_square_both_tails_p(2.558212, 10), 0.02, 1e-7);
  EXPECT_NEAR(chi_square_both_tails_p(23.209251, 10), 0.02, 1e-7);
  EXPECT_LT(chi_square_both_tails_p(0, 10), 1e-300);
}

TEST(assess_p_values, the_least_of_many_is_not_as_rare_as_it_looks) {
  EXPECT_NEAR(least_of_p(0.5, 2), 0.75, 1e-15);
  EXPECT_NEAR(least_of_p(1e-20, 1000), 1e-17, 1e-25);  // not lost beside 1
  EXPECT_EQ(least_of_p(1, 5), 1);
  EXPECT_EQ(least_of_p(0, 5), 0);
}

TEST(assess_p_values, binomial_tails_are_exact) {
  EXPECT_NEAR(binomial_both_tails_p(0, 10, 0.5), 2 * 0x1p-10, 1e-15);
  EXPECT_NEAR(binomial_both_tails_p(10, 10, 0.5), 2 * 0x1p-10, 1e-15);
  EXPECT_EQ(binomial_both_tails_p(5, 10, 0.5), 1);
  EXPECT_NEAR(binomial_both_tails_p(0, 1e6, 1e-5), 2 * std::pow(1 - 1e-5, 1e6), 1e-12);
}

TEST(assess_p_values, igamc_has_an_inverse) {
  for (const double q : {1e-9, 0.01, 0.5, 0.999})
    EXPECT_NEAR(igamc(7.5, igamc_inverse(7.5, q)), q, 1e-12 * q + 1e-14);
}

}  // namespace
}  // namespace incore::assess
