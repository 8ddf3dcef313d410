// Whether the suites judge right: bad generators fail, each in the suite that should see it, and a
// good one passes as often as the thresholds say, with p-values that are uniform.
//
//   INCORE_JUDGED_SEEDS=1000 INCORE_JUDGED_BYTES=131072   the long form, `make rng-thousand`
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "assess/generators.h"
#include "assess/report.h"
#include "assess/special.h"
#include "incore/assess.h"
#include "support/property.h"

namespace incore::test {
namespace {

struct Judgement {
  incore_verdict verdict;
  std::string reasons = {};
  std::map<std::string, double> p_values = {};  // by suite, test and variant
  std::set<std::string> combined = {};          // those made of several, one of them discrete
};

// On one thread.
Judgement judge(const Bytes& data, const std::string& suites) {
  incore_assess_options options{};
  options.suites = suites.c_str();
  options.threads = 1;
  incore_assess* assess = nullptr;
  if (incore_assess_new(&options, &assess, nullptr, 0) != INCORE_OK ||
      incore_assess_update(assess, data.data(), data.size(), nullptr, 0) != INCORE_OK ||
      incore_assess_finish(assess) != INCORE_OK)
    throw std::runtime_error("the assessment cannot be made");
  incore_assess_summary summary;
  EXPECT_EQ(incore_assess_get_summary(assess, &summary), INCORE_OK);
  Judgement found{.verdict = summary.verdict};
  for (size_t i = 0; i < summary.num_reasons; ++i)
    found.reasons += std::string(summary.reasons[i]) + "\n";
  for (size_t i = 0; i < incore_assess_num_results(assess); ++i) {
    incore_assess_result result;
    EXPECT_EQ(incore_assess_get_result(assess, i, &result), INCORE_OK);
    if (std::isnan(result.p_value)) continue;
    const bool plain = *result.variant == '\0';
    const std::string name =
        std::string(result.suite) + ": " + result.test + (plain ? "" : ", ") + result.variant;
    found.p_values[name] = result.p_value;
    for (size_t j = 0; j < result.num_figures; ++j)
      if (result.figures[j].name == std::string("sequences")) found.combined.insert(name);
  }
  incore_assess_free(assess);
  return found;
}

std::set<std::string> default_suites() {
  std::set<std::string> names;
  for (size_t i = 0; i < incore_assess_num_suites(); ++i) {
    incore_assess_suite suite;
    EXPECT_EQ(incore_assess_get_suite(i, &suite), INCORE_OK);
    if (suite.by_default) names.insert(suite.name);
  }
  return names;
}

// Those of the default but for the estimators of entropy, which take most of the time.
std::string suites_with_p_values() {
  std::string list;
  for (const std::string& name : default_suites())
    if (name != "sp800-90b") list += (list.empty() ? "" : ",") + name;
  return list;
}

class assess_bad_generators : public ::testing::TestWithParam<size_t> {};

TEST_P(assess_bad_generators, fail_in_the_suite_that_should_see_them) {
  const BadGenerator& bad = bad_generators()[GetParam()];
  const Bytes data = bad.make(1, bad.len);
  ASSERT_EQ(data.size(), bad.len) << bad.name;
  // What one suite fails, an assessment with more suites fails too.
  EXPECT_EQ(judge(data, bad.suite).verdict, INCORE_VERDICT_FAIL) << bad.name;
}

TEST(assess_judgement, bad_generators_are_named_with_suites_of_the_default) {
  for (const BadGenerator& bad : bad_generators())
    EXPECT_TRUE(default_suites().contains(bad.suite)) << bad.name << ": " << bad.suite;
}

// Its period and its linear complexity, 19,937, are far beyond what the tests look at.
TEST(assess_judgement, mersenne_twister_is_not_seen) {
  std::mt19937 twister(1);
  Bytes data(size_t{1} << 20);
  for (uint8_t& byte : data) byte = static_cast<uint8_t>(twister());
  EXPECT_EQ(judge(data, suites_with_p_values()).verdict, INCORE_VERDICT_PASS);
}

std::string test_name_of(const ::testing::TestParamInfo<size_t>& info) {
  std::string name = bad_generators()[info.param].name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(all, assess_bad_generators,
                         ::testing::Range(size_t{0}, bad_generators().size()), test_name_of);

// ---- A good generator ----

// Kolmogorov and Smirnov's test against the uniform distribution. P-values that take few values, or
// are made of some that do, cannot be uniform; of these, small ones must not be too many.
bool takes_few_values(const std::vector<double>& p_values) {
  const std::set<double> distinct(p_values.begin(), p_values.end());
  return static_cast<double>(distinct.size()) < 0.9 * static_cast<double>(p_values.size());
}

double uniformity_of(std::vector<double> p_values, bool too_small_only) {
  std::sort(p_values.begin(), p_values.end());
  const auto n = static_cast<double>(p_values.size());
  double above = 0, below = 0;
  for (size_t i = 0; i < p_values.size(); ++i) {
    above = std::max(above, static_cast<double>(i + 1) / n - p_values[i]);
    below = std::max(below, p_values[i] - static_cast<double>(i) / n);
  }
  const double scale = std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n);  // Stephens
  if (too_small_only) return std::exp(-2 * std::pow(above * scale, 2));
  const double lambda = std::max(above, below) * scale;
  double p = 0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 ? 2 : -2) * std::exp(-2 * k * k * lambda * lambda);
  return lambda < 0.3 ? 1 : std::clamp(p, 0.0, 1.0);
}

std::vector<Judgement> judge_seeds(uint64_t num_seeds, size_t len) {
  std::vector<Judgement> all(num_seeds);
  const std::string suites = suites_with_p_values();
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t seed; (seed = next++) < num_seeds;)
      all[seed] = judge(good_bytes(seed, len), suites);
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    threads.emplace_back(work);
  threads.clear();
  return all;
}

