// An assessment as one HTML page: verdict and reasons, figures at a glance, plots, all results. The
// same assessment gives the same page, so neither dates nor speeds are in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tools/assess_report/assess_plots.h"
#include "tools/assess_report/assess_report.h"
#include "tools/report/html_page.h"
#include "tools/report/svg_plot.h"

namespace incore::tools {
namespace {

constexpr size_t kMostReasons = 10;

constexpr const char* kStyle = R"(
:root { --pass: #1a7f37; --weak: #9a6700; --fail: #c1121f; --none: #59636e; }
@media (prefers-color-scheme: dark) { :root { --pass: #4ac26b; --weak: #e3b341; --fail: #ff6b6b; --none: #9aa4ae; } }
.banner { border-left: .5em solid var(--none); padding: .5em 1em; font-size: 1.15em; background: var(--soft); }
.banner b { font-size: 1.4em; margin-right: .5em; }
.banner.pass { border-color: var(--pass); } .banner.weak { border-color: var(--weak); }
h1, .banner, li { overflow-wrap: anywhere; }
.banner.undecided { border-color: var(--weak); } b.undecided { color: var(--weak); }
.banner.fail { border-color: var(--fail); } .banner.partial { border-color: var(--weak); }
b.pass, td.pass { color: var(--pass); } b.weak, td.weak { color: var(--weak); }
b.fail, td.fail { color: var(--fail); font-weight: 600; } td.skipped, td.info { color: var(--none); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11em, 1fr)); gap: 1em; margin: 1.5em 0; }
.tile { border: 1px solid var(--grid); border-radius: .5em; padding: .6em 1em; }
.tile b { display: block; font-size: 1.5em; overflow-wrap: anywhere; } .tile span { color: var(--faint); }
td.text, th.text { text-align: left; min-width: 16em; } td.mono { font-family: monospace; overflow-wrap: anywhere; }
details { margin: .5em 0; }
)";

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string short_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "";
}

std::string banner(const AssessReport& report) {
  const incore_assess_summary& summary = report.summary;
  const char* const verdict = incore_verdict_name(summary.verdict);
  std::string html = fmt::format("<p class=\"banner {0}\"><b class=\"{0}\">{1}</b>{2}.</p>\n",
                                 verdict, upper(verdict), xml_text(headline(summary)));
  if (!report.input.partial.empty())
    html += fmt::format("<p class=\"banner partial\"><b class=\"weak\">PARTIAL</b>{}.</p>\n",
                        xml_text(report.input.partial));
  return html;
}

std::string reasons(const incore_assess_summary& summary) {
  const auto list = [&](size_t begin, size_t end) {
    std::string html = "<ul>\n";
    for (size_t i = begin; i < end; ++i)
      html += fmt::format("<li>{}</li>\n", xml_text(summary.reasons[i]));
    return html + "</ul>\n";
  };
  if (summary.num_reasons == 0) return "";
  const size_t shown = std::min(summary.num_reasons, kMostReasons);
  std::string html = list(0, shown);
  if (shown < summary.num_reasons)
    html += fmt::format("<details><summary>and {} more</summary>\n{}</details>\n",
                        summary.num_reasons - shown, list(shown, summary.num_reasons));
  return html;
}

std::string tile(const std::string& figure, const std::string& meaning) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", xml_text(figure),
                     xml_text(meaning));
}

