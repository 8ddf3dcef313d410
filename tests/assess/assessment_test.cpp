// The core of assessments: how suites are fed, stopped, and summed up. Suites made for these tests
// show what reaches them; the C interface is tested with the suites that there are.
#include "assess/assessment.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

#include "support/choices.h"

namespace incore::assess {
namespace {

using Bytes = std::vector<uint8_t>;

// What the suites of these tests have seen, by name, and what they answer.
struct Seen {
  Bytes data;
  unsigned symbol_bits = 0;
};
std::map<std::string, Seen> seen;
std::vector<Result> answers;

class Recorder : public Suite {
 public:
  explicit Recorder(std::string name, const Options& options) : seen_(&seen[name]) {
    *seen_ = {{}, options.symbol_bits};
  }
  void update(std::span<const uint8_t> data) override {
    EXPECT_FALSE(busy_.exchange(true)) << "one suite on two threads";
    seen_->data.insert(seen_->data.end(), data.begin(), data.end());
    busy_ = false;
  }
  void finish(Report& out, Progress&) override { out.results = answers; }
  uint64_t bytes_read() const override { return seen_->data.size(); }

 private:
  Seen* seen_;
  std::atomic<bool> busy_ = false;
};

const SuiteInfo kSymbols = {"symbols",
                            "records symbols",
                            "",
                            true,
                            Input::symbols,
                            [](const Options& options) -> std::unique_ptr<Suite> {
                              return std::make_unique<Recorder>("symbols", options);
                            }};
// Answers what it is told to.
std::vector<Result> skipping_answers;
std::string skipping_wants;
class Skipping final : public Suite {
 public:
  void update(std::span<const uint8_t>) override {}
  void finish(Report& out, Progress&) override {
    out.results = skipping_answers;
    out.wants = skipping_wants;
  }
  uint64_t bytes_read() const override { return 0; }
};
const SuiteInfo kSkipping = {
    "skipping", "", "", true, Input::packed, [](const Options&) -> std::unique_ptr<Suite> {
      return std::make_unique<Skipping>();
    }};
const SuiteInfo kPacked = {"packed",
                           "records bits",
                           "",
                           true,
                           Input::packed,
                           [](const Options& options) -> std::unique_ptr<Suite> {
                             return std::make_unique<Recorder>("packed", options);
                           }};

// Throws where |Where| says.
enum class Where { make, update, finish };
template <Where kWhere>
class Thrower final : public Suite {
 public:
  Thrower() {
    maybe(Where::make);
    ++alive;
  }
  ~Thrower() override { --alive; }
  static inline int alive = 0;
  void update(std::span<const uint8_t>) override { maybe(Where::update); }
  void finish(Report&, Progress&) override { maybe(Where::finish); }
  uint64_t bytes_read() const override { return 0; }

