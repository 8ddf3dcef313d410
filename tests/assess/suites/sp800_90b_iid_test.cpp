// The suite sp800-90b-iid: what it makes of good, bad and unfit samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "assess/generators.h"
#include "assess/iid_statistics.h"
#include "incore/assess.h"

namespace incore::test {
namespace {

// ---- A suite's results, by name ----

struct Found {
  incore_verdict verdict;
  double statistic, p_value, min_entropy;
  std::map<std::string, double> figures;
  std::string text;
};

struct Outcome {
  incore_verdict verdict;
  std::string text;
  std::map<std::string, Found> found;  // by variant, or test where there is none
};

struct Asked {
  unsigned threads = 1;
  uint64_t seed = 0;
  double min_entropy = 0;
  int (*progress)(void*, const char*, double) = nullptr;
};

Outcome run_iid(const Bytes& data, const Asked& asked) {
  incore_assess_options options{};
  options.threads = asked.threads;
  options.seed = asked.seed;
  options.min_entropy = asked.min_entropy;
  options.progress = asked.progress;
  options.suites = "sp800-90b-iid";
  incore_assess* assess = nullptr;
  if (incore_assess_new(&options, &assess, nullptr, 0) != INCORE_OK ||
      incore_assess_update(assess, data.data(), data.size(), nullptr, 0) != INCORE_OK ||
      incore_assess_finish(assess) != INCORE_OK)
    throw std::runtime_error("the assessment cannot be made");
  Outcome outcome;
  for (size_t i = 0; i < incore_assess_num_results(assess); ++i) {
    incore_assess_result result;
    EXPECT_EQ(incore_assess_get_result(assess, i, &result), INCORE_OK);
    Found found{result.verdict, result.statistic, result.p_value, result.min_entropy, {},
                result.text};
    for (size_t j = 0; j < result.num_figures; ++j)
      found.figures[result.figures[j].name] = result.figures[j].value;
    outcome.found[*result.variant != '\0' ? result.variant : result.test] = std::move(found);
  }
  incore_assess_summary summary;
  EXPECT_EQ(incore_assess_get_summary(assess, &summary), INCORE_OK);
  outcome.verdict = summary.verdict;
  outcome.text = summary.text;
  incore_assess_free(assess);
  return outcome;
}

TEST(sp800_90b_iid, entropy_is_that_of_the_most_common_value) {
  const Outcome outcome =
      run_iid(symbols_by_weight(6, 20'000, std::vector<double>{0, 4, 1, 2}), {});
  const Found& decision = outcome.found.at("IID Assumption");
  EXPECT_EQ(decision.verdict, INCORE_VERDICT_PASS) << decision.text;
  EXPECT_DOUBLE_EQ(decision.min_entropy, std::min(decision.figures.at("H_original"),
                                                  2 * decision.figures.at("H_bitstring")));
  for (const char* name : kStatisticNames)
    EXPECT_EQ(outcome.found.at(name).verdict, INCORE_VERDICT_PASS) << name;
}

TEST(sp800_90b_iid, results_do_not_depend_on_threads) {
  const Bytes data = good_bytes(7, 20'000);
  const Outcome one = run_iid(data, {.threads = 1, .seed = 3});
  const Outcome three = run_iid(data, {.threads = 3, .seed = 3});
  const Outcome other_seed = run_iid(data, {.threads = 1, .seed = 4});
  bool differs = false;
  for (const char* name : kStatisticNames) {
    EXPECT_EQ(one.found.at(name).figures, three.found.at(name).figures) << name;
    differs |= one.found.at(name).figures != other_seed.found.at(name).figures;
  }
  EXPECT_TRUE(differs);
}

TEST(sp800_90b_iid, dependent_symbols_fail_and_say_why) {
  Bytes data = good_bytes(8, 20'000);
  std::sort(data.begin(), data.begin() + 2'000);
  const Outcome outcome = run_iid(data, {});
  EXPECT_EQ(outcome.verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(outcome.found.at("number of directional runs").verdict, INCORE_VERDICT_FAIL);
  const Found& decision = outcome.found.at("IID Assumption");
  EXPECT_EQ(decision.verdict, INCORE_VERDICT_FAIL);
  EXPECT_TRUE(std::isnan(decision.min_entropy));
  EXPECT_NE(decision.text.find("number of directional runs"), std::string::npos) << decision.text;
}

TEST(sp800_90b_iid, less_entropy_than_demanded_fails) {
  Bytes data = good_bytes(10, 20'000);
  for (uint8_t& byte : data) byte &= 1;
  const Outcome enough = run_iid(data, {.min_entropy = 0.9});
  EXPECT_EQ(enough.verdict, INCORE_VERDICT_PASS);
  EXPECT_EQ(enough.text.find("there is the min-entropy that is demanded"), 0u) << enough.text;
  EXPECT_EQ(run_iid(data, {.min_entropy = 0.99}).verdict, INCORE_VERDICT_FAIL);
}

// A good source that chance made look otherwise: the standard rejects one in about fifty.
TEST(sp800_90b_iid, a_rejection_is_no_pass_and_meets_no_demand) {
  const Bytes data = good_bytes(58, 10'000);
  const Outcome rejected = run_iid(data, {});
  EXPECT_EQ(rejected.verdict, INCORE_VERDICT_WEAK);
  EXPECT_EQ(rejected.found.at("IID Assumption").verdict, INCORE_VERDICT_WEAK);
  EXPECT_NE(rejected.text.find("use the non-IID track"), std::string::npos) << rejected.text;
  EXPECT_EQ(run_iid(data, {.min_entropy = 0.01}).verdict, INCORE_VERDICT_UNDECIDED);
}

// Independence was tested, and nothing else.
TEST(sp800_90b_iid, independent_symbols_that_are_not_even_pass_as_independent) {
  const double weights[] = {0.5, 0.3, 0.2};
  const Outcome outcome = run_iid(symbols_by_weight(1, 20'000, weights), {});
  EXPECT_EQ(outcome.verdict, INCORE_VERDICT_PASS);
  EXPECT_EQ(outcome.text,
            "no test rejects that symbols are independent and identically distributed");
}

TEST(sp800_90b_iid, one_symbol_has_no_entropy) {
  const Outcome outcome = run_iid(Bytes(20'000, 7), {});
  EXPECT_EQ(outcome.verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(outcome.found.at("IID Assumption").min_entropy, 0);
}

TEST(sp800_90b_iid, few_symbols_are_skipped) {
  const Outcome outcome = run_iid(good_bytes(1, 9'999), {});
  ASSERT_EQ(outcome.found.size(), 1u);
  EXPECT_EQ(outcome.found.begin()->second.verdict, INCORE_VERDICT_SKIPPED);
}

TEST(sp800_90b_iid, stopped_work_is_marked) {
  const Asked asked{.threads = 2, .progress = [](void*, const char* what, double) {
                      return static_cast<int>(std::string(what) == "permutation testing");
                    }};
  const Outcome outcome = run_iid(good_bytes(1, 20'000), asked);
  EXPECT_EQ(outcome.found.at("excursion").verdict, INCORE_VERDICT_SKIPPED);
  EXPECT_EQ(outcome.found.at("IID Assumption").verdict, INCORE_VERDICT_SKIPPED);
  EXPECT_EQ(outcome.found.at("Chi-square Goodness-of-Fit").verdict, INCORE_VERDICT_PASS);
}

}  // namespace
}  // namespace incore::test
