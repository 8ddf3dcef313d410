#include "assess/summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

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

  std::string text() const {
    std::string line = std::string(run->info->name) + ": " + worst->test;
    if (num > 1)
      line += ": " + std::to_string(num) + " results, the worst" +
              (worst->variant.empty() ? "" : " for " + worst->variant);
    else if (!worst->variant.empty())
      line += " (" + worst->variant + ")";
    if (!worst->text.empty()) line += ": " + worst->text;
    if (!std::isnan(worst->p_value))
      line += worst->p_value > 0 ? ", p = " + number(worst->p_value) : ", p below 1e-300";
    return line;
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

// True if chance would give a good source so many weak results less often than it gives one of
// them.
bool too_many_weak(size_t weak, size_t judged) {
  if (weak == 0) return false;
  const double chance =
      binomial_at_least(static_cast<double>(weak), static_cast<double>(judged), kWeakBelow);
  return chance < 1.001 * kWeakBelow;  // one weak result of one counts
}

}  // namespace

Assessment::Summary summarize(const std::vector<Assessment::Run>& runs) {
  Assessment::Summary summary;
  for (const Assessment::Run& run : runs)
    for (const Result& result : run.report.results) {
      ++summary.num[result.verdict];
      summary.num_p_values += !std::isnan(result.p_value);
      // fmin passes over NaN.
      summary.min_entropy = std::fmin(summary.min_entropy, result.min_entropy);
    }
  // At most, since tests of the same bits depend on each other.
  summary.false_alarm_rate =
      -std::expm1(static_cast<double>(summary.num_p_values) * std::log1p(-kFailBelow));

  const size_t pass = summary.num[INCORE_VERDICT_PASS], weak = summary.num[INCORE_VERDICT_WEAK],
               fail = summary.num[INCORE_VERDICT_FAIL];
  if (fail != 0) {
    summary.verdict = INCORE_VERDICT_FAIL;
    summary.text = "this is not what a good source of random bits gives";
  } else if (too_many_weak(weak, pass + weak)) {
    summary.verdict = INCORE_VERDICT_WEAK;
    summary.text = "more weak results than chance gives: look again with more data";
  } else if (pass + weak != 0) {
    summary.verdict = INCORE_VERDICT_PASS;
    summary.text = "nothing found that tells these bits from random ones";
  } else if (summary.num[INCORE_VERDICT_INFO] != 0) {
    summary.verdict = INCORE_VERDICT_INFO;
    summary.text = "figures only: no test that was done judges";
  } else {
    summary.verdict = INCORE_VERDICT_SKIPPED;
    summary.text = "no test could be done";
  }
  if (summary.verdict != INCORE_VERDICT_PASS && summary.verdict != INCORE_VERDICT_INFO)
    summary.reasons = reasons_for(summary.verdict, runs);
  return summary;
}

}  // namespace incore::assess
