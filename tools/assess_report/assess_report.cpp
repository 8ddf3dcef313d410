#include "tools/assess_report/assess_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace incore::tools {
namespace {

// Element |i| of one of the assessment's lists, whose length was asked for.
template <class Item>
Item item(incore_status (*get)(const incore_assess*, size_t, Item*), const incore_assess* assess,
          size_t i) {
  Item one = {};
  if (get(assess, i, &one) != INCORE_OK) throw std::logic_error("an assessment lacks an element");
  return one;
}

incore_assess_suite suite_named(const char* name) {
  incore_assess_suite suite = {name, "", "", 0};
  for (size_t i = 0; i < incore_assess_num_suites(); ++i) {
    incore_assess_suite known;
    if (incore_assess_get_suite(i, &known) == INCORE_OK && std::strcmp(known.name, name) == 0)
      suite = known;
  }
  return suite;
}

bool is_worse(const incore_assess_result& a, const incore_assess_result& b) {
  return a.verdict != b.verdict ? a.verdict > b.verdict : a.p_value < b.p_value;
}

}  // namespace

double AssessReport::Suite::gigabytes_per_second() const {
  return run.seconds > 0 ? static_cast<double>(run.bytes) / 1e9 / run.seconds : 0;
}

AssessReport read_assessment(const incore_assess* assess, AssessInput input) {
  AssessReport report{.input = std::move(input)};
  if (incore_assess_get_summary(assess, &report.summary) != INCORE_OK)
    throw std::logic_error("the assessment is not finished");
  for (size_t i = 0; i < incore_assess_num_runs(assess); ++i) {
    const incore_assess_run run = item(incore_assess_get_run, assess, i);
    report.suites.push_back({suite_named(run.suite), run});
  }
  for (size_t i = 0; i < incore_assess_num_results(assess); ++i)
    report.results.push_back(item(incore_assess_get_result, assess, i));
  for (size_t i = 0; i < incore_assess_num_series(assess); ++i)
    report.series.push_back(item(incore_assess_get_series, assess, i));
  return report;
}

std::vector<AssessTest> tests_of(const AssessReport& report, const std::string& suite) {
  std::vector<AssessTest> tests;
  for (const incore_assess_result& result : report.results) {
    if (suite != result.suite) continue;
    const auto known = std::find_if(tests.begin(), tests.end(), [&](const AssessTest& test) {
      return std::strcmp(test.worst->test, result.test) == 0;
    });
    AssessTest& test = known != tests.end() ? *known : tests.emplace_back(AssessTest{{}, &result});
    test.results.push_back(&result);
    if (is_worse(result, *test.worst)) test.worst = &result;
  }
  return tests;
}

SuiteCounts counts_of(const AssessReport& report, const std::string& suite) {
  SuiteCounts found;
  for (const incore_assess_result& result : report.results) {
    if (suite != result.suite) continue;
    ++found.num[result.verdict];
    if (found.worst == nullptr || is_worse(result, *found.worst)) found.worst = &result;
  }
  return found;
}

std::string counts_text(const incore_assess_summary& summary) {
  const size_t judged = summary.num_pass + summary.num_weak + summary.num_fail;
  const char* const noun = judged == 1 ? "test" : "tests";
  if (judged == 0)
    return fmt::format("{} test{} skipped", summary.num_skipped,
                       summary.num_skipped == 1 ? "" : "s");
  if (summary.num_fail != 0)
    return fmt::format("{} of {} {} fail{}", summary.num_fail, judged, noun,
                       summary.num_fail == 1 ? "s" : "");
  if (summary.num_weak != 0)
    return fmt::format("none of {} {} fails, {} {} weak", judged, noun, summary.num_weak,
                       summary.num_weak == 1 ? "is" : "are");
  return judged == 1 ? "1 test passed" : fmt::format("all {} tests passed", judged);
}

std::string headline(const incore_assess_summary& summary) {
  const bool has_worst = summary.worst != nullptr && *summary.worst != '\0';
  return counts_text(summary) +
         (has_worst ? fmt::format(" ({}{})",
                                  summary.num_weak + summary.num_fail > 1 ? "the worst is " : "",
                                  summary.worst)
                    : "") +
         "; " + summary.text;
}

std::string visible_bias_text(const incore_assess_summary& summary) {
  if (!(summary.visible_bias > 0)) return "";
  const double percent = 100 * summary.visible_bias;
  const int digits = 1 - static_cast<int>(std::floor(std::log10(percent - 50)));  // two of the bias
  return fmt::format("A share of ones of {:.{}f} % would fail as often as not", percent,
                     std::clamp(digits, 0, 9));
}

std::string false_alarm_text(const incore_assess_summary& summary) {
  if (!(summary.false_alarm_rate > 0)) return "";
  const double once_in = 1 / summary.false_alarm_rate;
  const double step = std::pow(10, std::floor(std::log10(once_in)) - 1);  // two digits
  return fmt::format("at most once in {} assessments such as this",
                     with_commas(static_cast<uint64_t>(std::floor(once_in / step) * step)));
}

std::string label(const incore_assess_result& result) {
  return *result.variant == '\0' ? result.test : fmt::format("{}, {}", result.test, result.variant);
}

std::string p_text(double p_value) {
  if (std::isnan(p_value)) return "-";
  if (p_value <= 0) return "<1e-300";
  return p_value < 1e-3 ? fmt::format("{:.1e}", p_value) : fmt::format("{:.4f}", p_value);
}

std::string exact_text(double value, const char* none) {
  return std::isfinite(value) ? fmt::format("{}", value) : none;
}

std::string with_commas(uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace incore::tools
