// SP 800-90B, section 5: is the assumption tenable that the symbols are independent and identically
// distributed? If so, their min-entropy is the most common value's (6.1, 6.3.1). The standard's own
// rule rejects about one good source in fifty, because it tries 22 tests; so that alone is weak,
// and only what is beyond chance fails.
#include <algorithm>
#include <cmath>

#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b_iid/chi_square.h"
#include "assess/sp800_90b_iid/permutation_test.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

using namespace sp800_90b;

constexpr size_t kLeastSymbols = 10'000, kStandardSymbols = 1'000'000;
constexpr char kPermutationTest[] = "Permutation Test";
constexpr char kEntropyDemanded[] = "Initial Entropy Estimate";

std::string name_of(unsigned statistic) {
  constexpr const char* kNames[] = {"excursion",
                                    "number of directional runs",
                                    "length of directional runs",
                                    "number of increases and decreases",
                                    "number of runs based on the median",
                                    "length of runs based on the median",
                                    "average collision",
                                    "maximum collision"};
  if (statistic < kPeriodicity) return kNames[statistic];
  if (statistic == kCompression) return "compression";
  const bool periodic = statistic < kCovariance;
  return std::string(periodic ? "periodicity" : "covariance") + ", lag " +
         std::to_string(kLags[statistic - (periodic ? kPeriodicity : kCovariance)]);
}

// Twice the share of permutations in the thinner tail, by the rule for sampling until the sixth.
double p_value_of(const Rank& rank) {
  const double tail = std::min(rank.above + rank.equal, rank.equal + rank.below);
  const double n = rank.permutations();
  return std::min(1.0, 2 * (rank.rejected() ? (tail + 1) / (n + 1) : tail / n));
}

Result result_of(unsigned statistic, const Rank& rank) {
  Result result{
      .test = kPermutationTest,
      .variant = name_of(statistic),
      .statistic = rank.initial,
      .figures = {
          {"C0", double(rank.above)}, {"C1", double(rank.equal)}, {"C2", double(rank.below)}}};
  const std::string of = " of " + std::to_string(rank.permutations()) + " permutations";
  if (!rank.decided) {
    result.verdict = INCORE_VERDICT_SKIPPED;
    result.text = "stopped after " + std::to_string(rank.permutations()) + " permutations";
  } else if (!rank.rejected()) {
    result.verdict = INCORE_VERDICT_PASS;
    result.p_value = p_value_of(rank);
    result.text = "nothing unusual among" + of.substr(3);
  } else if (beyond_chance(statistic, rank.deviations())) {
    const double deviations = rank.deviations();
    result.verdict = INCORE_VERDICT_FAIL;
    result.text = "the order of symbols matters: ";
    result.text += std::isinf(deviations)
                       ? "no permutation has this value"
                       : "this value is " + std::to_string(std::lround(deviations)) +
                             " standard deviations from the mean" + of;
  } else {
    const bool high = rank.above + rank.equal <= 5;
    result.verdict = INCORE_VERDICT_WEAK;
    result.p_value = p_value_of(rank);
    result.text = "rejected: " + std::string(high ? "higher" : "lower") + " than all but " +
                  std::to_string(rank.equal + (high ? rank.above : rank.below)) + of;
  }
  return result;
}

void add_chi_square(const char* test, const ChiSquare& found, const char* meaning, Report& out) {
  if (found.degrees == 0) return out.skip(test, "too few symbols for so many values");
  const double p = found.p_value();
  out.results.push_back({.test = test,
                         .verdict = verdict_of(p),
                         .statistic = found.score,
                         .p_value = p,
                         .text = meaning,
                         .figures = {{"degrees of freedom", found.degrees}}});
}

class Iid final : public Suite {
 public:
  explicit Iid(const Options& options) : options_(options), head_(options.samples) {}

  void update(std::span<const uint8_t> data) override { head_.update(data); }
  uint64_t bytes_read() const override { return num_read_ != 0 ? num_read_ : head_.num_read(); }

  void finish(Report& out, Progress& progress) override {
    judge(out, progress);
    for (Result& result : out.results)
      if (result.test != kEntropyDemanded) result.question = Question::iid;
  }

