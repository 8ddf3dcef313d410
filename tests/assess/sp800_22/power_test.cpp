// What each test of SP 800-22 is for: the defect that it must find, and P-values of good bits that
// are uniform.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "assess/generators.h"
#include "assess/sp800_22/statistics.h"

namespace incore::assess::sp800_22 {
namespace {

using test::GoodSource;

constexpr size_t kN = 1'000'000;

// |n| digits; |next| gets those before and says whether a 1 comes.
template <class Next>
std::string digits_of(size_t n, Next next) {
  std::string digits;
  digits.reserve(n);
  while (digits.size() < n) digits += next(digits) ? '1' : '0';
  return digits;
}

bool ends_with_ones(const std::string& digits, size_t count) {
  return digits.size() >= count && digits.find_last_not_of('1') + 1 + count <= digits.size();
}

std::string biased(GoodSource& source) {
  return digits_of(kN, [&](const std::string&) { return source.chance(0.505); });
}

// Bias that changes sides from block to block.
std::string biased_in_turns(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    return source.chance(before.size() / 128 % 2 == 0 ? 0.55 : 0.45);
  });
}

// Bias that changes sides in the middle.
std::string biased_in_halves(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    return source.chance(before.size() < kN / 2 ? 0.505 : 0.495);
  });
}

std::string alternating(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    return source.chance(before.ends_with('1') ? 0.495 : 0.505);
  });
}

// A run of ones is ended after ten.
std::string short_runs(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    return !ends_with_ones(before, 10) && source.chance(0.5);
  });
}

// Every 32nd bit is the sum of two before it.
std::string dependent_rows(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    const size_t at = before.size() % 32;
    return at == 31 ? before[before.size() - 5] != before[before.size() - 17] : source.chance(0.5);
  });
}

// Half of the bits come again 1000 bits later.
std::string periodic(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    if (before.size() < 1000) return source.chance(0.5);
    return source.chance(0.75) == (before[before.size() - 1000] == '1');
  });
}

// The template is broken up now and then.
std::string without_template(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    return source.chance(before.ends_with("00001011") ? 0.35 : 0.5);
  });
}

std::string fewer_nine_ones(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    return source.chance(ends_with_ones(before, 8) ? 0.4 : 0.5);
  });
}

// Each bit is that of 7 * 60 bits before a little too often.
std::string repeating_blocks(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    const size_t back = 7 * 60;
    if (before.size() < back) return source.chance(0.5);
    return source.chance(0.65) == (before[before.size() - back] == '1');
  });
}

// The next bit depends a little on the sum of the last eight.
std::string with_memory(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    if (before.size() < 8) return source.chance(0.5);
    const auto ones = std::count(before.end() - 8, before.end(), '1');
    return source.chance(ones % 2 == 0 ? 0.52 : 0.48);
  });
}

// The walk returns to 0 as it should, but visits the states beyond it on one side only.
std::string one_sided_walk(GoodSource& source) {
  int S = 0;
  return digits_of(kN, [&](const std::string&) {
    const bool one = S == 0 || (S >= 6 ? source.chance(0.3) : source.chance(0.5));
    S += one ? 1 : -1;
    return one;
  });
}

// x^31 + x^3 + 1.
std::string shift_register(GoodSource& source) {
  return digits_of(kN, [&](const std::string& before) {
    const size_t n = before.size();
    return n < 31 ? source.chance(0.5) : before[n - 31] != before[n - 3];
  });
}

struct Defect {
  const char* name;
  std::string (*make)(GoodSource& source);
  const sp800_22::Test* found_by;
  const sp800_22::Test* not_by;  // a test that does not see it: the defect is one of its kind
};

