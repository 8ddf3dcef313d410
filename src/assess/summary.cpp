#include "assess/summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "assess/p_values.h"
#include "assess/special.h"

namespace incore::assess {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// How far a result is from what a good source gives: its p-value; one without is as bad as can be.
double badness(const Result& result) {
  return std::isnan(result.p_value) ? 0 : result.p_value;
}

// All results of one test with the same verdict are one reason.
struct Reason {
  const Assessment::Run* run;
  const Result* worst;
  size_t num;

  std::string name() const {
    return std::string(run->info->name) + ": " + worst->test +
           (worst->variant.empty() ? "" : " (" + worst->variant + ")");
  }
  std::string p_text() const {
    if (std::isnan(worst->p_value)) return "";
    return worst->p_value > 0 ? ", p = " + number(worst->p_value) : ", p below 1e-300";
  }
  std::string text() const {
    std::string line = num > 1 ? std::string(run->info->name) + ": " + worst->test : name();
    if (num > 1)
      line += ": " + std::to_string(num) + " results, the worst" +
              (worst->variant.empty() ? "" : " for " + worst->variant);
    if (!worst->text.empty()) line += ": " + worst->text;
    return line + p_text();
  }
};

std::vector<std::string> reasons_for(incore_verdict verdict,
                                     const std::vector<Assessment::Run>& runs) {
  std::vector<Reason> reasons;
  for (const Assessment::Run& run : runs)
    for (const Result& result : run.report.results) {
      if (result.verdict != verdict) continue;
      const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const Reason& reason) {
        return reason.run == &run && reason.worst->test == result.test;
      });
      if (known == reasons.end()) {
        reasons.push_back({&run, &result, 1});
        continue;
      }
      ++known->num;
      if (badness(result) < badness(*known->worst)) known->worst = &result;
    }
  std::stable_sort(reasons.begin(), reasons.end(), [](const Reason& a, const Reason& b) {
    return badness(*a.worst) < badness(*b.worst);
  });
  std::vector<std::string> texts;
  for (const Reason& reason : reasons) texts.push_back(reason.text());
  return texts;
}

// What one question's results say.
using Says = const char*;
struct Sentences {
  Says pass, weak, fail;
};
constexpr Sentences kSentences[kNumQuestions] = {
    {"nothing found that tells these bits from random ones",
     nullptr,  // why: Weakness::sentence()
     "this is not what a good source of random bits gives"},
    {"there is the min-entropy that is demanded", nullptr,
     "there is less min-entropy than demanded"},
    {"no test rejects that symbols are independent and identically distributed",
     "SP 800-90B rejects that symbols are independent and identically distributed (so it does with "
     "one good source in 50): use the non-IID track",
     "symbols are not independent and identically distributed"}};

// A good source is weak for one of two reasons: too many weak results, or too small a p-value.
// Each is as rare as half of kWeakBelow, so both together are no more frequent than that.
constexpr double kWeakForOneReason = kWeakBelow / 2;

struct Weakness {
  size_t judged = 0, weak = 0, p_values = 0;
  double least = 1;

  void add(const Result& result) {
    judged += result.verdict == INCORE_VERDICT_PASS || result.verdict == INCORE_VERDICT_WEAK;
    weak += result.verdict == INCORE_VERDICT_WEAK;
    if (std::isnan(result.p_value)) return;
    ++p_values;
    least = std::min(least, result.p_value);
  }
  // Null: there are no more than chance gives.
  Says sentence() const {
    if (weak == 0) return nullptr;
    // Of a single result there is nothing to count.
    if (judged == 1) return "the only result is weak: look again with more data";
    const double many =
        binomial_at_least(static_cast<double>(weak), static_cast<double>(judged), kWeakBelow);
    if (many < kWeakForOneReason)
      return "more weak results than chance gives: look again with more data";
    // As if they were independent: of those that are not, the least is less often so small.
    if (least_of_p(least, static_cast<double>(p_values)) < kWeakForOneReason)
      return "of so many p-values the least is rarely so small: look again with more data";
    return nullptr;
  }
};

// The verdicts on the questions that were asked, and on all of them.
class Answers {
 public:
  void add(const Result& result) {
    if (result.verdict < INCORE_VERDICT_PASS) return;
    incore_verdict& verdict = verdicts_[static_cast<size_t>(result.question)];
    if (result.question == Question::randomness) {
      weakness_.add(result);
      if (result.verdict == INCORE_VERDICT_WEAK) return (void)(verdict = std::max(verdict, kPass));
    }
    verdict = std::max(verdict, result.verdict);
  }
  void finish() {
    incore_verdict& randomness = verdicts_[static_cast<size_t>(Question::randomness)];
    if (weakness_.sentence() != nullptr) randomness = std::max(randomness, INCORE_VERDICT_WEAK);
  }
  bool asked(Question question) const {
    return verdicts_[static_cast<size_t>(question)] != INCORE_VERDICT_INFO;
  }
  // INFO: no question was answered.
  incore_verdict verdict() const {
    return *std::max_element(std::begin(verdicts_), std::end(verdicts_));
  }
  // What is wrong, or if nothing is, what was tested.
  std::string text() const {
    std::string text;
    for (size_t i = 0; i < kNumQuestions; ++i) {
      if (verdicts_[i] < std::min(verdict(), INCORE_VERDICT_WEAK) || !asked(Question(i))) continue;
      const Sentences& says = kSentences[i];
      const Says sentence = verdicts_[i] == INCORE_VERDICT_FAIL   ? says.fail
                            : verdicts_[i] == INCORE_VERDICT_PASS ? says.pass
                            : says.weak != nullptr                ? says.weak
                                                                  : weakness_.sentence();
      text += (text.empty() ? "" : "; ") + std::string(sentence);
    }
    return text;
  }

