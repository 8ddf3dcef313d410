// SP 800-22's published results for the binary expansions of pi, e, sqrt(2) and sqrt(3): appendix
// B, and the examples of section 2 that take e. The expansions are computed with GMP.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "assess/sp800_22/constants.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

#if INCORE_HAVE_GMP

constexpr size_t kMillion = 1'000'000;

const Sequence& sequence_of(const std::string& constant) {
  static std::map<std::string, Sequence> made;
  auto found = made.find(constant);
  if (found == made.end()) {
    const std::string bits = constant == "pi"      ? test::bits_of_pi(kMillion)
                             : constant == "e"     ? test::bits_of_e(kMillion)
                             : constant == "sqrt2" ? test::bits_of_sqrt(2, kMillion)
                                                   : test::bits_of_sqrt(3, kMillion);
    found = made.emplace(constant, Sequence(bits)).first;
  }
  return found->second;
}

double figure(const Outcome& outcome, const std::string& name) {
  for (const Figure& each : outcome.figures)
    if (each.name == name) return each.value;
  return NAN;
}

// To the last of six digits.
#define EXPECT_PRINTED(printed, computed) EXPECT_NEAR(printed, computed, 0.51e-6)

struct Row {
  const Test* test;
  const char* variant;
  double pi, e, sqrt2, sqrt3;
  bool with_printed_pi = false;  // NIST's results come from the probabilities of its program
};

const Row kAppendixB[] = {
    {&test_frequency, "", 0.578211, 0.953749, 0.811881, 0.610051},
    {&test_block_frequency, "", 0.380615, 0.211072, 0.833222, 0.473961},
    {&test_cumulative_sums, "forward", 0.628308, 0.669886, 0.879009, 0.917121},
    {&test_cumulative_sums, "backward", 0.663369, 0.724265, 0.957206, 0.689519},
    {&test_runs, "", 0.419268, 0.561917, 0.313427, 0.261123},
    {&test_longest_run, "", 0.024390, 0.718945, 0.012117, 0.446726, true},
    {&test_rank, "", 0.083553, 0.306156, 0.823810, 0.314498},
    {&test_fourier_transform, "", 0.010186, 0.847187, 0.581909, 0.776046},
    {&test_non_overlapping_template, "000000001", 0.165757, 0.078790, 0.569461, 0.532235},
    {&test_overlapping_template, "", 0.296897, 0.110434, 0.791982, 0.082716, true},
    {&test_universal, "", 0.669012, 0.282568, 0.130805, 0.165981},
    {&test_approximate_entropy, "", 0.361595, 0.700073, 0.884740, 0.180481},
    {&test_random_excursions, "x = 1", 0.844143, 0.786868, 0.216235, 0.783283},
    {&test_random_excursions_variant, "x = -1", 0.760966, 0.826009, 0.566118, 0.155066},
    {&test_serial, "del psi^2", 0.143005, 0.766182, 0.861925, 0.157500},
    {&test_linear_complexity, "", 0.255475, 0.826335, 0.317127, 0.346469, true},
};

void expect_appendix_b(const std::string& constant, double Row::*printed) {
  const Sequence& epsilon = sequence_of(constant);
  for (const Row& row : kAppendixB) {
    SCOPED_TRACE(row.test->name);
    Outcomes found;
    row.test->run(epsilon, parameters_for(kMillion), found);
    size_t num_found = 0;
    for (const Outcome& outcome : found) {
      if (outcome.variant != row.variant) continue;
      ++num_found;
      EXPECT_PRINTED(row.*printed,
                     row.with_printed_pi ? figure(outcome, kByPrintedPi) : outcome.p_value);
    }
    EXPECT_EQ(num_found, 1u);
  }
}

