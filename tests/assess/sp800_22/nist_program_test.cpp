// P-values against those that NIST's own program found for the same bits, with lengths that are no
// multiples of anything, and tests against what the definition says, bit by bit, where bits are
// handled in words.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "assess/generators.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

std::vector<double> p_values_of(Outcomes outcomes) {
  std::vector<double> found;
  for (const Outcome& each : outcomes) {
    const auto printed =
        std::find_if(each.figures.begin(), each.figures.end(),
                     [](const Figure& figure) { return figure.name == kByPrintedPi; });
    found.push_back(printed != each.figures.end() ? printed->value : each.p_value);
  }
  return found;
}

std::vector<double> p_values_of(const Sequence& epsilon, const std::string& test,
                                unsigned parameter) {
  if (test == "frequency") return p_values_of({frequency(epsilon)});
  if (test == "block_frequency") return p_values_of({block_frequency(epsilon, parameter)});
  if (test == "cumulative_sums") return p_values_of(cumulative_sums(epsilon));
  if (test == "runs") return p_values_of({runs(epsilon)});
  if (test == "longest_run") return p_values_of({longest_run(epsilon)});
  if (test == "rank") return p_values_of({rank(epsilon)});
  if (test == "fourier_transform") return p_values_of({fourier_transform(epsilon)});
  if (test == "non_overlapping_template")
    return p_values_of(non_overlapping_template(epsilon, parameter, 8));
  if (test == "overlapping_template")
    return {chi_square_p(chi_square(overlapping_nu(epsilon, parameter, 1032),
                                    overlapping_pi_asymptotic(parameter, 1032)),
                         5)};
  if (test == "universal") return p_values_of({universal(epsilon)});
  if (test == "approximate_entropy") return p_values_of({approximate_entropy(epsilon, parameter)});
  if (test == "random_excursions") return p_values_of(random_excursions(epsilon));
  if (test == "random_excursions_variant") return p_values_of(random_excursions_variant(epsilon));
  if (test == "serial") return p_values_of(serial(epsilon, parameter));
  if (test == "linear_complexity") return p_values_of({linear_complexity(epsilon, parameter)});
  throw std::invalid_argument(test);
}

constexpr double kTooFewCycles = -3;  // as that program says it

bool is_applicable(const Sequence& epsilon, const std::string& test) {
  if (test != "random_excursions" && test != "random_excursions_variant") return true;
  Outcomes found;
  (test == "random_excursions" ? test_random_excursions : test_random_excursions_variant)
      .run(epsilon, {}, found);
  return !found.empty();
}

TEST(sp800_22_nist_program, p_values_are_the_same) {
  std::ifstream file(INCORE_TEST_DATA "/assess/sp800_22_nist_program.txt");
  std::string line;
  size_t num_lines = 0;
  uint64_t last_seed = 0;
  Sequence epsilon("");
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    SCOPED_TRACE(line.substr(0, 50));
    std::istringstream fields(line);
    uint64_t seed;
    size_t n;
    std::string test;
    unsigned parameter;
    ASSERT_TRUE(fields >> seed >> n >> test >> parameter);
    if (seed != last_seed) epsilon = Sequence(test::good_bytes(seed, (n + 7) / 8), 0, n);
    last_seed = seed;
    const std::vector<double> found = p_values_of(epsilon, test, parameter);
    size_t num_values = 0;
    for (double p; fields >> p; ++num_values) {
      if (p == kTooFewCycles) break;
      ASSERT_LT(num_values, found.size());
      EXPECT_NEAR(p, found[num_values], 1e-8) << num_values;
    }
    EXPECT_EQ(num_values, is_applicable(epsilon, test) ? found.size() : 0);
    ++num_lines;
  }
  EXPECT_GE(num_lines, 120u);
}

// ---- Words against bits ----

std::string random_digits(uint64_t seed, size_t n) {
  const test::Bytes bytes = test::good_bytes(seed, (n + 7) / 8);
  std::string digits;
  for (size_t i = 0; i < n; ++i) digits += bytes[i / 8] >> (7 - i % 8) & 1 ? '1' : '0';
  return digits;
}