 private:
  static constexpr incore_verdict kPass = INCORE_VERDICT_PASS;
  incore_verdict verdicts_[kNumQuestions] = {};
  Weakness weakness_;
};

// What of that which was asked for has not been judged, in sentences.
std::vector<std::string> not_judged(const std::vector<Assessment::Run>& runs,
                                    const Answers& answers, const Options& options) {
  std::vector<std::string> reasons;
  for (const Assessment::Run& run : runs) {
    const std::vector<Result>& results = run.report.results;
    const auto judges = [](const Result& result) { return result.verdict >= INCORE_VERDICT_PASS; };
    const std::string begin = std::string(run.info->name) + ": ";
    if (std::none_of(results.begin(), results.end(), judges))
      reasons.push_back(begin + (results.empty() ? "judged nothing" : results.back().text));
    else if (!run.report.wants.empty())
      reasons.push_back(begin + "needs " + run.report.wants + " to say that nothing is wrong");
  }
  if (options.min_entropy > 0 && !answers.asked(Question::entropy))
    reasons.emplace_back("the min-entropy that is demanded was not judged");
  return reasons;
}

// The share of ones that a source has which fails as often as not, if nothing else is wrong.
double visible_bias(const std::vector<Assessment::Run>& runs) {
  uint64_t bits = 0;
  for (const Assessment::Run& run : runs) bits = std::max(bits, run.report.balanced_bits);
  const double share =
      0.5 - normal_quantile(kFailBelow / 2) / (2 * std::sqrt(static_cast<double>(bits)));
  return share < 1 ? share : kNone;
}

std::string worst_of(const std::vector<Assessment::Run>& runs) {
  std::optional<Reason> worst;
  for (const Assessment::Run& run : runs)
    for (const Result& result : run.report.results) {
      if (result.verdict < INCORE_VERDICT_WEAK) continue;
      const auto worse = [&](const Result& than) {
        return result.verdict != than.verdict ? result.verdict > than.verdict
                                              : badness(result) < badness(than);
      };
      if (!worst || worse(*worst->worst)) worst = {&run, &result, 1};
    }
  return worst ? worst->name() + worst->p_text() : "";
}

}  // namespace

Assessment::Summary summarize(const std::vector<Assessment::Run>& runs, const Options& options) {
  Assessment::Summary summary;
  Answers answers;
  for (const Assessment::Run& run : runs)
    for (const Result& result : run.report.results) {
      ++summary.num[result.verdict];
      summary.num_p_values += !std::isnan(result.p_value);
      // fmin passes over NaN.
      summary.min_entropy = std::fmin(summary.min_entropy, result.min_entropy);
      answers.add(result);
    }
  answers.finish();
  // At most, since tests of the same bits depend on each other.
  summary.false_alarm_rate =
      -std::expm1(static_cast<double>(summary.num_p_values) * std::log1p(-kFailBelow));
  summary.worst = worst_of(runs);
  if (answers.asked(Question::randomness)) summary.visible_bias = visible_bias(runs);

  summary.verdict = answers.verdict();
  summary.text = answers.text();
  if (summary.verdict == INCORE_VERDICT_INFO) {
    if (summary.num[INCORE_VERDICT_INFO] == 0) summary.verdict = INCORE_VERDICT_SKIPPED;
    summary.text = summary.num[INCORE_VERDICT_INFO] == 0
                       ? "no test could be done"
                       : "figures only: no test that was done judges";
  }
  if (summary.verdict != INCORE_VERDICT_PASS && summary.verdict != INCORE_VERDICT_INFO)
    summary.reasons = reasons_for(summary.verdict, runs);
  if (summary.verdict != INCORE_VERDICT_PASS && summary.verdict != INCORE_VERDICT_WEAK)
    return summary;
  const std::vector<std::string> missing = not_judged(runs, answers, options);
  if (missing.empty()) return summary;
  summary.text = summary.verdict == INCORE_VERDICT_WEAK
                     ? summary.text + ", as not all that was asked for could be judged"
                     : "nothing found, but not all that was asked for could be judged";
  summary.verdict = INCORE_VERDICT_UNDECIDED;
  summary.reasons.insert(summary.reasons.begin(), missing.begin(), missing.end());
  return summary;
}

}  // namespace incore::assess
