// An assessment as text for a terminal of 80 columns: the verdict, the reasons, a line for each
// suite; more where more is asked for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/assess_report/assess_report.h"
#include "tools/base/colour.h"
#include "tools/base/quote.h"
#include "tools/base/wrapped.h"

namespace incore::tools {
namespace {

constexpr size_t kColumns = 80, kMostReasons = 10;

// |text| in the colour of |verdict|.
std::string judged(incore_verdict verdict, const std::string& text, bool has_colours) {
  switch (verdict) {
    case INCORE_VERDICT_PASS:
      return coloured(Verdict::right, text, has_colours);
    case INCORE_VERDICT_FAIL:
      return coloured(Verdict::wrong, text, has_colours);
    case INCORE_VERDICT_WEAK:
    case INCORE_VERDICT_UNDECIDED:
      return coloured(Verdict::doubtful, text, has_colours);
    case INCORE_VERDICT_INFO:
    case INCORE_VERDICT_SKIPPED:
      break;
  }
  return text;
}

std::string wrapped(const std::string& begin, const std::string& text, size_t indent) {
  return tools::wrapped(begin, text, indent, kColumns);
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string cut(const std::string& text, size_t len) {
  return text.size() <= len ? text : text.substr(0, len - 3) + "...";
}

std::string short_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.6g}", value);
}

std::string reasons(const incore_assess_summary& summary, bool all) {
  const size_t shown = all ? summary.num_reasons : std::min(summary.num_reasons, kMostReasons);
  std::string text;
  for (size_t i = 0; i < shown; ++i) text += wrapped("  - ", summary.reasons[i], 4);
  if (shown < summary.num_reasons)
    text += fmt::format("  - and {} more: -v shows all\n", summary.num_reasons - shown);
  return text;
}

std::string suites_table(const AssessReport& report) {
  std::string text = fmt::format("{:<15} {:<34} {:>8} {:>4} {:>4} {:>4} {:>4}\n", "suite",
                                 "worst test", "p-value", "pass", "weak", "fail", "skip");
  for (const AssessReport::Suite& suite : report.suites) {
    const auto [worst, counts] = counts_of(report, suite.info.name);
    std::string shown = "-";
    if (worst != nullptr)
      shown = worst->verdict == INCORE_VERDICT_SKIPPED ? fmt::format("skipped: {}", worst->text)
                                                       : label(*worst);
    text += fmt::format("{:<15} {:<34} {:>8} {:>4} {:>4} {:>4} {:>4}\n", cut(suite.info.name, 15),
                        cut(shown, 34), worst != nullptr ? p_text(worst->p_value) : "-",
                        counts[INCORE_VERDICT_PASS], counts[INCORE_VERDICT_WEAK],
                        counts[INCORE_VERDICT_FAIL], counts[INCORE_VERDICT_SKIPPED]);
  }
  return text;
}

// One result, or, if |num| is more than one, the worst of as many.
std::string result_line(const incore_assess_result& result, size_t num, bool has_colours) {
  const std::string verdict = incore_verdict_name(result.verdict);
  const std::string name =
      num > 1 ? fmt::format("{} ({} results)", result.test, num) : label(result);
  std::string line = fmt::format("  {:<7} {:<40} {:>8} {:>11} {:>8}", verdict, cut(name, 40),
                                 p_text(result.p_value), short_number(result.statistic),
                                 short_number(result.min_entropy));
  line.erase(line.find_last_not_of(' ') + 1);
  line.replace(2, verdict.size(), judged(result.verdict, verdict, has_colours));
  line += "\n";
  if (name.size() > 40) line += wrapped(std::string(10, ' '), name, 10);
  if (*result.text != '\0' && result.verdict != INCORE_VERDICT_PASS)
    line += wrapped(std::string(10, ' '), result.text, 10);
  return line;
}

std::string tests_list(const AssessReport& report, bool every_result, bool has_colours) {
  std::string text;
  for (const AssessReport::Suite& suite : report.suites) {
    text += fmt::format("\n{}: {}\n  {}; {} bytes in {:.3f} s, {:.1f} MB/s\n", suite.info.name,
                        suite.info.title, suite.info.source, with_commas(suite.run.bytes),
                        suite.run.seconds, 1000 * suite.gigabytes_per_second());
    text += fmt::format("  {:<7} {:<40} {:>8} {:>11} {:>8}\n", "verdict", "test", "p-value",
                        "statistic", "min-ent.");
    for (const AssessTest& test : tests_of(report, suite.info.name)) {
      if (every_result)
        for (const incore_assess_result* result : test.results)
          text += result_line(*result, 1, has_colours);
      else
        text += result_line(*test.worst, test.results.size(), has_colours);
    }
  }
  return text;
}

}  // namespace

std::string assess_text(const AssessReport& report, int verbosity, bool has_colours) {
  const incore_assess_summary& summary = report.summary;
  const AssessInput& input = report.input;
  const std::string verdict = upper(incore_verdict_name(summary.verdict));
  std::string text =
      wrapped(fmt::format("{}{}  ", verdict, input.partial.empty() ? "" : " (PARTIAL)"),
              fmt::format("{}: {}", quoted_if_needed(input.name), headline(summary)), 6);
  text.replace(0, verdict.size(), judged(summary.verdict, verdict, has_colours));
  if (!input.partial.empty()) text += wrapped("PARTIAL: ", input.partial, 6);
  text += reasons(summary, verbosity > 0);
  text += fmt::format(
      "\njudged: {} bytes{}, symbols of {} bit{}\nSHA-256: {}\n", with_commas(summary.bytes),
      input.bytes_skipped == 0 ? ""
                               : fmt::format(" after {} others", with_commas(input.bytes_skipped)),
      summary.symbol_bits, summary.symbol_bits == 1 ? "" : "s", input.sha256);
  if (!std::isnan(summary.min_entropy))
    text += fmt::format(
        "min-entropy: {:.6g} bits a symbol, the least of all estimates{}\n", summary.min_entropy,
        input.options.min_entropy > 0 ? fmt::format("; {:.6g} demanded", input.options.min_entropy)
                                      : "");
  if (const std::string rate = false_alarm_text(summary); !rate.empty())
    text += wrapped("",
                    fmt::format("A good source fails {} ({} p-value{}).", rate,
                                summary.num_p_values, summary.num_p_values == 1 ? "" : "s"),
                    0);
  if (const std::string bias = visible_bias_text(summary); !bias.empty())
    text += wrapped("", bias + ".", 0);
  text += "\n" + suites_table(report);
  if (verbosity > 0) return text + tests_list(report, verbosity > 1, has_colours);
  return text + "-v shows every test, -vv every result.\n";
}

}  // namespace incore::tools
