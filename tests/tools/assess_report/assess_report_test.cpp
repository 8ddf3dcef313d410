// What `incore rng analyze` writes: text, JSON, CSV and HTML, of results made up for these tests.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "support/process.h"
#include "tools/assess_report/assess_report.h"

namespace incore::tools {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Runs |script| with |text| as its input; it exits with 0 if all is well.
void expect_python(const std::string& script, const std::string& text) {
  const test::ProcessResult result = test::run({"python3", "-c", script}, text);
  EXPECT_EQ(result.exit_code, 0) << result.err << text.substr(0, 3000);
}

incore_assess_result result_with(const char* test, const char* variant, incore_verdict verdict,
                                 double p) {
  return {"bytes", test, variant, verdict, 12.5, p, kNaN, "what <it> means, \"so\"", 0, nullptr};
}

// Three tests of one suite, one of which has 148 results, and a series of each kind.
AssessReport full_report() {
  static const incore_assess_figure figures[] = {{"n", 5}, {"ratio", kInfinity}};
  static const double x[] = {-1, 0, 1, 2}, y[] = {0, 1, kNaN, 1}, bits[] = {0, 1, 1, 0};
  static const char* const reasons[] = {"Serial: odd & <bad>, p = 1e-09", "Runs: too long"};
  AssessReport report;
  report.input = {.name = "a & b.bin", .sha256 = std::string(64, 'e'), .partial = ""};
  report.suites = {{{"bytes", "byte values", "a <book>", 1}, {"bytes", 4096, 0.5}},
                   {{"empty", "a suite without results", "none", 0}, {"empty", 0, 0}}};
  report.results = {result_with("Serial", "m = 5", INCORE_VERDICT_FAIL, 1e-9),
                    result_with("Serial", "m = 6", INCORE_VERDICT_PASS, 0.25),
                    result_with("Runs", "", INCORE_VERDICT_FAIL, 0),
                    result_with("Too short", "", INCORE_VERDICT_SKIPPED, kNaN)};
  report.results[0].figures = figures;
  report.results[0].num_figures = 2;
  report.results[1].min_entropy = 7.5;
  static std::string names[148];
  for (int i = 0; i < 148; ++i) {
    names[i] = "template " + std::to_string(i);
    report.results.push_back(result_with("Templates", names[i].c_str(),
                                         i == 77 ? INCORE_VERDICT_WEAK : INCORE_VERDICT_PASS,
                                         i == 77 ? 5e-4 : (i + 0.5) / 148));
  }
  for (const auto kind : {INCORE_SERIES_LINE, INCORE_SERIES_BARS, INCORE_SERIES_POINTS})
    report.series.push_back({"bytes", "name", "title & <x>", "x", "y", kind, 4, x, y, 0, 0, -1, 1});
  report.series.push_back({"bytes", "bitmap", "title", "x", "y", INCORE_SERIES_BITMAP, 4, nullptr,
                           bits, 2, 2, kNaN, kNaN});
  report.summary = {INCORE_VERDICT_FAIL,
                    "this is bad",
                    "Runs, p below 1e-300",
                    4096,
                    8,
                    0,
                    2,
                    reasons,
                    148,
                    1,
                    2,
                    1,
                    151,
                    1e-4,
                    7.5,
                    0.5062};
  return report;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has_line(const std::string& text, const std::string& part) {
  for (const std::string& line : lines_of(text))
    if (line.find(part) != std::string::npos) return true;
  return false;
}

TEST(assess_report_text, the_verdict_comes_first_then_reasons) {
  const std::vector<std::string> lines = lines_of(assess_text(full_report(), 0));
  EXPECT_EQ(lines.at(0),
            "FAIL  'a & b.bin': 2 of 151 tests fail (the worst is Runs, p below 1e-300); this");
  EXPECT_EQ(lines.at(1), "      is bad");
  EXPECT_EQ(lines.at(2), "  - Serial: odd & <bad>, p = 1e-09");
  EXPECT_EQ(lines.at(3), "  - Runs: too long");
  EXPECT_TRUE(has_line(assess_text(full_report(), 0),
                       "A share of ones of 50.62 % would fail as often as not."));
}

TEST(assess_report_text, fits_a_terminal) {
  AssessReport report = full_report();
  std::string long_text = "a reason", name(60, 'n');
  for (int i = 0; i < 60; ++i) long_text += " with many words";
  const char* reason = long_text.c_str();
  report.summary.reasons = &reason;
  report.summary.num_reasons = 1;
  report.results[0].text = reason;
  report.results[0].test = name.c_str();
  report.input.partial = long_text;
  for (const int verbosity : {0, 1, 2})
    for (const std::string& line : lines_of(assess_text(report, verbosity))) {
      EXPECT_LE(line.size(), 80u) << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << line << "|";
    }
}

TEST(assess_report_text, of_many_reasons_the_worst_ten_are_shown) {
  AssessReport report = full_report();
  std::vector<std::string> texts;
  for (int i = 0; i < 25; ++i) texts.push_back("reason " + std::to_string(i));
  std::vector<const char*> reasons;
  for (const std::string& text : texts) reasons.push_back(text.c_str());
  report.summary.reasons = reasons.data();
  report.summary.num_reasons = 25;
  const std::string text = assess_text(report, 0);
  EXPECT_TRUE(has_line(text, "  - reason 9"));
  EXPECT_FALSE(has_line(text, "  - reason 10"));
  EXPECT_TRUE(has_line(text, "  - and 15 more"));
  EXPECT_TRUE(has_line(assess_text(report, 1), "  - reason 24"));
}

TEST(assess_report_text, many_results_of_one_test_are_one_line_unless_all_are_asked_for) {
  const AssessReport report = full_report();
  EXPECT_FALSE(has_line(assess_text(report, 0), "Templates"));
  const std::string tests = assess_text(report, 1), all = assess_text(report, 2);
  EXPECT_TRUE(has_line(tests, "weak    Templates (148 results)"));
  EXPECT_TRUE(has_line(tests, " 5.0e-04"));
  EXPECT_FALSE(has_line(tests, "template 12"));
  EXPECT_TRUE(has_line(all, "pass    Templates, template 12 "));
  EXPECT_TRUE(has_line(all, "weak    Templates, template 77 "));
}

TEST(assess_report_text, a_suite_shows_its_worst_test_and_its_counts) {
  EXPECT_TRUE(
      has_line(assess_text(full_report(), 0),
               "bytes           Runs                                <1e-300  148    1    2    1"));
  EXPECT_TRUE(
      has_line(assess_text(full_report(), 0),
               "empty           -                                         -    0    0    0    0"));
}

TEST(assess_report_forms, a_part_is_marked_in_each_of_them) {
  AssessReport report = full_report();
  for (const std::string& form :
       {assess_text(report, 2), assess_json(report), assess_csv(report), assess_html(report)}) {
    EXPECT_EQ(form.find("PARTIAL"), std::string::npos);
    EXPECT_EQ(form.find("the pipe broke"), std::string::npos);
  }
  report.input.partial = "the pipe broke";
  const std::vector<std::string> lines = lines_of(assess_text(report, 0));
  EXPECT_EQ(lines.at(0).substr(0, 16), "FAIL (PARTIAL)  ");
  EXPECT_EQ(lines.at(2), "PARTIAL: the pipe broke");
  expect_python("import json, sys\nassert json.load(sys.stdin)['partial'] == 'the pipe broke'\n",
                assess_json(report));
  expect_python(
      "import csv, io, sys\n"
      "rows = list(csv.DictReader(io.StringIO(sys.stdin.read(), newline='')))\n"
      "assert all(row['partial'] == 'the pipe broke' for row in rows)\n",
      assess_csv(report));
  EXPECT_NE(assess_html(report).find("PARTIAL</b>the pipe broke."), std::string::npos);
}

TEST(assess_report_json, has_everything_and_only_finite_numbers) {
  expect_python(
      "import json, sys\n"
      "def refuse(text): raise ValueError(text)\n"
      "report = json.load(sys.stdin, parse_constant=refuse)\n"
      "assert report['verdict'] == 'fail' and report['partial'] is None\n"
      "assert report['input'] == {'name': 'a & b.bin', 'bytes': 4096, 'bytes_skipped': 0,\n"
      "                           'sha256': 'e' * 64, 'symbol_bits': 8}\n"
      "assert report['counts'] == {'pass': 148, 'weak': 1, 'fail': 2, 'skipped': 1}\n"
      "assert len(report['reasons']) == 2 and report['p_values'] == 151\n"
      "assert report['worst'] == 'Runs, p below 1e-300' and report['visible_bias'] == 0.5062\n"
      "first = report['results'][0]\n"
      "assert first['p_value'] == 1e-9 and first['min_entropy'] is None\n"
      "assert first['figures'] == {'n': 5, 'ratio': None}\n"
      "assert len(report['results']) == 152\n"
      "assert [s['kind'] for s in report['series']] == ['line', 'bars', 'points', 'bitmap']\n"
      "assert report['series'][0]['x'] == [-1, 0, 1, 2]\n"
      "assert report['series'][0]['y'] == [0, 1, None, 1]\n"
      "assert report['series'][3]['rows'] == 2 and report['series'][3]['low'] is None\n"
      "assert report['suites'][0]['gigabytes_per_second'] == 4096 / 1e9 / 0.5\n",
      assess_json(full_report()));
}

TEST(assess_report_json, a_name_need_not_be_utf_8) {
  AssessReport report = full_report();
  report.input.name = "\xff.bin";
  expect_python("import json, sys\nassert json.load(sys.stdin)['input']['name'] == '\\ufffd.bin'\n",
                assess_json(report));
}

TEST(assess_report_csv, has_a_row_for_each_result) {
  expect_python(
      "import csv, io, sys\n"
      "rows = list(csv.DictReader(io.StringIO(sys.stdin.read(), newline='')))\n"
      "assert len(rows) == 152\n"
      "assert rows[0]['test'] == 'Serial' and rows[0]['variant'] == 'm = 5'\n"
      "assert rows[0]['text'] == 'what <it> means, \"so\"' and float(rows[0]['p_value']) == 1e-9\n"
      "assert rows[0]['figures'] == 'n=5; ratio=' and rows[0]['min_entropy'] == ''\n"
      "assert rows[1]['min_entropy'] == '7.5' and rows[3]['p_value'] == ''\n"
      "assert {row['verdict'] for row in rows} == {'pass', 'weak', 'fail', 'skipped'}\n"
      "assert all(row['input'] == 'a & b.bin' and row['partial'] == '' for row in rows)\n"
      "assert all(row['overall'] == 'fail' for row in rows)\n",
      assess_csv(full_report()));
}

TEST(assess_report_html, is_one_xml_page_with_verdict_plots_and_all_results) {
  const std::string html = assess_html(full_report());
  expect_python(
      "import sys, xml.etree.ElementTree as tree\n"
      "text = sys.stdin.read()\n"
      "page = tree.fromstring(text)\n"
      "h, s = '{http://www.w3.org/1999/xhtml}', '{http://www.w3.org/2000/svg}'\n"
      "body = page.find(h + 'body')\n"
      "assert body[0].tag == h + 'h1' and body[0].text == 'Random bits of a & b.bin'\n"
      "assert body[1].get('class') == 'banner fail', 'the verdict comes first'\n"
      "assert ''.join(body[1].itertext()) == 'FAIL2 of 151 tests fail (the worst is Runs, p '\\\n"
      "    'below 1e-300); this is bad.'\n"
      "order = [t.get('class') for t in page.iter() if t.get('class') in ('tiles', 'suites', "
      "'plots', 'results')]\n"
      "assert order[:3] == ['tiles', 'suites', 'plots'], order\n"
      "suites = [[td.text for td in tr] for t in page.iter(h + 'table')\n"
      "          if t.get('class') == 'suites' for tr in t][1:]\n"
      "assert suites == [['bytes', 'fail', 'Runs', '<1e-300', '148', '1', '2', '1'],\n"
      "                  ['empty', 'skipped', '-', '-', '0', '0', '0', '0']], suites\n"
      "assert [li.text for li in body[2]] == ['Serial: odd & <bad>, p = 1e-09', 'Runs: too long']\n"
      "for node in page.iter():\n"
      "    assert 'src' not in node.attrib\n"
      "    assert node.get('href', 'data:image/png').startswith('data:image/png')\n"
      "    assert not node.tag.endswith(('script', 'link', 'iframe', 'object'))\n"
      "assert 'url(' not in text and '@import' not in text and 'nan' not in text\n"
      "assert len(list(page.iter(s + 'svg'))) == 2 + 4, 'p-values twice, and each series'\n"
      "assert len(list(page.iter(s + 'image'))) == 1\n"
      "rows = [tr for t in page.iter(h + 'table') if t.get('class') == 'results'\n"
      "        for tr in t if tr[0].tag == h + 'td']\n"
      "assert len(rows) == 152\n"
      "assert [td.text for td in rows[0]][:4] == ['Serial, m = 5', 'fail', '1.0e-09', '12.5']\n"
      "tips = [t.text for t in page.iter(s + 'title')]\n"
      "assert 'bytes: Runs: <1e-300' in tips\n"
      "assert 'prefers-color-scheme: dark' in text and 'e' * 64 in text\n",
      html);
  EXPECT_EQ(html, assess_html(full_report())) << "the same assessment, another page";
}

TEST(assess_report_html, an_assessment_without_results_is_a_page_too) {
  AssessReport report;
  report.summary.text = "no test could be done";
  report.summary.verdict = INCORE_VERDICT_SKIPPED;
  report.summary.min_entropy = kNaN;
  expect_python("import sys, xml.etree.ElementTree as t\nt.fromstring(sys.stdin.read())\n",
                assess_html(report));
}

TEST(assess_report_figures, are_short_and_exact) {
  EXPECT_EQ(p_text(0.5), "0.5000");
  EXPECT_EQ(p_text(9.99e-4), "1.0e-03");
  EXPECT_EQ(p_text(0), "<1e-300");
  EXPECT_EQ(p_text(kNaN), "-");
  EXPECT_EQ(exact_text(0.1, "none"), "0.1");
  EXPECT_EQ(exact_text(-kInfinity, "none"), "none");
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(18446744073709551615u), "18,446,744,073,709,551,615");
  incore_assess_summary summary = {};
  EXPECT_EQ(false_alarm_text(summary), "");
  summary.false_alarm_rate = 1.88e-4;
  EXPECT_EQ(false_alarm_text(summary), "at most once in 5,300 assessments such as this");
  summary.num_skipped = 1;
  EXPECT_EQ(counts_text(summary), "1 test skipped");
  summary.num_skipped = 2;
  EXPECT_EQ(counts_text(summary), "2 tests skipped");
  summary.num_pass = 1;
  EXPECT_EQ(counts_text(summary), "1 test passed");
  summary.num_weak = 1;
  EXPECT_EQ(counts_text(summary), "none of 2 tests fails, 1 is weak");
  summary.worst = "bytes: Pi, p = 1e-05", summary.text = "so";
  EXPECT_EQ(headline(summary), "none of 2 tests fails, 1 is weak (bytes: Pi, p = 1e-05); so");
  EXPECT_EQ(visible_bias_text(summary), "");
  summary.visible_bias = 0.74;
  EXPECT_EQ(visible_bias_text(summary), "A share of ones of 74 % would fail as often as not");
  summary.visible_bias = 0.5000862;
  EXPECT_EQ(visible_bias_text(summary), "A share of ones of 50.0086 % would fail as often as not");
}

}  // namespace
}  // namespace incore::tools
