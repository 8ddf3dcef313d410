// include/incore/assess.h, with the suites that there are.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "incore/assess.h"

namespace {

struct Free {
  void operator()(incore_assess* assess) const { incore_assess_free(assess); }
};
using Assess = std::unique_ptr<incore_assess, Free>;

Assess make(const incore_assess_options& options) {
  incore_assess* assess = nullptr;
  char reason[256] = "";
  EXPECT_EQ(incore_assess_new(&options, &assess, reason, sizeof reason), INCORE_OK) << reason;
  return Assess(assess);
}

std::vector<uint8_t> random_bytes(size_t len) {
  std::vector<uint8_t> data(len);
  uint64_t state = 88172645463325252;
  for (uint8_t& byte : data) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    byte = static_cast<uint8_t>(state >> 32);
  }
  return data;
}

incore_assess_summary summary_of(const Assess& assess) {
  incore_assess_summary summary = {};
  EXPECT_EQ(incore_assess_get_summary(assess.get(), &summary), INCORE_OK);
  return summary;
}

TEST(assess_api, null_is_refused_everywhere) {
  incore_assess_suite suite;
  incore_assess_summary summary;
  incore_assess_result result;
  incore_assess_series series;
  incore_assess_run run;
  EXPECT_EQ(incore_assess_new(nullptr, nullptr, nullptr, 0), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_suite(0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_update(nullptr, nullptr, 0, nullptr, 0), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_finish(nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_summary(nullptr, &summary), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_result(nullptr, 0, &result), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_series(nullptr, 0, &series), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_run(nullptr, 0, &run), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_num_results(nullptr), 0u);
  EXPECT_EQ(incore_assess_num_series(nullptr), 0u);
  EXPECT_EQ(incore_assess_num_runs(nullptr), 0u);
  incore_assess_free(nullptr);

  const Assess assess = make({});
  EXPECT_EQ(incore_assess_update(assess.get(), nullptr, 0, nullptr, 0), INCORE_OK);
  EXPECT_EQ(incore_assess_update(assess.get(), nullptr, 1, nullptr, 0), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_summary(assess.get(), nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_result(assess.get(), 0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_series(assess.get(), 0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_run(assess.get(), 0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_assess_get_suite(incore_assess_num_suites(), &suite), INCORE_ERROR_RANGE);
  for (size_t i = 0; i < incore_assess_num_suites(); ++i)
    EXPECT_EQ(incore_assess_get_suite(i, &suite), INCORE_OK);
}

TEST(assess_api, wrong_options_are_refused_with_a_reason) {
  incore_assess_options wide = {}, entropy = {}, nan = {}, threads = {}, suites = {},
                        short_sequence = {}, long_sequence = {}, sequences = {};
  wide.symbol_bits = 9;
  entropy.min_entropy = 8.5;
  nan.min_entropy = std::numeric_limits<double>::quiet_NaN();
  threads.threads = 1025;
  suites.suites = "bytes,nope";
  short_sequence.sequence_bits = 99;
  long_sequence.sequence_bits = 100'000'001;
  sequences.sequences = 1001;
  const struct {
    const incore_assess_options* options;
    incore_status status;
    const char* reason;
  } cases[] = {{&wide, INCORE_ERROR_RANGE, "symbols are 1 to 8 bits"},
               {&entropy, INCORE_ERROR_RANGE, "min-entropy"},
               {&nan, INCORE_ERROR_RANGE, "min-entropy"},
               {&threads, INCORE_ERROR_RANGE, "1 to 1024"},
               {&short_sequence, INCORE_ERROR_RANGE, "a sequence has 100 to 100000000 bits"},
               {&long_sequence, INCORE_ERROR_RANGE, "a sequence has 100 to 100000000 bits"},
               {&sequences, INCORE_ERROR_RANGE, "sequences are 1 to 1000"},
               {&suites, INCORE_ERROR_ALGORITHM, "unknown suite 'nope'; accepted are: all bytes"}};
  for (const auto& each : cases) {
    incore_assess* assess = nullptr;
    char reason[256] = "";
    EXPECT_EQ(incore_assess_new(each.options, &assess, reason, sizeof reason), each.status);
    EXPECT_NE(std::strstr(reason, each.reason), nullptr) << reason;
    EXPECT_EQ(assess, nullptr);
    // Cut to fit, or not asked for.
    char small[5] = "....";
    EXPECT_EQ(incore_assess_new(each.options, &assess, small, 4), each.status);
    EXPECT_EQ(std::string(small), std::string(reason, 3));
    EXPECT_EQ(incore_assess_new(each.options, &assess, nullptr, 4), each.status);
    EXPECT_EQ(incore_assess_new(each.options, &assess, small, 0), each.status);
  }
}

TEST(assess_api, calls_out_of_order_are_refused) {
  const Assess assess = make({});
  incore_assess_summary summary;
  incore_assess_run run;
  EXPECT_EQ(incore_assess_get_summary(assess.get(), &summary), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_assess_num_results(assess.get()), 0u);
  EXPECT_EQ(incore_assess_get_run(assess.get(), 0, &run), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_assess_finish(assess.get()), INCORE_OK);
  EXPECT_EQ(incore_assess_finish(assess.get()), INCORE_ERROR_STATE);
  const uint8_t byte = 0;
  EXPECT_EQ(incore_assess_update(assess.get(), &byte, 1, nullptr, 0), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_assess_get_summary(assess.get(), &summary), INCORE_OK);
}

TEST(assess_api, nothing_fed_is_no_test_done_with_every_suite) {
  incore_assess_options options = {};
  options.suites = "all";
  const Assess assess = make(options);
  EXPECT_EQ(incore_assess_finish(assess.get()), INCORE_OK);
  const incore_assess_summary summary = summary_of(assess);
  EXPECT_EQ(summary.verdict, INCORE_VERDICT_SKIPPED);
  EXPECT_EQ(summary.bytes, 0u);
  EXPECT_EQ(summary.num_pass + summary.num_weak + summary.num_fail, 0u);
  EXPECT_GE(summary.num_skipped, incore_assess_num_suites());
  EXPECT_GT(summary.num_reasons, 0u);
  for (size_t i = 0; i < incore_assess_num_results(assess.get()); ++i) {
    incore_assess_result result;
    ASSERT_EQ(incore_assess_get_result(assess.get(), i, &result), INCORE_OK);
    if (result.verdict == INCORE_VERDICT_SKIPPED) {
      EXPECT_NE(std::string(result.text), "") << result.test;
    }
  }
}

TEST(assess_api, results_figures_and_series_can_be_read) {
  incore_assess_options options = {};
  options.suites = "bytes";
  const Assess assess = make(options);
  const std::vector<uint8_t> data = random_bytes(100'000);
  EXPECT_EQ(incore_assess_update(assess.get(), data.data(), data.size(), nullptr, 0), INCORE_OK);
  EXPECT_EQ(incore_assess_finish(assess.get()), INCORE_OK);
  const incore_assess_summary summary = summary_of(assess);
  EXPECT_EQ(summary.verdict, INCORE_VERDICT_PASS) << summary.text;
  EXPECT_EQ(summary.bytes, data.size());
  EXPECT_EQ(summary.symbol_bits, 8u);
  EXPECT_EQ(summary.stopped, 0);
  EXPECT_GT(summary.num_p_values, 0u);
  const size_t num = incore_assess_num_results(assess.get());
  ASSERT_GT(num, 0u);
  incore_assess_result result;
  for (size_t i = 0; i < num; ++i) {
    ASSERT_EQ(incore_assess_get_result(assess.get(), i, &result), INCORE_OK);
    EXPECT_STREQ(result.suite, "bytes");
    for (size_t k = 0; k < result.num_figures; ++k) EXPECT_NE(result.figures[k].name[0], '\0');
  }
  EXPECT_EQ(incore_assess_get_result(assess.get(), num, &result), INCORE_ERROR_RANGE);
  incore_assess_series series;
  const size_t num_series = incore_assess_num_series(assess.get());
  EXPECT_EQ(incore_assess_get_series(assess.get(), num_series, &series), INCORE_ERROR_RANGE);
  incore_assess_run run;
  ASSERT_EQ(incore_assess_num_runs(assess.get()), 1u);
  ASSERT_EQ(incore_assess_get_run(assess.get(), 0, &run), INCORE_OK);
  EXPECT_EQ(run.bytes, data.size());
  EXPECT_GT(run.seconds, 0);
  EXPECT_EQ(incore_assess_get_run(assess.get(), 1, &run), INCORE_ERROR_RANGE);
}

TEST(assess_api, tells_the_options_that_it_uses) {
  incore_assess_options found;
  EXPECT_EQ(incore_assess_get_options(nullptr, &found), INCORE_ERROR_NULL);
  incore_assess_options given = {};
  given.suites = "bytes";
  const Assess usual = make(given);
  EXPECT_EQ(incore_assess_get_options(usual.get(), nullptr), INCORE_ERROR_NULL);
  ASSERT_EQ(incore_assess_get_options(usual.get(), &found), INCORE_OK);
  EXPECT_EQ(found.sequence_bits, 1'000'000u);
  EXPECT_EQ(found.sequences, 100u);
  EXPECT_EQ(found.samples, 1'000'000u);
  EXPECT_EQ(found.min_entropy, 0);
  EXPECT_GE(found.threads, 1u);
  given.suites = "sp800-90b", given.symbol_bits = 3;
  given.sequence_bits = 500, given.sequences = 7, given.samples = 9;
  given.min_entropy = 0.5, given.threads = 2, given.seed = 11;
  ASSERT_EQ(incore_assess_get_options(make(given).get(), &found), INCORE_OK);
  EXPECT_EQ(found.symbol_bits, 3u);
  EXPECT_EQ(found.sequence_bits, 500u);
  EXPECT_EQ(found.sequences, 7u);
  EXPECT_EQ(found.samples, 9u);
  EXPECT_EQ(found.min_entropy, 0.5);
  EXPECT_EQ(found.threads, 2u);
  EXPECT_EQ(found.seed, 11u);
}

TEST(assess_api, a_demand_without_its_judge_is_refused) {
  for (const char* const suites : {"bytes", "bytes,runs,sp800-22"}) {
    incore_assess_options options = {};
    options.suites = suites;
    options.min_entropy = 0.5;
    incore_assess* assess = nullptr;
    char reason[256] = "";
    EXPECT_EQ(incore_assess_new(&options, &assess, reason, sizeof reason), INCORE_ERROR_ALGORITHM);
    EXPECT_EQ(assess, nullptr);
    EXPECT_STREQ(reason,
                 "min-entropy is demanded, but none of the suites judges it: add sp800-90b "
                 "or sp800-90b-iid");
  }
  for (const char* const suites : {"sp800-90b", "bytes,sp800-90b-iid", "all"}) {
    incore_assess_options options = {};
    options.suites = suites;
    options.min_entropy = 0.5;
    (void)make(options);
  }
  incore_assess_options usual = {};
  usual.min_entropy = 0.5;
  (void)make(usual);
}

TEST(assess_api, verdicts_have_names) {
  const char* const names[] = {"info", "skipped", "pass", "weak", "fail", "undecided", "unknown"};
  for (int i = 0; i < 7; ++i)
    EXPECT_STREQ(incore_verdict_name(static_cast<incore_verdict>(i)), names[i]);
}

}  // namespace