 private:
  void judge(Report& out, Progress& progress) {
    num_read_ = head_.num_read();
    if (num_read_ < kLeastSymbols)
      return out.skip(kPermutationTest, "needs " + std::to_string(kLeastSymbols) + " symbols");
    const Sample sample(head_.take(), options_.symbol_bits_given ? options_.symbol_bits : 0);
    const Symbols symbols = sample.literal();
    if (symbols.k < 2) {
      out.results.push_back({.test = "IID Assumption",
                             .verdict = INCORE_VERDICT_FAIL,
                             .min_entropy = 0,
                             .text = "all symbols are the same"});
      return;
    }
    if (!progress.update("chi-square tests, longest repeated substring", 0))
      return out.skip("IID Assumption", "stopped");
    // With fewer pairs the score is not distributed as chi-square: too many good samples fail.
    const bool enough_pairs = symbols.k == 2 || sample.size() >= size_t{10} * symbols.k * symbols.k;
    add_chi_square("Chi-square Independence",
                   enough_pairs ? chi_square_independence(symbols) : ChiSquare{},
                   "whether neighbours are independent", out);
    add_chi_square("Chi-square Goodness-of-Fit", chi_square_goodness_of_fit(symbols),
                   "whether all tenths of the sample are distributed alike", out);
    add_longest_repeat(symbols, out);

    std::vector<uint8_t> alphabet(symbols.k);
    for (size_t i = 0; i < sample.size(); ++i) alphabet[symbols.s[i]] = sample.raw()[i];
    const Ranks ranks =
        permutation_test(symbols.s, alphabet, options_.seed, options_.threads, progress);
    for (unsigned i = 0; i < kNumStatistics; ++i) out.results.push_back(result_of(i, ranks[i]));
    const bool stopped =
        std::any_of(ranks.begin(), ranks.end(), [](const Rank& rank) { return !rank.decided; });
    decide(sample, stopped, out);
  }

  static void add_longest_repeat(const Symbols& symbols, Report& out) {
    const LongestRepeat found = longest_repeat(symbols);
    out.results.push_back({.test = "Length of the Longest Repeated Substring",
                           .verdict = verdict_of(found.p_value),
                           .statistic = found.len,
                           .p_value = found.p_value,
                           .text = "whether symbols repeat longer than chance has it",
                           .figures = {{"W", found.len}, {"P_col", found.p_collision}}});
  }

  // Results so far hold all that the decision rests on.
  void decide(const Sample& sample, bool stopped, Report& out) const {
    size_t num[5] = {};
    std::string rejecting;
    for (const Result& result : out.results) {
      ++num[result.verdict];
      if (result.verdict < INCORE_VERDICT_WEAK) continue;
      rejecting +=
          (rejecting.empty() ? "" : "; ") + (result.variant.empty() ? result.test : result.variant);
    }
    const Symbols symbols = sample.literal();
    const double h_original = most_common_value(symbols).min_entropy;
    const double h_bitstring =
        symbols.k == 2 ? h_original : most_common_value(sample.bitstring()).min_entropy;
    const double h = std::min(h_original, sample.width() * h_bitstring);
    Result decision{.test = "IID Assumption",
                    .figures = {{"H_original", h_original}, {"H_bitstring", h_bitstring}}};
    if (num[INCORE_VERDICT_WEAK] + num[INCORE_VERDICT_FAIL] != 0) {
      decision.verdict = num[INCORE_VERDICT_FAIL] != 0 ? INCORE_VERDICT_FAIL : INCORE_VERDICT_WEAK;
      decision.text = "rejected by SP 800-90B (" + rejecting + "): use the non-IID track";
      if (num[INCORE_VERDICT_FAIL] == 0)
        decision.text += "; a good source is rejected about once in 50 times";
    } else if (stopped) {
      decision.verdict = INCORE_VERDICT_SKIPPED;
      decision.text = "stopped; no test has rejected it so far";
      out.wants = "all permutations";
    } else {
      decision.verdict = INCORE_VERDICT_PASS;
      decision.min_entropy = h;
      decision.text = "tenable: no test rejects it";
    }
    if (sample.size() < kStandardSymbols)
      decision.text +=
          "; the standard wants 1,000,000 symbols, here are " + std::to_string(sample.size());
    const bool tenable = decision.verdict == INCORE_VERDICT_PASS;
    out.results.push_back(std::move(decision));
    if (tenable && options_.min_entropy > 0) judge_demand(sample.width(), h, out);
  }

  void judge_demand(unsigned width, double h, Report& out) const {
    const bool enough = h >= options_.min_entropy;
    out.results.push_back(
        {.test = kEntropyDemanded,
         .verdict = enough ? INCORE_VERDICT_PASS : INCORE_VERDICT_FAIL,
         .min_entropy = h,
         .text = print("%.3g of %u bits a symbol, if symbols are independent; %.3g are demanded", h,
                       width, options_.min_entropy),
         .question = Question::entropy});
  }

  Options options_;
  SampleHead head_;
  uint64_t num_read_ = 0;
};

}  // namespace

extern const SuiteInfo suite_sp800_90b_iid = {
    "sp800-90b-iid",
    "independent and identically distributed? permutation, chi-square, repeats; takes long",
    "SP 800-90B, section 5",
    false,
    Input::symbols,
    [](const Options& options) -> std::unique_ptr<Suite> { return std::make_unique<Iid>(options); },
    true};

}  // namespace incore::assess