std::string tiles(const AssessReport& report) {
  const incore_assess_summary& summary = report.summary;
  const incore_assess_result* least = nullptr;
  for (const incore_assess_result& result : report.results)
    if (!std::isnan(result.p_value) && (least == nullptr || result.p_value < least->p_value))
      least = &result;
  std::string html = "<div class=\"tiles\">\n";
  html += tile(with_commas(summary.bytes),
               fmt::format("bytes judged, symbols of {} bit{}", summary.symbol_bits,
                           summary.symbol_bits == 1 ? "" : "s"));
  html += tile(fmt::format("{} / {} / {}", summary.num_pass, summary.num_weak, summary.num_fail),
               fmt::format("tests passed / weak / failed; {} skipped", summary.num_skipped));
  if (least != nullptr)
    html += tile(p_text(least->p_value),
                 fmt::format("least of {} p-values: {}", summary.num_p_values, label(*least)));
  if (!std::isnan(summary.min_entropy))
    html += tile(fmt::format("{:.4f}", summary.min_entropy),
                 "bits of min-entropy in a symbol, the least of all estimates");
  if (summary.false_alarm_rate > 0)
    html += tile(fmt::format("{:.2g} %", 100 * summary.false_alarm_rate),
                 "is the risk, at most, that a test fails although the source is good");
  if (summary.visible_bias > 0)
    html += tile(fmt::format("{:.4g} %", 100 * summary.visible_bias),
                 "ones in a biased source would fail as often as not");
  return html + "</div>\n";
}

std::string plots(const AssessReport& report) {
  std::string html;
  const std::string p_values = p_value_plots(report);
  if (!p_values.empty())
    html += fmt::format(
        "<h2>All p-values</h2>\n<p>Sorted, and against what chance gives: those of a good source "
        "lie near the broken line, above it where a test is cautious. On the right the same with "
        "the small ones spread out; below the "
        "horizontal lines a result is weak ({}) or fails ({}).</p>\n<div "
        "class=\"plots\">\n{}</div>\n",
        "1e-3", "1e-6", p_values);
  std::string drawn;
  for (const incore_assess_series& series : report.series) drawn += series_plot(series);
  if (!drawn.empty())
    html += fmt::format(
        "<h2>What the bits look like</h2>\n<p>Where there is a shaded band, 99 % of a "
        "good source's values lie in it.</p>\n<div class=\"plots\">\n{}</div>\n",
        drawn);
  return html;
}

// The worst test of each suite, and how many passed and failed.
std::string suites_table(const AssessReport& report) {
  std::string rows;
  for (const AssessReport::Suite& suite : report.suites) {
    const SuiteCounts found = counts_of(report, suite.info.name);
    const incore_verdict verdict =
        found.worst != nullptr ? found.worst->verdict : INCORE_VERDICT_SKIPPED;
    rows += fmt::format(
        "<tr><td>{}</td><td class=\"{}\">{}</td><td class=\"text\">{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td></tr>\n",
        xml_text(suite.info.name), incore_verdict_name(verdict), incore_verdict_name(verdict),
        xml_text(found.worst == nullptr              ? "-"
                 : verdict == INCORE_VERDICT_SKIPPED ? fmt::format("skipped: {}", found.worst->text)
                                                     : label(*found.worst)),
        found.worst != nullptr ? xml_text(p_text(found.worst->p_value)) : "-",
        found.num[INCORE_VERDICT_PASS], found.num[INCORE_VERDICT_WEAK],
        found.num[INCORE_VERDICT_FAIL], found.num[INCORE_VERDICT_SKIPPED]);
  }
  return "<h2>Suites</h2>\n<div class=\"wide\"><table class=\"suites\">\n<tr><th>suite</th>"
         "<th>verdict</th><th class=\"text\">worst test</th><th>p-value</th><th>pass</th>"
         "<th>weak</th><th>fail</th><th>skip</th></tr>\n" +
         rows + "</table></div>\n";
}

std::string result_row(const incore_assess_result& result) {
  std::string figures;
  for (size_t i = 0; i < result.num_figures; ++i)
    figures += fmt::format("{}{} = {}", i == 0 ? "" : ", ", result.figures[i].name,
                           exact_text(result.figures[i].value, "-"));
  return fmt::format(
      "<tr><td>{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td class=\"text\">{}{}</td></tr>\n",
      xml_text(label(result)), incore_verdict_name(result.verdict),
      incore_verdict_name(result.verdict), xml_text(p_text(result.p_value)),
      short_number(result.statistic), short_number(result.min_entropy), xml_text(result.text),
      figures.empty() ? "" : fmt::format("<br/><span class=\"note\">{}</span>", xml_text(figures)));
}