TEST(assess_judgement, good_generator_passes_at_the_stated_rates) {
  const uint64_t num_seeds = number_from_environment("INCORE_JUDGED_SEEDS", 12);
  const auto len = static_cast<size_t>(number_from_environment("INCORE_JUDGED_BYTES", 128 * 1024));
  const std::vector<Judgement> all = judge_seeds(num_seeds, len);

  std::map<std::string, std::vector<double>> p_values;
  std::set<std::string> combined;
  std::map<incore_verdict, size_t> verdicts;
  size_t num_p = 0, num_below_weak = 0, num_below_fail = 0;
  for (size_t seed = 0; seed < all.size(); ++seed) {
    ++verdicts[all[seed].verdict];
    if (all[seed].verdict != INCORE_VERDICT_PASS)
      std::cout << "seed " << seed << ": " << incore_verdict_name(all[seed].verdict) << "\n"
                << all[seed].reasons;
    combined.insert(all[seed].combined.begin(), all[seed].combined.end());
    for (const auto& [name, p] : all[seed].p_values) {
      p_values[name].push_back(p);
      ++num_p;
      num_below_weak += p < assess::kWeakBelow;
      num_below_fail += p < assess::kFailBelow;
    }
  }
  std::cout << num_seeds << " seeds of " << len << " bytes: " << verdicts[INCORE_VERDICT_PASS]
            << " pass, " << verdicts[INCORE_VERDICT_WEAK] << " weak, "
            << verdicts[INCORE_VERDICT_FAIL] << " fail\n"
            << num_p << " p-values: " << num_below_weak << " below " << assess::kWeakBelow << ", "
            << num_below_fail << " below " << assess::kFailBelow << "\n";

  // Results of one assessment hang together, so they deviate by more than independent ones would:
  // the doubled rate is allowed, for the deviation by chance.
  constexpr double kChance = 1e-6;
  const auto n = static_cast<double>(num_p);
  EXPECT_GT(
      assess::binomial_at_least(static_cast<double>(num_below_weak), n, 2 * assess::kWeakBelow),
      kChance);
  EXPECT_GT(
      assess::binomial_at_least(static_cast<double>(num_below_fail), n, 2 * assess::kFailBelow),
      kChance);
  EXPECT_GT(assess::binomial_at_least(static_cast<double>(verdicts[INCORE_VERDICT_FAIL]),
                                      static_cast<double>(num_seeds), 1e-3),
            kChance);

  size_t num_one_sided = 0;
  double least = 1;
  const double threshold = 0.001 / static_cast<double>(p_values.size());  // Bonferroni
  for (const auto& [name, values] : p_values) {
    const bool one_sided = combined.contains(name) || takes_few_values(values);
    const double p = uniformity_of(values, one_sided);
    num_one_sided += one_sided;
    least = std::min(least, p);
    EXPECT_GT(p, threshold) << name << ", " << values.size() << " p-values, mean "
                            << std::accumulate(values.begin(), values.end(), 0.0) /
                                   static_cast<double>(values.size())
                            << (one_sided ? ", too many small ones" : "");
  }
  std::cout << p_values.size() << " tests, " << num_one_sided
            << " of them with few values or combined; the least uniform has KS p = " << least
            << ", the threshold is " << threshold << "\n";
}

}  // namespace
}  // namespace incore::test