TEST(sp800_22_sequence, is_the_bits_from_any_place) {
  const std::string digits = random_digits(3, 400);
  const test::Bytes bytes = test::good_bytes(3, 50);
  for (size_t first = 0; first < 20; ++first)
    for (const size_t n : {1u, 7u, 8u, 63u, 64u, 65u, 128u, 300u, 380u}) {
      const Sequence epsilon(bytes, first, n), same(digits.substr(first, n));
      EXPECT_EQ(epsilon.n(), n);
      EXPECT_TRUE(std::ranges::equal(epsilon.words(), same.words())) << first << " " << n;
      for (size_t i = 0; i < n; ++i) ASSERT_EQ(epsilon.bit(i), digits[first + i] == '1');
      for (size_t i = 0; i + 57 <= n; ++i)
        ASSERT_EQ(epsilon.bits(i, 57), std::stoull(digits.substr(first + i, 57), nullptr, 2));
    }
}

TEST(sp800_22_sequence, ring_counts_go_round_the_end) {
  for (const size_t n : {5u, 20u, 64u, 133u}) {
    const std::string digits = random_digits(n, n);
    for (const unsigned width : {1u, 2u, 3u, 5u}) {
      std::vector<uint32_t> counts(size_t{1} << width);
      for (size_t i = 0; i < n; ++i)
        ++counts[std::stoul((digits + digits).substr(i, width), nullptr, 2)];
      EXPECT_EQ(ring_counts(Sequence(digits), width), counts) << n << " " << width;
    }
  }
}

// The shortest register, found by trying all: s_i = c_1 s_(i-1) + ... + c_L s_(i-L).
unsigned shortest_register(const std::string& digits) {
  for (unsigned L = 0; L < digits.size(); ++L)
    for (uint32_t taps = 0; taps >> L == 0; ++taps) {
      bool makes = true;
      for (size_t i = L; i < digits.size() && makes; ++i) {
        unsigned sum = 0;
        for (unsigned j = 1; j <= L; ++j)
          sum ^= (taps >> (j - 1) & 1) & (digits[i - j] == '1' ? 1u : 0u);
        makes = sum == (digits[i] == '1' ? 1u : 0u);
      }
      if (makes) return L;
    }
  return static_cast<unsigned>(digits.size());
}

TEST(sp800_22_linear_complexity, is_the_length_of_the_shortest_register) {
  for (unsigned value = 0; value < 1u << 11; ++value) {
    std::string digits;
    for (unsigned i = 0; i < 11; ++i) digits += value >> i & 1 ? '1' : '0';
    ASSERT_EQ(linear_complexity_of(Sequence("10" + digits), 2, 11), shortest_register(digits))
        << digits;
  }
}

// x^89 + x^38 + 1 is primitive; from any start that is not 0 its register cannot be shortened.
TEST(sp800_22_linear_complexity, finds_a_register_across_words) {
  std::string digits = random_digits(1, 89);
  for (size_t i = 89; i < 500; ++i) digits += digits[i - 89] != digits[i - 38] ? '1' : '0';
  EXPECT_EQ(linear_complexity_of(Sequence(digits), 0, 500), 89u);
  std::string last_of_500(500, '0');
  EXPECT_EQ(linear_complexity_of(Sequence(last_of_500), 0, 500), 0u);
  last_of_500.back() = '1';
  EXPECT_EQ(linear_complexity_of(Sequence(last_of_500), 0, 500), 500u);
}

TEST(sp800_22_overlapping, probabilities_are_those_of_all_blocks) {
  std::array<uint64_t, 6> num{};
  for (unsigned block = 0; block < 1u << 12; ++block) {
    unsigned matches = 0;
    for (unsigned i = 0; i + 3 <= 12; ++i) matches += (block >> i & 7) == 7;
    ++num[std::min(matches, 5u)];
  }
  const OverlappingPi pi = overlapping_pi(3, 12);
  for (size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(pi[i], static_cast<double>(num[i]) / (1 << 12), 1e-12) << i;
}

TEST(sp800_22_excursions, skipping_far_from_zero_misses_no_visit) {
  // Up to 700, back through 0 to -700, and back again, with some noise.
  std::string digits;
  for (const char bit : {'1', '0', '0', '1', '1', '0'})
    digits += std::string(701, bit) + random_digits(digits.size(), 77);
  const Sequence epsilon(digits);
  std::array<double, 19> xi{};
  int S = 0;
  for (const char digit : digits) {
    S += digit == '1' ? 1 : -1;
    if (std::abs(S) <= 9) ++xi[static_cast<size_t>(S + 9)];
  }
  const Outcomes found = random_excursions_variant(epsilon);
  EXPECT_EQ(found[0].figures[0].value, xi[9] + (S != 0));
  for (size_t i = 0; i < 18; ++i) EXPECT_EQ(found[i].statistic, xi[i < 9 ? i : i + 1]) << i;
}

}  // namespace
}  // namespace incore::assess::sp800_22
