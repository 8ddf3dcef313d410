// The suite sp800-90b: what it makes of good, bad and unfit samples.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "assess/generators.h"
#include "assess/suite.h"
#include "assess/text.h"

namespace {

using namespace incore::assess;
using incore::test::good_bytes;

class Watch final : public Progress {
 public:
  explicit Watch(bool stops) : stops_(stops) {}
  bool update(const char*, double share) override {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    return !stops_;
  }

 private:
  bool stops_;
};

Report judge(std::span<const uint8_t> data, const Options& options = {}, bool stops = false) {
  const std::unique_ptr<Suite> suite = suite_sp800_90b.make(options);
  for (size_t begin = 0; begin < data.size(); begin += 777)
    suite->update(data.subspan(begin, std::min<size_t>(777, data.size() - begin)));
  EXPECT_EQ(suite->bytes_read(), std::min<uint64_t>(data.size(), options.samples));
  Report report;
  Watch watch(stops);
  suite->finish(report, watch);
  return report;
}

Result last(const Report& report) {
  EXPECT_FALSE(report.results.empty());
  return report.results.back();
}

double figure(const Result& result, const std::string& name) {
  for (const Figure& each : result.figures)
    if (each.name == name) return each.value;
  ADD_FAILURE() << "no figure " << name;
  return kNone;
}

TEST(sp800_90b_suite, a_good_source_passes_and_the_least_estimate_counts) {
  const Report report = judge(good_bytes(1, 20'000));
  const Result h = last(report);
  EXPECT_EQ(h.test, "Initial Entropy Estimate");
  EXPECT_EQ(h.verdict, INCORE_VERDICT_PASS);
  EXPECT_EQ(h.min_entropy, std::min(figure(h, "H_original"), 8 * figure(h, "H_bitstring")));
  EXPECT_NE(h.text.find("wants 1,000,000 symbols, here are 20000"), std::string::npos) << h.text;
  double least = 8;
  size_t literal = 0, bitstring = 0;
  for (const Result& result : report.results) {
    EXPECT_GE(result.min_entropy, h.min_entropy);
    EXPECT_LE(result.min_entropy, 8);
    least = std::min(least, result.min_entropy);
    literal += result.variant == "literal";
    bitstring += result.variant == "bitstring";
  }
  EXPECT_EQ(least, h.min_entropy);
  EXPECT_EQ(literal, 7u);
  EXPECT_EQ(bitstring, 10u);
}

TEST(sp800_90b_suite, what_a_good_source_practically_never_gives_fails_with_a_sentence) {
  std::vector<uint8_t> data = good_bytes(2, 30'000);
  for (uint8_t& byte : data) byte &= 0x57;  // three bits stuck
  const Result h = last(judge(data));
  EXPECT_EQ(h.verdict, INCORE_VERDICT_FAIL);
  EXPECT_LT(h.min_entropy, 5);
  EXPECT_NE(h.text.find("of 7 bits a symbol are unpredictable"), std::string::npos) << h.text;
}

TEST(sp800_90b_suite, a_demand_decides) {
  const std::vector<uint8_t> data = good_bytes(3, 20'000);
  Options options;
  options.min_entropy = 7.9;
  const Result wanting = last(judge(data, options));
  EXPECT_EQ(wanting.verdict, INCORE_VERDICT_FAIL);
  EXPECT_NE(wanting.text.find("7.9 are demanded"), std::string::npos) << wanting.text;
  options.min_entropy = 3;
  EXPECT_EQ(last(judge(data, options)).verdict, INCORE_VERDICT_PASS);
}

TEST(sp800_90b_suite, with_a_demand_nothing_is_compared_with_good_sources) {
  std::vector<uint8_t> raw = good_bytes(2, 30'000);
  for (uint8_t& byte : raw) byte &= 0x57;  // three bits stuck: no good source
  for (const double demand : {0.01, 1.0, 2.5}) {
    Options options;
    options.min_entropy = demand;
    const Result h = last(judge(raw, options));
    EXPECT_EQ(h.verdict, INCORE_VERDICT_PASS) << h.text;
    EXPECT_EQ(h.question, Question::entropy);
    EXPECT_NE(h.text.find(print("; %.3g are demanded", demand)), std::string::npos) << h.text;
  }
  EXPECT_EQ(last(judge(raw)).question, Question::randomness);
  Options options;
  options.min_entropy = 0.1;
  EXPECT_EQ(last(judge(std::vector<uint8_t>(5000, 42), options)).verdict, INCORE_VERDICT_FAIL);
}

TEST(sp800_90b_suite, one_value_has_no_entropy) {
  const Result h = last(judge(std::vector<uint8_t>(5000, 42)));
  EXPECT_EQ(h.verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(h.min_entropy, 0);
}

TEST(sp800_90b_suite, too_few_symbols_are_skipped) {
  for (const size_t len : {size_t{0}, size_t{1}, size_t{99}}) {
    const Report report = judge(good_bytes(4, len));
    EXPECT_EQ(report.results.size(), 1u);
    EXPECT_EQ(last(report).verdict, INCORE_VERDICT_SKIPPED);
  }
  EXPECT_EQ(last(judge(good_bytes(4, 100))).verdict, INCORE_VERDICT_PASS);
}

TEST(sp800_90b_suite, the_width_is_the_user_s_or_the_least_that_holds_all) {
  std::vector<uint8_t> data = good_bytes(5, 3000);
  for (uint8_t& byte : data) byte &= 7;
  EXPECT_EQ(figure(last(judge(data)), "n"), 3);
  Options options;
  options.symbol_bits = 5;
  options.symbol_bits_given = true;
  EXPECT_EQ(figure(last(judge(data, options)), "n"), 5);
  for (uint8_t& byte : data) byte &= 1;
  const Report bits = judge(data);
  EXPECT_EQ(figure(last(bits), "n"), 1);
  for (const Result& result : bits.results) EXPECT_NE(result.variant, "bitstring");
}

TEST(sp800_90b_suite, only_the_first_samples_are_looked_at) {
  std::vector<uint8_t> data = good_bytes(6, 4000);
  Options options;
  options.samples = 2500;
  const Result h = last(judge(data, options));
  EXPECT_EQ(figure(h, "samples"), 2500);
  std::fill(data.begin() + 2500, data.end(), uint8_t{0});
  EXPECT_EQ(last(judge(data, options)).min_entropy, h.min_entropy);
}

TEST(sp800_90b_suite, threads_change_nothing) {
  const std::vector<uint8_t> data = good_bytes(7, 8000);
  Options options;
  const Report one = judge(data, options);
  options.threads = 3;
  const Report three = judge(data, options);
  ASSERT_EQ(one.results.size(), three.results.size());
  for (size_t i = 0; i < one.results.size(); ++i) {
    EXPECT_EQ(one.results[i].test, three.results[i].test);
    EXPECT_EQ(one.results[i].variant, three.results[i].variant);
    EXPECT_EQ(one.results[i].min_entropy, three.results[i].min_entropy);
  }
}

TEST(sp800_90b_suite, stopped_work_gives_no_verdict) {
  const Report report = judge(good_bytes(8, 400'000), {}, true);
  EXPECT_EQ(last(report).verdict, INCORE_VERDICT_SKIPPED);
  EXPECT_NE(last(report).text.find("stopped"), std::string::npos);
  size_t skipped = 0;
  for (const Result& result : report.results) skipped += result.verdict == INCORE_VERDICT_SKIPPED;
  EXPECT_GT(skipped, 1u);
}

}  // namespace