 private:
  static void maybe(Where here) {
    if (here != kWhere) return;
    if (here == Where::make) throw std::runtime_error("made to fail");
    if (here == Where::update) throw std::bad_alloc();
    throw 5;
  }
};
template <Where kWhere>
const SuiteInfo kThrower = {
    "thrower",
    "a suite that throws",
    "",
    true,
    Input::packed,
    [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Thrower<kWhere>>(); }};

// Works for ever, if it is let.
class Endless final : public Suite {
 public:
  void update(std::span<const uint8_t>) override {}
  void finish(Report& out, Progress& progress) override {
    double share = 0;
    while (progress.update("going on", share)) share += 1e-3;
    out.skip("Endless", "stopped");
  }
  uint64_t bytes_read() const override { return 0; }
};
const SuiteInfo kEndless = {
    "endless", "", "", true, Input::packed, [](const Options&) -> std::unique_ptr<Suite> {
      return std::make_unique<Endless>();
    }};

Bytes random_bytes(size_t len, unsigned bits = 8) {
  Bytes data(len);
  uint64_t state = 88172645463325252;
  for (uint8_t& byte : data) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    byte = static_cast<uint8_t>(state >> 32 & ((1u << bits) - 1));
  }
  return data;
}

// As the definition has it, bit by bit.
Bytes packed(const Bytes& symbols, unsigned width) {
  Bytes result;
  size_t num_bits = 0;
  for (const uint8_t symbol : symbols)
    for (unsigned bit = width; bit-- > 0; ++num_bits) {
      if (num_bits % 8 == 0) result.push_back(0);
      result.back() = static_cast<uint8_t>(result.back() << 1 | (symbol >> bit & 1));
    }
  if (num_bits % 8 != 0) result.pop_back();
  return result;
}

Assessment recording(unsigned symbol_bits = 0, unsigned threads = 1) {
  Options options;
  options.threads = threads;
  return Assessment({&kSymbols, &kPacked}, options, symbol_bits, {});
}

TEST(assess_assessment, suites_see_every_byte_once_however_it_comes) {
  const Bytes data = random_bytes(2'500'003);
  for (const unsigned threads : {1u, 2u, 7u})
    for (const size_t chunk : {1u << 10, 999'999u, 1'000'000u, 1'000'001u, 2'500'003u}) {
      Assessment assessment = recording(0, threads);
      for (size_t at = 0; at < data.size(); at += chunk)
        EXPECT_EQ(assessment.update(std::span(data).subspan(at, std::min(chunk, data.size() - at))),
                  "");
      assessment.finish();
      EXPECT_EQ(seen["symbols"].data, data) << chunk;
      EXPECT_EQ(seen["packed"].data, data) << chunk;
      EXPECT_EQ(assessment.bytes(), data.size());
      for (const auto& run : assessment.runs()) EXPECT_EQ(run.bytes, data.size());
    }
}

TEST(assess_assessment, single_bytes_are_pieces_too) {
  const Bytes data = random_bytes(5000);
  Assessment assessment = recording();
  for (const uint8_t& byte : data) EXPECT_EQ(assessment.update({&byte, 1}), "");
  assessment.finish();
  EXPECT_EQ(seen["symbols"].data, data);
}

TEST(assess_assessment, symbols_of_every_width_are_packed_the_highest_bit_first) {
  for (unsigned width = 1; width <= 8; ++width) {
    const Bytes data = random_bytes(10'007, width);
    Assessment assessment = recording(width);
    for (size_t at = 0, len = 1; at < data.size(); at += len, len = len * 2 % 3001)
      EXPECT_EQ(assessment.update(std::span(data).subspan(at, std::min(len, data.size() - at))),
                "");
    assessment.finish();
    EXPECT_EQ(seen["symbols"].data, data);
    EXPECT_EQ(seen["symbols"].symbol_bits, width);
    EXPECT_EQ(seen["packed"].data, packed(data, width)) << width;
  }
}

TEST(assess_assessment, more_than_a_piece_at_once_is_packed_the_same) {
  const Bytes data = random_bytes((9 << 20) + 5, 3);
  Assessment assessment = recording(3, 2);
  EXPECT_EQ(assessment.update(data), "");
  assessment.finish();
  EXPECT_EQ(seen["packed"].data, packed(data, 3));
}

TEST(assess_assessment, the_width_is_found_in_the_first_million_bytes) {
  const struct {
    Bytes data;
    unsigned width;
  } cases[] = {{random_bytes(100, 1), 1},
               {Bytes(100, 1), 1},
               {Bytes(100, 0), 8},
               {random_bytes(100, 2), 8},
               {{}, 8},
               {random_bytes(1'200'000, 1), 1},
               {random_bytes(1'200'000), 8}};
  for (const auto& each : cases) {
    Assessment assessment = recording();
    EXPECT_EQ(assessment.update(each.data), "");
    assessment.finish();
    EXPECT_EQ(assessment.options().symbol_bits, each.width);
  }
}

TEST(assess_assessment, a_symbol_that_is_too_wide_is_named) {
  Bytes data = random_bytes(2'000'000, 1);
  data[1'500'000] = 7;
  Assessment found = recording();
  EXPECT_EQ(found.update(data),
            "byte 1500000 is 7, but symbols are 1 bit wide, as the first bytes show");
  Assessment given = recording(2);
  EXPECT_EQ(given.update(std::span(data).first(1'400'000)), "");
  EXPECT_EQ(given.update(std::span(data).subspan(1'400'000)),
            "byte 1500000 is 7, but symbols are 2 bits wide");
}

TEST(assess_assessment, what_a_suite_throws_ends_that_suite_only) {
  answers = {{.test = "T", .verdict = INCORE_VERDICT_PASS, .p_value = 0.5}};
  const std::pair<const SuiteInfo*, std::string> cases[] = {
      {&kThrower<Where::make>, "given up: made to fail"},
      {&kThrower<Where::update>, "given up: not enough memory"},
      {&kThrower<Where::finish>, "given up: an unknown exception"}};
  for (const auto& [thrower, why] : cases) {
    Options options;
    options.threads = 3;
    Assessment assessment({&kSymbols, thrower, &kPacked}, options, 8, {});
    const Bytes data = random_bytes(600'000);
    EXPECT_EQ(assessment.update(data), "");
    EXPECT_EQ(Thrower<Where::update>::alive, 0) << "what it held should be free";
    assessment.finish();
    EXPECT_EQ(seen["packed"].data, data);
    const Report& report = assessment.runs()[1].report;
    ASSERT_EQ(report.results.size(), 1u);
    EXPECT_EQ(report.results[0].verdict, INCORE_VERDICT_SKIPPED);
    EXPECT_EQ(report.results[0].text, why);
    EXPECT_EQ(assessment.summary().verdict, INCORE_VERDICT_UNDECIDED);
    EXPECT_EQ(assessment.summary().reasons, std::vector<std::string>{"thrower: " + why});
    EXPECT_EQ(assessment.summary().num[INCORE_VERDICT_PASS], 2u);
  }
}

TEST(assess_assessment, progress_stops_long_work_and_what_is_short_is_still_done) {
  answers = {{.test = "T", .verdict = INCORE_VERDICT_PASS, .p_value = 0.5}};
  int calls = 0;
  std::set<std::thread::id> threads;
  Options options;
  options.threads = 4;
  Assessment assessment({&kEndless, &kSymbols}, options, 8, [&](const char* what, double share) {
    EXPECT_TRUE(share >= 0 && share <= 1) << what;
    threads.insert(std::this_thread::get_id());
    return ++calls == 100;
  });
  EXPECT_EQ(assessment.update(random_bytes(1000)), "");
  assessment.finish();
  EXPECT_EQ(calls, 100);
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
  EXPECT_TRUE(assessment.stopped());
  EXPECT_EQ(assessment.summary().num[INCORE_VERDICT_PASS], 1u);
  EXPECT_EQ(assessment.summary().num[INCORE_VERDICT_SKIPPED], 1u);
}

TEST(assess_assessment, a_stop_while_it_is_fed_leaves_the_rest_out) {
  Options options;
  Assessment assessment({&kSymbols}, options, 8, [](const char*, double) { return 1; });
  const Bytes data = random_bytes(9 << 20);
  EXPECT_EQ(assessment.update(data), "");
  EXPECT_EQ(assessment.update(data), "");
  EXPECT_EQ(assessment.bytes(), 4u << 20);
  EXPECT_EQ(seen["symbols"].data.size(), 4u << 20);
  EXPECT_TRUE(assessment.stopped());
}

// ---- What the results together say ----

Assessment::Summary summary_of(std::vector<Result> results, const Bytes& data = {128}) {
  answers = std::move(results);
  Assessment assessment({&kSymbols}, {}, 0, {});
  EXPECT_EQ(assessment.update(data), "");
  assessment.finish();
  return assessment.summary();
}

Result result_with(double p, std::string test = "T", std::string variant = "") {
  return {.test = std::move(test),
          .variant = std::move(variant),
          .verdict = verdict_of(p),
          .p_value = p,
          .text = "what it means"};
}

TEST(assess_summary, one_failure_is_enough) {
  std::vector<Result> results(300, result_with(0.5));
  EXPECT_EQ(summary_of(results).verdict, INCORE_VERDICT_PASS);
  results[7] = result_with(0.9e-6);
  const Assessment::Summary summary = summary_of(results);
  EXPECT_EQ(summary.verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(summary.num[INCORE_VERDICT_FAIL], 1u);
  EXPECT_EQ(summary.num[INCORE_VERDICT_PASS], 299u);
  EXPECT_EQ(summary.reasons, std::vector<std::string>{"symbols: T: what it means, p = 9e-07"});
}

TEST(assess_summary, weak_results_count_where_there_are_more_than_chance_gives) {
  // weak ones of so many, and whether the binomial distribution (1e-3 each) gives as many less
  // often than once in 2000: by hand, 1 - (1-p)^n - n p (1-p)^(n-1) - ...
  const struct {
    size_t weak, of;
    bool too_many;
  } cases[] = {{0, 300, false}, {1, 1, true},   {1, 2, false},   {1, 300, false}, {2, 30, true},
               {2, 40, false},  {3, 140, true}, {3, 160, false}, {4, 330, true},  {4, 400, false}};
  for (const auto& each : cases) {
    std::vector<Result> results(each.of, result_with(0.5));
    for (size_t i = 0; i < each.weak; ++i) results[i] = result_with(9e-4);
    EXPECT_EQ(summary_of(results).verdict,
              each.too_many ? INCORE_VERDICT_WEAK : INCORE_VERDICT_PASS)
        << each.weak << " of " << each.of;
  }
}

TEST(assess_summary, the_least_p_value_is_judged_by_how_many_there_are) {
  // 1 - (1 - p)^n below 1/2000.
  const struct {
    double p;
    size_t of;
    bool weak;
  } cases[] = {{1.5e-6, 211, true}, {2.3e-6, 211, true}, {2.5e-6, 211, false},
               {1e-5, 49, true},    {1e-5, 51, false},   {2.4e-4, 2, true},
               {2.6e-4, 2, false},  {1.1e-6, 450, true}, {1.2e-6, 450, false}};
  for (const auto& each : cases) {
    std::vector<Result> results(each.of, result_with(0.5));
    results.back() = result_with(each.p, "Pi", "x");
    const Assessment::Summary summary = summary_of(results);
    EXPECT_EQ(summary.verdict, each.weak ? INCORE_VERDICT_WEAK : INCORE_VERDICT_PASS)
        << each.p << " of " << each.of;
    char p[16];
    std::snprintf(p, sizeof p, "%.3g", each.p);
    EXPECT_EQ(summary.worst, std::string("symbols: Pi (x), p = ") + p) << "a weak one is named";
    EXPECT_EQ(summary.reasons.size(), each.weak ? 1u : 0u);
  }
  EXPECT_EQ(summary_of({result_with(0.5)}).worst, "");
}

// A good source's p-values, uniform and independent: as many are weak as the threshold says.
TEST(assess_summary, good_sources_are_weak_no_more_often_than_one_in_a_thousand) {
  test::SeededChoices choices(1);
  constexpr int kAssessments = 20'000;
  int weak = 0;
  for (int i = 0; i < kAssessments; ++i) {
    std::vector<Result> results;
    for (int j = 0; j < 211; ++j)
      results.push_back(result_with(static_cast<double>(choices.next() >> 11) * 0x1p-53 + 1e-6));
    weak += summary_of(results).verdict == INCORE_VERDICT_WEAK;
  }
  EXPECT_LT(weak, 20 + 3 * std::sqrt(20));
  EXPECT_GT(weak, 2);
}

Result answer(Question question, incore_verdict verdict) {
  return {.test = "T", .verdict = verdict, .text = "why", .question = question};
}

TEST(assess_summary, says_what_was_tested_and_no_more) {
  const Result entropy = answer(Question::entropy, INCORE_VERDICT_PASS),
               iid = answer(Question::iid, INCORE_VERDICT_PASS),
               rejected = answer(Question::iid, INCORE_VERDICT_WEAK),
               random = answer(Question::randomness, INCORE_VERDICT_PASS),
               poor = answer(Question::entropy, INCORE_VERDICT_FAIL),
               not_iid = answer(Question::iid, INCORE_VERDICT_FAIL);
  const std::string demanded = "there is the min-entropy that is demanded",
                    tenable =
                        "no test rejects that symbols are independent and identically distributed",
                    rejects =
                        "SP 800-90B rejects that symbols are independent and identically "
                        "distributed (so it does with one good source in 50): use the "
                        "non-IID track";
  const struct {
    std::vector<Result> results;
    incore_verdict verdict;
    std::string text;
  } cases[] = {
      {{random}, INCORE_VERDICT_PASS, "nothing found that tells these bits from random ones"},
      {{entropy}, INCORE_VERDICT_PASS, demanded},
      {{iid, entropy}, INCORE_VERDICT_PASS, demanded + "; " + tenable},
      {{iid}, INCORE_VERDICT_PASS, tenable},
      {{iid, rejected}, INCORE_VERDICT_WEAK, rejects},
      {{random, rejected}, INCORE_VERDICT_WEAK, rejects},
      {{random, poor}, INCORE_VERDICT_FAIL, "there is less min-entropy than demanded"},
      {{poor, rejected},
       INCORE_VERDICT_FAIL,
       "there is less min-entropy than demanded; " + rejects},
      {{random, not_iid},
       INCORE_VERDICT_FAIL,
       "symbols are not independent and identically distributed"}};
  for (const auto& each : cases) {
    const Assessment::Summary summary = summary_of(each.results);
    EXPECT_EQ(summary.verdict, each.verdict) << each.text;
    EXPECT_EQ(summary.text, each.text);
  }
}

TEST(assess_summary, what_was_not_judged_has_not_passed) {
  const Result skipped = {
      .test = "T", .verdict = INCORE_VERDICT_SKIPPED, .text = "needs 8192 bytes"};
  const auto summary_of_two = [&](std::vector<Result> results, std::string wants, double demand) {
    answers = std::move(results);
    Options options;
    options.min_entropy = demand;
    Assessment assessment({&kSymbols, &kSkipping}, options, 8, {});
    skipping_wants = std::move(wants);
    EXPECT_EQ(assessment.update(Bytes{1, 2, 3}), "");
    assessment.finish();
    return assessment.summary();
  };
  const Result pass = result_with(0.5), weak = result_with(1e-5), fail = result_with(0);
  skipping_answers = {skipped};
  Assessment::Summary found = summary_of_two({pass}, "", 0);
  EXPECT_EQ(found.verdict, INCORE_VERDICT_UNDECIDED);
  EXPECT_EQ(found.text, "nothing found, but not all that was asked for could be judged");
  EXPECT_EQ(found.reasons, std::vector<std::string>{"skipping: needs 8192 bytes"});
  EXPECT_EQ(summary_of_two({weak}, "", 0).verdict, INCORE_VERDICT_UNDECIDED);
  EXPECT_EQ(summary_of_two({weak}, "", 0).reasons.size(), 2u);
  EXPECT_EQ(summary_of_two({fail}, "", 0).verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(summary_of_two({skipped}, "", 0).verdict, INCORE_VERDICT_SKIPPED);
  skipping_answers = {pass, skipped};
  EXPECT_EQ(summary_of_two({pass}, "", 0).verdict, INCORE_VERDICT_PASS) << "one test is enough";
  found = summary_of_two({pass}, "1000 bits", 0);
  EXPECT_EQ(found.verdict, INCORE_VERDICT_UNDECIDED);
  EXPECT_EQ(found.reasons,
            std::vector<std::string>{"skipping: needs 1000 bits to say that nothing is wrong"});
  found = summary_of_two({pass}, "", 0.5);
  EXPECT_EQ(found.verdict, INCORE_VERDICT_UNDECIDED);
  EXPECT_EQ(found.reasons,
            std::vector<std::string>{"the min-entropy that is demanded was not judged"});
  EXPECT_EQ(summary_of_two({answer(Question::entropy, INCORE_VERDICT_PASS)}, "", 0.5).verdict,
            INCORE_VERDICT_PASS);
}

TEST(assess_summary, says_what_bias_would_have_been_seen) {
  EXPECT_TRUE(std::isnan(summary_of({result_with(0.5)}).visible_bias));
  for (const auto& [suite, len] : {std::pair{"bytes", 2000}, std::pair{"sp800-22", 50}}) {
    const Bytes data = random_bytes(static_cast<size_t>(len));
    Assessment assessment(choose_suites(suite), {}, 8, {});
    EXPECT_EQ(assessment.update(data), "");
    assessment.finish();
    // 4.8916 standard deviations, beyond which a millionth of a normal variable lies.
    const double bias = 4.8916 / 2 / std::sqrt(8.0 * len);
    EXPECT_NEAR(assessment.summary().visible_bias, 0.5 + bias, 1e-4 * bias) << suite;
  }
}

TEST(assess_summary, reasons_are_one_for_each_test_and_the_worst_comes_first) {
  const Result without_p = {.test = "Poker", .verdict = INCORE_VERDICT_FAIL, .text = "out of 57"};
  const Assessment::Summary summary = summary_of(
      {result_with(1e-7, "A", "m = 1"), result_with(0.5, "A", "m = 2"), result_with(1e-9, "B", "x"),
       result_with(1e-8, "A", "m = 3"), without_p, result_with(0, "C"), result_with(1e-4, "D")});
  EXPECT_EQ(summary.reasons,
            (std::vector<std::string>{
                "symbols: Poker: out of 57", "symbols: C: what it means, p below 1e-300",
                "symbols: B (x): what it means, p = 1e-09",
                "symbols: A: 2 results, the worst for m = 3: what it means, p = 1e-08"}));
}

TEST(assess_summary, says_how_often_a_good_source_would_fail) {
  EXPECT_EQ(summary_of({}).false_alarm_rate, 0);
  const Assessment::Summary summary = summary_of(std::vector<Result>(250, result_with(0.5)));
  EXPECT_EQ(summary.num_p_values, 250u);
  EXPECT_NEAR(summary.false_alarm_rate, 1 - std::pow(1 - 1e-6, 250), 1e-12);
}

TEST(assess_summary, figures_alone_are_no_verdict) {
  EXPECT_EQ(summary_of({{.test = "Entropy", .verdict = INCORE_VERDICT_INFO}}).verdict,
            INCORE_VERDICT_INFO);
  EXPECT_EQ(summary_of({}).verdict, INCORE_VERDICT_SKIPPED);
  EXPECT_TRUE(summary_of({result_with(0.5)}).reasons.empty());
}

TEST(assess_summary, the_least_min_entropy_counts) {
  EXPECT_TRUE(std::isnan(summary_of({result_with(0.5)}).min_entropy));
  Result a = result_with(0.5), b = a;
  a.min_entropy = 7.25, b.min_entropy = 7.5;
  EXPECT_EQ(summary_of({b, result_with(0.5), a, b}).min_entropy, 7.25);
}

TEST(assess_summary, narrow_symbols_that_nobody_named_are_asked_for) {
  const std::vector<std::string> reasons =
      summary_of({result_with(0)}, random_bytes(99, 4)).reasons;
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_NE(reasons[0].find("the lowest 4 bits"), std::string::npos) << reasons[0];
  EXPECT_EQ(summary_of({result_with(0)}, random_bytes(99, 8)).reasons.size(), 1u);
  EXPECT_EQ(summary_of({result_with(0.5)}, random_bytes(99, 4)).reasons.size(), 0u);
}

TEST(assess_summary, text_of_digits_is_asked_for) {
  Bytes digits;
  for (const uint8_t byte : random_bytes(99, 1)) digits.push_back(static_cast<uint8_t>('0' + byte));
  digits.push_back('\n');
  const std::vector<std::string> reasons = summary_of({result_with(0)}, digits).reasons;
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_NE(reasons[0].find("the characters 0 and 1"), std::string::npos) << reasons[0];
  digits[7] = '2';
  EXPECT_NE(summary_of({result_with(0)}, digits).reasons[0].find("the lowest 6 bits"),
            std::string::npos);
}

TEST(assess_suites, have_distinct_names_and_say_what_they_follow) {
  std::set<std::string> names;
  for (const SuiteInfo* info : suites()) {
    EXPECT_TRUE(names.insert(info->name).second) << info->name;
    EXPECT_EQ(std::string(info->name).find_first_of(", "), std::string::npos) << info->name;
    EXPECT_NE(std::string(info->name), "all");
    EXPECT_NE(std::string(info->title), "");
    EXPECT_NE(std::string(info->source), "");
  }
}

TEST(assess_suites, are_chosen_by_name) {
  const std::string first = suites()[0]->name;
  EXPECT_EQ(choose_suites("all").size(), suites().size());
  EXPECT_EQ(choose_suites(first.c_str()), std::vector{suites()[0]});
  EXPECT_EQ(choose_suites((first + "," + first).c_str()), std::vector{suites()[0]});
  for (const SuiteInfo* info : choose_suites(nullptr)) EXPECT_TRUE(info->by_default);
  for (const char* const wrong : {"", "nope", "all,bytes", "bytes,", ",bytes", "Bytes"})
    EXPECT_THROW((void)choose_suites(wrong), std::invalid_argument) << wrong;
}

}  // namespace
}  // namespace incore::assess