const Defect kDefects[] = {
    {"biased", biased, &test_frequency, &test_linear_complexity},
    {"biased in turns", biased_in_turns, &test_block_frequency, &test_frequency},
    {"biased in halves", biased_in_halves, &test_cumulative_sums, &test_frequency},
    {"alternating", alternating, &test_runs, &test_frequency},
    {"short runs", short_runs, &test_longest_run, &test_linear_complexity},
    {"dependent rows", dependent_rows, &test_rank, &test_frequency},
    {"periodic", periodic, &test_fourier_transform, &test_runs},
    {"without template", without_template, &test_non_overlapping_template, &test_linear_complexity},
    {"fewer nine ones", fewer_nine_ones, &test_overlapping_template, &test_linear_complexity},
    {"repeating blocks", repeating_blocks, &test_universal, &test_runs},
    {"with memory", with_memory, &test_approximate_entropy, &test_runs},
    {"with memory", with_memory, &test_serial, &test_frequency},
    {"one-sided walk", one_sided_walk, &test_random_excursions, &test_linear_complexity},
    {"one-sided walk", one_sided_walk, &test_random_excursions_variant, &test_linear_complexity},
    {"shift register", shift_register, &test_linear_complexity, &test_frequency},
};

double least_p(const sp800_22::Test& test, const Sequence& epsilon) {
  Outcomes found;
  test.run(epsilon, parameters_for(epsilon.n()), found);
  double least = 1;
  for (const Outcome& each : found) least = std::min(least, each.p_value);
  return least;
}

TEST(sp800_22_power, each_test_finds_its_defect) {
  std::map<const sp800_22::Test*, int> num_defects;
  for (const Defect& defect : kDefects) {
    GoodSource source(1);
    const Sequence epsilon(defect.make(source));
    EXPECT_LT(least_p(*defect.found_by, epsilon), kFailBelow)
        << defect.name << " by " << defect.found_by->name;
    EXPECT_GT(least_p(*defect.not_by, epsilon), kWeakBelow)
        << defect.name << " by " << defect.not_by->name;
    ++num_defects[defect.found_by];
  }
  EXPECT_EQ(num_defects.size(), tests().size()) << "a test without a defect";
}

TEST(sp800_22_power, constant_bits_fail_everywhere) {
  for (const char digit : {'0', '1'}) {
    const Sequence epsilon(std::string(kN, digit));
    for (const sp800_22::Test* test : tests()) {
      if (!test->exact_tail) continue;  // no cycles
      EXPECT_LT(least_p(*test, epsilon), kFailBelow) << test->name << " of " << digit;
    }
  }
}

// Kolmogorov and Smirnov's distance from the uniform distribution, times the square root of the
// number: above 2.23 once in 10,000 times.
double distance(std::vector<double> p_values) {
  std::sort(p_values.begin(), p_values.end());
  const double n = static_cast<double>(p_values.size());
  double most = 0;
  for (size_t i = 0; i < p_values.size(); ++i) {
    const double rank = static_cast<double>(i);
    most = std::max({most, p_values[i] - rank / n, (rank + 1) / n - p_values[i]});
  }
  return most * std::sqrt(n);
}

TEST(sp800_22_power, p_values_of_good_bits_are_uniform) {
  // As few bits as are enough for the approximations of the tests.
  std::map<size_t, std::vector<const sp800_22::Test*>> tests_by_n;
  for (const sp800_22::Test* test : tests())
    tests_by_n[std::max<size_t>(test->least_n, 50'000)].push_back(test);
  constexpr uint64_t kSeeds = 200, kSeedsOfSlow = 50;
  std::map<std::pair<const sp800_22::Test*, std::string>, std::vector<double>> p_values;
  for (const auto& [n, those] : tests_by_n)
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const Sequence epsilon(test::good_bytes(seed, n / 8 + 1), 0, n);
      for (const sp800_22::Test* test : those) {
        if (test == &test_linear_complexity && seed > kSeedsOfSlow) continue;
        Outcomes found;
        test->run(epsilon, parameters_for(n), found);
        for (const Outcome& each : found) p_values[{test, each.variant}].push_back(each.p_value);
      }
    }
  EXPECT_EQ(p_values.size(), 188u);
  for (const auto& [which, each] : p_values) {
    EXPECT_GE(each.size(), kSeedsOfSlow) << which.first->name;
    EXPECT_LT(distance(each), 2.23) << which.first->name << " " << which.second;
  }
}

}  // namespace
}  // namespace incore::assess::sp800_22