TEST(sp800_22_published, appendix_b_pi) {
  expect_appendix_b("pi", &Row::pi);
}
TEST(sp800_22_published, appendix_b_e) {
  expect_appendix_b("e", &Row::e);
}
TEST(sp800_22_published, appendix_b_sqrt_2) {
  expect_appendix_b("sqrt2", &Row::sqrt2);
}
TEST(sp800_22_published, appendix_b_sqrt_3) {
  expect_appendix_b("sqrt3", &Row::sqrt3);
}

TEST(sp800_22_published, section_2_5_8_rank_of_100000_bits_of_e) {
  const Outcome found = rank(Sequence(test::bits_of_e(kMillion).substr(0, 100'000)));
  EXPECT_EQ(figure(found, "N"), 97);
  EXPECT_EQ(figure(found, "F_32"), 23);
  EXPECT_EQ(figure(found, "F_31"), 60);
  EXPECT_PRINTED(0.532069, found.p_value);
}

TEST(sp800_22_published, section_2_8_8_overlapping_templates_in_e) {
  const std::array<uint64_t, 6> nu = overlapping_nu(sequence_of("e"), 9, 1032);
  EXPECT_EQ(nu, (std::array<uint64_t, 6>{329, 164, 150, 111, 78, 136}));
  EXPECT_PRINTED(8.965859, chi_square(nu, overlapping_pi_asymptotic(9, 1032)));
  EXPECT_PRINTED(0.110434, chi_square_p(chi_square(nu, overlapping_pi_asymptotic(9, 1032)), 5));
}

TEST(sp800_22_published, section_2_10_8_linear_complexity_of_e) {
  const Outcome found = linear_complexity(sequence_of("e"), 1000);
  const double nu[] = {11, 31, 116, 501, 258, 57, 26};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(figure(found, "nu_" + std::to_string(i)), nu[i]);
  EXPECT_PRINTED(0.845406, figure(found, kByPrintedPi));
}

TEST(sp800_22_published, section_2_11_8_serial_of_e) {
  const Outcomes found = serial(sequence_of("e"), 2);
  EXPECT_PRINTED(0.339764, found[0].statistic);
  EXPECT_PRINTED(0.336400, found[1].statistic);
  EXPECT_PRINTED(0.843764, found[0].p_value);
  EXPECT_PRINTED(0.561915, found[1].p_value);
}

// For x > 0 the document prints other values here than in appendix B; NIST's program gives these.
TEST(sp800_22_published, section_2_14_8_random_excursions_of_e) {
  const Outcomes found = random_excursions(sequence_of("e"));
  const struct {
    double chi_square, p_value;
  } printed[] = {
      {3.835698, 0.573306}, {7.318707, 0.197996}, {7.861927, 0.164011}, {15.692617, 0.007779}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_PRINTED(printed[i].chi_square, found[i].statistic);
    EXPECT_PRINTED(printed[i].p_value, found[i].p_value);
  }
  const double of_program[] = {0.786867905178, 0.440911736646, 0.797853972507, 0.778185784959};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(of_program[i], found[4 + i].p_value, 1e-8);
  EXPECT_EQ(figure(found[0], "J"), 1490);
}

TEST(sp800_22_published, section_2_15_8_random_excursions_variant_of_e) {
  const Outcomes found = random_excursions_variant(sequence_of("e"));
  const struct {
    double xi, p_value;
  } printed[] = {{1450, 0.858946}, {1435, 0.794755}, {1380, 0.576249}, {1366, 0.493417},
                 {1412, 0.633873}, {1475, 0.917283}, {1480, 0.934708}, {1468, 0.816012},
                 {1502, 0.826009}, {1409, 0.137861}, {1369, 0.200642}, {1396, 0.441254},
                 {1479, 0.939291}, {1599, 0.505683}, {1628, 0.445935}, {1619, 0.512207},
                 {1620, 0.538635}, {1610, 0.593930}};
  ASSERT_EQ(found.size(), std::size(printed));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(printed[i].xi, figure(found[i], "xi"));
    EXPECT_PRINTED(printed[i].p_value, found[i].p_value);
  }
}

#endif

}  // namespace
}  // namespace incore::assess::sp800_22
