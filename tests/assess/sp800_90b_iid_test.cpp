// The IID track of SP 800-90B: the standard's small examples, what NIST's tool printed, and how the
// statistics rank.
#include <gtest/gtest.h>
#if INCORE_HAVE_BZIP2
#include <bzlib.h>
#endif

#include <algorithm>
#include <cmath>
#include <sstream>

#include "assess/generators.h"
#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b_iid/chi_square.h"
#include "assess/sp800_90b_iid/permutation_test.h"
#include "assess/sp800_90b_iid/statistics.h"
#include "assess/sp800_90b_iid/xoshiro.h"
#include "incore/assess.h"
#include "support/property.h"
#include "support/vector_file.h"

namespace incore::test {
namespace {

using namespace assess::sp800_90b;

// ---- SP 800-90B, section 5.1: the examples of the text ----

TEST(sp800_90b_iid, excursion_of_the_standards_example) {
  EXPECT_EQ(excursion(Bytes{2, 15, 4, 10, 9}), 6);
}

TEST(sp800_90b_iid, directional_runs_of_the_standards_example) {
  const Directional found = directional_runs(Bytes{2, 2, 2, 5, 7, 7, 9, 3, 1, 4, 4});
  EXPECT_EQ(found.runs.num, 3u);
  EXPECT_EQ(found.runs.longest, 6u);
  EXPECT_EQ(found.most, 8u);
}

TEST(sp800_90b_iid, median_runs_of_the_standards_example) {
  const Runs found = median_runs(Bytes{5, 15, 12, 1, 13, 9, 4}, 2 * 9);
  EXPECT_EQ(found.num, 5u);
  EXPECT_EQ(found.longest, 2u);
}

TEST(sp800_90b_iid, collisions_of_the_standards_example) {
  const Collisions found = collisions(Bytes{2, 1, 1, 2, 0, 1, 0, 1, 1, 2});
  EXPECT_EQ(found.num, 3u);
  EXPECT_EQ(found.sum, 3u + 4u + 2u);
  EXPECT_EQ(found.longest, 4u);
}

TEST(sp800_90b_iid, periodicity_of_the_standards_example) {
  EXPECT_EQ(periodicity(Bytes{2, 1, 2, 1, 0, 1, 0, 1, 1, 2}, 2), 5u);
}

TEST(sp800_90b_iid, covariance_of_the_standards_example) {
  EXPECT_EQ(covariance(Bytes{5, 2, 6, 10, 12, 3, 1}, 2), 164u);
}

TEST(sp800_90b_iid, conversions_of_the_standards_example) {
  const Bytes bits = {1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1};
  std::vector<uint8_t> out;
  convert_1(bits, out);
  EXPECT_EQ(out, (Bytes{4, 6, 2}));
  convert_2(bits, out);
  EXPECT_EQ(out, (Bytes{142, 219, 48}));
}

TEST(sp800_90b_iid, covariance_does_not_overflow) {
  EXPECT_EQ(covariance(Bytes(200'001, 255), 1), uint64_t{200'000} * 255 * 255);
}

// ---- The length of what bzip2 would make, against bzip2, where libbz2 is ----

constexpr char kNoBzip2[] = "libbz2 is not on this machine";
#if !INCORE_HAVE_BZIP2
size_t bzip2_len(const Bytes&, const Bytes&) {
  return 0;
}
#else
size_t bzip2_len(const Bytes& symbols, const Bytes& alphabet) {
  std::string text;
  for (const uint8_t symbol : symbols) text += std::to_string(alphabet[symbol]) + " ";
  text.pop_back();
  std::vector<char> packed(text.size() + text.size() / 64 + 1024);
  auto len = static_cast<unsigned>(packed.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &len, text.data(),
                                     static_cast<unsigned>(text.size()), 5, 0, 0),
            BZ_OK);
  return len;
}
#endif

// |k| ascending values of a byte.
Bytes some_values(GoodSource& good, unsigned k) {
  Bytes values;
  for (unsigned value = 0; values.size() < k; ++value)
    if (good.below(256 - value) < k - values.size()) values.push_back(static_cast<uint8_t>(value));
  return values;
}

TEST(sp800_90b_iid, compressed_length_is_bzip2s) {
  if (!INCORE_HAVE_BZIP2) GTEST_SKIP() << kNoBzip2;
  for_each_seed(60, [](uint64_t seed) {
    GoodSource good(seed);
    const auto k = static_cast<unsigned>(1 + good.below(seed % 3 != 0 ? 256 : 5));
    const Bytes alphabet = some_values(good, k);
    std::vector<double> weights(k);
    const double skew = 4 * good.uniform();
    for (double& weight : weights) weight = std::pow(good.uniform(), skew);
    const size_t len = 1 + good.below(seed % 30 == 0 ? 300'000 : seed % 3 == 0 ? 300 : 5'000);
    const Bytes symbols = symbols_by_weight(seed, len, weights);
    EXPECT_EQ(TextCompression(alphabet).compressed_len(symbols), bzip2_len(symbols, alphabet));
  });
}

// A block ends after 499,981 characters, or where a run that fills it does.
TEST(sp800_90b_iid, compressed_length_is_bzip2s_where_a_block_ends) {
  if (!INCORE_HAVE_BZIP2) GTEST_SKIP() << kNoBzip2;
  const Bytes three_digits = {100, 111, 122, 233, 200, 222};
  const Bytes one_digit = {0, 5};
  for (size_t more = 0; more < 8; more += 2) {
    Bytes symbols = good_bytes(more, 124'992 + more);  // of four characters each
    for (uint8_t& symbol : symbols) symbol %= 6;
    EXPECT_EQ(TextCompression(three_digits).compressed_len(symbols),
              bzip2_len(symbols, three_digits));
    symbols = good_bytes(more, 249'986 + more);  // of two
    for (uint8_t& symbol : symbols) symbol %= 2;
    EXPECT_EQ(TextCompression(one_digit).compressed_len(symbols), bzip2_len(symbols, one_digit));
  }
}

TEST(sp800_90b_iid, compressed_length_is_bzip2s_of_repeats) {
  if (!INCORE_HAVE_BZIP2) GTEST_SKIP() << kNoBzip2;
  const Bytes alphabet = {1, 22, 133};
  for (const size_t period : {1, 2, 3, 1000, 25'000}) {
    Bytes symbols(60'000);
    const Bytes block = good_bytes(1, period);
    for (size_t i = 0; i < symbols.size(); ++i) symbols[i] = block[i % period] % 3;
    EXPECT_EQ(TextCompression(alphabet).compressed_len(symbols), bzip2_len(symbols, alphabet))
        << period;
  }
}

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

constexpr const char* kStatisticNames[] = {"excursion",
                                           "number of directional runs",
                                           "length of directional runs",
                                           "number of increases and decreases",
                                           "number of runs based on the median",
                                           "length of runs based on the median",
                                           "average collision",
                                           "maximum collision",
                                           "periodicity, lag 1",
                                           "periodicity, lag 2",
                                           "periodicity, lag 8",
                                           "periodicity, lag 16",
                                           "periodicity, lag 32",
                                           "covariance, lag 1",
                                           "covariance, lag 2",
                                           "covariance, lag 8",
                                           "covariance, lag 16",
                                           "covariance, lag 32",
                                           "compression"};

std::vector<uint8_t> alphabet_of(const Sample& sample) {
  std::vector<uint8_t> alphabet(sample.literal().k);
  for (size_t i = 0; i < sample.size(); ++i) alphabet[sample.literal().s[i]] = sample.raw()[i];
  return alphabet;
}

std::vector<double> weights_of(const std::string& text) {
  std::vector<double> weights;
  if (text == "bell") {
    for (int i = 0; i < 256; ++i) weights.push_back(std::pow(i * (256 - i), 2));
  } else {
    std::istringstream numbers(text);
    for (double weight; numbers >> weight;) weights.push_back(weight);
  }
  return weights;
}

TEST(sp800_90b_iid, figures_are_those_of_nists_tool) {
  constexpr size_t kLen = 50'000;
  const auto near = [](double expected) { return 1e-6 * std::max(1.0, std::fabs(expected)); };
  const size_t num = for_each_case("assess/sp800_90b_iid.txt", [&](VectorCase& known) {
    const auto number = [&](const std::string& name) { return std::stod(known.text(name)); };
    const auto seed = static_cast<uint64_t>(number("Seed"));
    const std::string id = known.text("Id");
    Bytes data;
    if (id[0] == 'r') {
      data = good_bytes(seed, kLen);
      for (uint8_t& byte : data)
        byte = static_cast<uint8_t>(byte & ((1u << std::stoi(known.text("Low bits"))) - 1));
    } else {
      data = symbols_by_weight(seed, kLen, weights_of(known.text("Weights")));
    }
    const Sample sample(data, static_cast<unsigned>(number("Symbol bits")));
    const Symbols symbols = sample.literal();
    const auto expect = [&](const char* field, double value) {
      const double expected = number(field);
      EXPECT_NEAR(value, expected, near(expected)) << field;
    };
    StatisticValues values;
    StatisticsOf(symbols.s, alphabet_of(sample)).compute(symbols.s, kAllStatistics, values);
    for (unsigned i = 0; i < kNumStatistics; ++i) expect(kStatisticNames[i], values[i]);
    const ChiSquare independence = chi_square_independence(symbols);
    expect("Independence T", independence.score);
    expect("Independence degrees", independence.degrees);
    expect("Independence p", independence.p_value());
    const ChiSquare fit = chi_square_goodness_of_fit(symbols);
    expect("Goodness of fit T", fit.score);
    expect("Goodness of fit degrees", fit.degrees);
    expect("Goodness of fit p", fit.p_value());
    const LongestRepeat repeat = longest_repeat(symbols);
    expect("W", repeat.len);
    expect("P_col", repeat.p_collision);
    expect("Longest repeat p", repeat.p_value);
    expect("H_original", most_common_value(symbols).min_entropy);
    expect("H_bitstring",
           most_common_value(symbols.k == 2 ? symbols : sample.bitstring()).min_entropy);
  });
  EXPECT_EQ(num, 6u);
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

TEST(sp800_90b_iid, rank_is_rejected_by_the_standards_rule) {
  EXPECT_TRUE((Rank{.above = 5, .equal = 0, .below = 9995}.rejected()));
  EXPECT_TRUE((Rank{.above = 9995, .equal = 3, .below = 2}.rejected()));
  EXPECT_FALSE((Rank{.above = 6, .equal = 0, .below = 9994}.rejected()));
  EXPECT_FALSE((Rank{.above = 2, .equal = 4, .below = 9994}.rejected()));
  EXPECT_FALSE((Rank{.above = 9994, .equal = 0, .below = 6}.rejected()));
}

TEST(sp800_90b_iid, shuffling_keeps_the_symbols_and_is_even) {
  const Bytes data = {0, 1, 2, 3, 4};
  std::map<Bytes, int> times;
  constexpr int kDraws = 120 * 200;
  for (uint64_t i = 0; i < kDraws; ++i) {
    Bytes shuffled = data;
    Xoshiro(1, i).shuffle(shuffled);
    ++times[shuffled];
    std::sort(shuffled.begin(), shuffled.end());
    ASSERT_EQ(shuffled, data);
  }
  EXPECT_EQ(times.size(), 120u);
  double chi_square = 0;
  for (const auto& [order, count] : times) chi_square += std::pow(count - 200, 2) / 200.0;
  EXPECT_LT(chi_square, 119 + 5 * std::sqrt(2 * 119.0));
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