std::string results(const AssessReport& report) {
  std::string html = "<h2>All results</h2>\n";
  for (const AssessReport::Suite& suite : report.suites) {
    std::string rows;
    size_t num = 0;
    bool failed = false;
    for (const incore_assess_result& result : report.results) {
      if (std::strcmp(result.suite, suite.info.name) != 0) continue;
      ++num;
      failed = failed || result.verdict == INCORE_VERDICT_FAIL;
      rows += result_row(result);
    }
    html += fmt::format(
        "<details{}><summary><b>{}</b>: {} ({}), {} result{}</summary>\n"
        "<div class=\"wide\"><table class=\"results\">\n<tr><th>test</th><th>verdict</th>"
        "<th>p-value</th><th>statistic</th><th>min-entropy</th><th "
        "class=\"text\">meaning</th></tr>\n"
        "{}</table></div></details>\n",
        failed ? " open=\"open\"" : "", xml_text(suite.info.name), xml_text(suite.info.title),
        xml_text(suite.info.source), num, num == 1 ? "" : "s", rows);
  }
  return html;
}

std::string judged(const AssessReport& report) {
  const AssessInput& input = report.input;
  std::string rows;
  const auto row = [&](const char* name, const std::string& value) {
    rows +=
        fmt::format("<tr><td>{}</td><td class=\"text mono\">{}</td></tr>\n", name, xml_text(value));
  };
  row("input", input.name);
  row("bytes", with_commas(report.summary.bytes));
  if (input.bytes_skipped != 0) row("bytes skipped before", with_commas(input.bytes_skipped));
  row("SHA-256", input.sha256);
  row("bits in a symbol", fmt::format("{}", report.summary.symbol_bits));
  const incore_assess_options& options = input.options;
  const auto has = [&](const char* suite) {
    return std::any_of(report.suites.begin(), report.suites.end(),
                       [&](const auto& each) { return std::strcmp(each.info.name, suite) == 0; });
  };
  if (has("sp800-22")) {
    row("bits in a sequence", with_commas(options.sequence_bits));
    row("sequences, at most", with_commas(options.sequences));
  }
  if (has("sp800-90b") || has("sp800-90b-iid"))
    row("samples, at most", with_commas(options.samples));
  if (options.min_entropy != 0) row("min-entropy demanded", exact_text(options.min_entropy, ""));
  if (options.seed != 0) row("seed", fmt::format("{}", options.seed));
  return "<h2>What was judged</h2>\n<table>\n" + rows + "</table>\n";
}

constexpr const char* kHowToRead =
    "<h2>How to read this</h2>\n"
    "<p>A test asks how often a good source, each bit of which is a fair coin's, gives bits as odd "
    "as these. The answer is its p-value: 0.3 says three times in ten. A result is <b>weak</b> "
    "below 0.001 and <b>fails</b> below 0.000001. A few hundred p-values are looked at, so a weak "
    "one now and then says nothing; a failure says that these bits are not those of a good "
    "source.</p>\n"
    "<p>Min-entropy is how many bits of each symbol an adversary who knows the source cannot "
    "guess.</p>\n"
    "<p>To pass is no proof: a counter that is encrypted passes all tests and holds no secret but "
    "its key.</p>\n";

}  // namespace

std::string assess_html(const AssessReport& report) {
  const std::string title = fmt::format("Random bits of {}", xml_text(report.input.name));
  return html_page(title,
                   fmt::format("<h1>{}</h1>\n", title) + banner(report) + reasons(report.summary) +
                       tiles(report) + suites_table(report) + plots(report) + results(report) +
                       judged(report) + kHowToRead,
                   kStyle);
}

}  // namespace incore::tools
