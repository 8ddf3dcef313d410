// The suite sp800-22: how the stream is cut into sequences, what is judged, and that neither pieces
// nor threads change it.
#include <gtest/gtest.h>

#include <cmath>

#include "assess/generators.h"
#include "assess/sp800_22/statistics.h"
#include "assess/sp800_22/tally.h"
#include "assess/suite.h"

namespace incore::assess {
namespace {

using sp800_22::Outcomes;
using sp800_22::Sequence;
using sp800_22::Tally;
using test::Bytes;

class NoProgress final : public Progress {
 public:
  bool update(const char*, double) override { return true; }
};
class StopAtOnce final : public Progress {
 public:
  bool update(const char*, double) override { return false; }
};

struct Found {
  Report report;
  uint64_t bytes_read;
};

Found assess(const Bytes& data, const Options& options, size_t piece_len = 1 << 20) {
  const std::unique_ptr<Suite> suite = suite_sp800_22.make(options);
  const std::span<const uint8_t> all = data;
  for (size_t at = 0; at < data.size(); at += piece_len)
    suite->update(all.subspan(at, std::min(piece_len, data.size() - at)));
  Found found;
  NoProgress progress;
  suite->finish(found.report, progress);
  found.bytes_read = suite->bytes_read();
  return found;
}

std::string text_of(const Report& report) {
  std::string text;
  const auto add = [&](double value) { text += " " + std::to_string(value); };
  for (const Result& result : report.results) {
    text += result.test + "/" + result.variant + "/" + result.text;
    add(result.p_value);
    add(result.statistic);
    for (const Figure& figure : result.figures) text += " " + figure.name, add(figure.value);
    text += incore_verdict_name(result.verdict) + std::string("\n");
  }
  for (const Series& series : report.series) {
    text += series.name;
    for (const double value : series.x) add(value);
    for (const double value : series.y) add(value);
  }
  return text;
}

std::vector<Result> results_of(const Report& report, const std::string& test) {
  std::vector<Result> found;
  for (const Result& result : report.results)
    if (result.test == test) found.push_back(result);
  return found;
}

double figure(const Result& result, const std::string& name) {
  for (const Figure& each : result.figures)
    if (each.name == name) return each.value;
  return NAN;
}

TEST(sp800_22_suite, pieces_and_threads_do_not_change_results) {
  Options options;
  options.sequence_bits = 20'011;  // sequences begin in the middle of bytes
  options.sequences = 7;
  const Bytes data = test::good_bytes(1, 18'000);
  const std::string expected = text_of(assess(data, options).report);
  for (const unsigned threads : {1u, 2u, 3u, 16u})
    for (const size_t piece_len : {1u, 1000u, 2502u, 1u << 20}) {
      options.threads = threads;
      const Found found = assess(data, options, piece_len);
      EXPECT_EQ(text_of(found.report), expected) << threads << " " << piece_len;
      EXPECT_EQ(found.bytes_read, (7u * 20'011 + 7) / 8);
    }
}

TEST(sp800_22_suite, sequences_follow_each_other_bit_by_bit) {
  Options options;
  options.sequence_bits = 1003;
  options.sequences = 40;
  const Bytes data = test::good_bytes(2, 10'000);
  const Report report = assess(data, options).report;
  for (const sp800_22::Test* test : {&sp800_22::test_frequency, &sp800_22::test_serial}) {
    Tally tally = {.test = test, .variant = ""};
    for (size_t i = 0; i < 40; ++i) {
      Outcomes outcomes;
      test->run(Sequence(data, i * 1003, 1003), sp800_22::parameters_for(1003), outcomes);
      tally.add(outcomes[0]);
    }
    const Result found = results_of(report, test->name)[0];
    EXPECT_EQ(figure(found, "sequences"), 40);
    EXPECT_EQ(figure(found, "passed"), static_cast<double>(tally.num_passed()));
    EXPECT_EQ(figure(found, "least P-value"), tally.worst.p_value);
    EXPECT_EQ(figure(found, "uniformity P-value"), sp800_22::uniformity_p(tally.p_values));
  }
}

TEST(sp800_22_suite, all_tests_are_done_on_a_million_bits) {
  Options options;
  options.threads = 2;
  const Report report = assess(test::good_bytes(7, 125'000), options).report;
  const std::map<std::string, size_t> num_expected = {{"Frequency", 1},
                                                      {"Block Frequency", 1},
                                                      {"Cumulative Sums", 2},
                                                      {"Runs", 1},
                                                      {"Longest Run of Ones", 1},
                                                      {"Rank", 1},
                                                      {"Discrete Fourier Transform", 1},
                                                      {"Non-overlapping Template Matching", 148},
                                                      {"Overlapping Template Matching", 1},
                                                      {"Universal Statistical", 1},
                                                      {"Approximate Entropy", 1},
                                                      {"Random Excursions", 8},
                                                      {"Random Excursions Variant", 18},
                                                      {"Serial", 2},
                                                      {"Linear Complexity", 1}};
  std::map<std::string, size_t> num_found;
  for (const Result& result : report.results) {
    ++num_found[result.test];
    EXPECT_NE(result.verdict, INCORE_VERDICT_SKIPPED) << result.test;
    EXPECT_NE(result.verdict, INCORE_VERDICT_FAIL) << result.test << result.variant;
    EXPECT_FALSE(result.figures.empty()) << result.test;
  }
  EXPECT_EQ(num_found, num_expected);
  ASSERT_EQ(report.series.size(), 1u);
  double sum = 0;
  for (const double count : report.series[0].y) sum += count;
  EXPECT_EQ(sum, 188);
}

TEST(sp800_22_suite, excursions_without_cycles_are_skipped_and_say_so) {
  Bytes data(125'000, 0x55);
  data[0] = 0xff;  // the sums stay above 0
  const Report report = assess(data, {}).report;
  for (const char* const test : {"Random Excursions", "Random Excursions Variant"}) {
    const std::vector<Result> found = results_of(report, test);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].verdict, INCORE_VERDICT_SKIPPED);
    EXPECT_NE(found[0].text.find("less than 500 times"), std::string::npos) << found[0].text;
  }
}

TEST(sp800_22_suite, less_than_a_sequence_is_judged_as_one) {
  const Bytes data = test::good_bytes(5, 1250);
  const Found found = assess(data, {});
  EXPECT_EQ(found.bytes_read, 1250u);
  EXPECT_NEAR(results_of(found.report, "Frequency")[0].p_value,
              sp800_22::frequency(Sequence(data, 0, 10'000)).p_value, 0);
  const Result rank = results_of(found.report, "Rank")[0];
  EXPECT_EQ(rank.verdict, INCORE_VERDICT_SKIPPED);
  EXPECT_EQ(rank.text, "needs sequences of 38912 bits; these have 10000");
  EXPECT_EQ(figure(results_of(found.report, "Block Frequency")[0], "M"), 20);
  EXPECT_EQ(figure(results_of(found.report, "Approximate Entropy")[0], "m"), 7);
  EXPECT_EQ(figure(results_of(found.report, "Serial")[0], "m"), 10);
}

TEST(sp800_22_suite, parameters_are_smaller_for_short_sequences) {
  const struct {
    uint64_t n;
    unsigned M, approximate_entropy_m, serial_m;
  } expected[] = {{100, 20, 0, 2},      {128, 20, 1, 2},        {999, 20, 3, 2},
                  {1000, 20, 3, 4},     {9999, 20, 7, 8},       {10'000, 20, 7, 10},
                  {12'800, 128, 7, 10}, {131'072, 128, 10, 14}, {1'000'000, 128, 10, 16}};
  for (const auto& each : expected) {
    const sp800_22::Parameters made = sp800_22::parameters_for(each.n);
    EXPECT_EQ(made.block_frequency_M, each.M) << each.n;
    EXPECT_EQ(made.approximate_entropy_m, each.approximate_entropy_m) << each.n;
    EXPECT_EQ(made.serial_m, each.serial_m) << each.n;
  }
}

TEST(sp800_22_suite, what_is_left_behind_whole_sequences_is_not_looked_at) {
  Options options;
  options.sequence_bits = 8000;
  Bytes data = test::good_bytes(6, 2999);
  std::fill(data.begin() + 2000, data.end(), 0);
  const Result found = results_of(assess(data, options).report, "Frequency")[0];
  EXPECT_EQ(figure(found, "sequences"), 2);
  EXPECT_EQ(found.verdict, INCORE_VERDICT_PASS);
}

TEST(sp800_22_suite, too_few_bits_are_skipped) {
  for (const size_t len : {0u, 1u, 12u}) {
    const Report report = assess(Bytes(len, 0), {}).report;
    ASSERT_EQ(report.results.size(), 1u);
    EXPECT_EQ(report.results[0].verdict, INCORE_VERDICT_SKIPPED);
    EXPECT_EQ(report.results[0].text, "needs 100 bits");
  }
  EXPECT_EQ(results_of(assess(Bytes(13, 0), {}).report, "Frequency")[0].verdict,
            INCORE_VERDICT_FAIL);
}

TEST(sp800_22_suite, when_stopped_judges_the_sequences_that_are_done) {
  Options options;
  options.sequence_bits = 1000;
  options.threads = 2;
  for (const size_t num_sequences : {0u, 1u, 3u}) {
    const std::unique_ptr<Suite> suite = suite_sp800_22.make(options);
    suite->update(test::good_bytes(1, num_sequences * 125 + 50));
    Report report;
    StopAtOnce progress;
    suite->finish(report, progress);
    const Result found = results_of(report, "Frequency")[0];
    if (num_sequences == 3)
      EXPECT_EQ(figure(found, "sequences"), 2);
    else
      EXPECT_EQ(found.text, "stopped");
  }
}

// ---- Short sequences ----

// As many sequences as can be had, of lengths whose P-values take few values: the rates of failure
// and weakness are those of the thresholds.
TEST(sp800_22_suite, many_short_sequences_of_good_bits_pass) {
  constexpr size_t kSeeds = 40;
  for (const uint64_t n : {100u, 101u, 127u, 128u, 150u, 200u, 256u, 500u, 1000u}) {
    Options options;
    options.sequence_bits = n;
    options.sequences = 1000;
    size_t results = 0, weak = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed)
      for (const Result& result : assess(test::good_bytes(seed, 125 * n), options).report.results) {
        if (result.verdict == INCORE_VERDICT_SKIPPED) continue;
        EXPECT_NE(result.verdict, INCORE_VERDICT_FAIL) << n << " " << seed << " " << result.text;
        ++results;
        weak += result.verdict == INCORE_VERDICT_WEAK;
      }
    EXPECT_GE(results, kSeeds * 7);
    // 0.001 each; results of one seed hang together, so three times that for the deviation.
    EXPECT_LT(static_cast<double>(weak), 3 + 0.003 * static_cast<double>(results)) << n;
  }
}

TEST(sp800_22_suite, many_short_sequences_of_bad_bits_fail) {
  test::GoodSource source(1);
  for (const uint64_t n : {100u, 128u, 200u, 1000u}) {
    Options options;
    options.sequence_bits = n;
    options.sequences = 1000;
    Bytes biased(125 * n), sticky(125 * n);
    unsigned before = 0;
    for (size_t i = 0; i < biased.size(); ++i)
      for (unsigned bit = 0; bit < 8; ++bit) {
        biased[i] = static_cast<uint8_t>(biased[i] << 1 | source.chance(0.57));
        before = source.chance(0.57) ? before : 1 - before;
        sticky[i] = static_cast<uint8_t>(sticky[i] << 1 | before);
      }
    EXPECT_EQ(results_of(assess(biased, options).report, "Frequency")[0].verdict,
              INCORE_VERDICT_FAIL);
    const Report report = assess(sticky, options).report;
    EXPECT_EQ(results_of(report, "Runs")[0].verdict, INCORE_VERDICT_FAIL);
    EXPECT_EQ(results_of(report, "Serial")[0].verdict, INCORE_VERDICT_FAIL);
  }
}

TEST(sp800_22_suite, tests_that_cannot_judge_many_short_sequences_say_so) {
  Options options;
  options.sequence_bits = 999;
  const Report report = assess(test::good_bytes(1, 1000), options).report;
  const Result found = results_of(report, "Approximate Entropy")[0];
  EXPECT_EQ(found.verdict, INCORE_VERDICT_SKIPPED);
  EXPECT_EQ(found.text, "needs 1000 bits in each of several sequences; these have 999");
  options.sequence_bits = 9999;
  for (const unsigned threads : {1u, 3u}) {
    options.threads = threads;
    EXPECT_EQ(results_of(assess(test::good_bytes(1, 5000), options).report,
                         "Discrete Fourier Transform")[0]
                  .verdict,
              INCORE_VERDICT_SKIPPED);
  }
  EXPECT_EQ(
      results_of(assess(test::good_bytes(1, 1250), options).report, "Discrete Fourier Transform")[0]
          .verdict,
      INCORE_VERDICT_PASS)
      << "one sequence is long enough";
}

TEST(sp800_22_suite, less_than_1000_bits_are_not_enough_to_pass) {
  EXPECT_EQ(assess(test::good_bytes(1, 124), {}).report.wants, "1000 bits");
  EXPECT_EQ(assess(test::good_bytes(1, 125), {}).report.wants, "");
  Options options;
  options.sequence_bits = 100;
  EXPECT_EQ(assess(test::good_bytes(1, 124), options).report.wants, "1000 bits");
  EXPECT_EQ(assess(test::good_bytes(1, 125), options).report.wants, "");
}

}  // namespace
}  // namespace incore::assess
