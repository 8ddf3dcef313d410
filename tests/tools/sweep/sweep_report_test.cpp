// What `incore vemicry sweep` makes of its figures: designs, the Pareto front, plots and the page.
#include <gtest/gtest.h>

#include "support/process.h"
#include "tools/sweep/sweep_page.h"
#include "tools/sweep/sweep_tables.h"

namespace incore::tools {
namespace {

// Results as a sweep would leave them: the cycles of each point are |cycles(p, r, seed)|.
template <class Cycles>
SweepResult result_of(SweepPlan plan, Cycles cycles) {
  SweepResult result;
  for (const SweepPoint& point : sweep_points(plan)) {
    if (const std::string reason = impossible(point); !reason.empty())
      result.skipped.push_back({point, reason});
    else
      result.rows.push_back({point, {"", 5, cycles(point), 0}});
  }
  result.num_points = result.rows.size() + result.skipped.size();
  result.plan = std::move(plan);
  return result;
}

SweepPlan small_plan() {
  SweepPlan plan;
  plan.programs = {{"a & b <c>\"", {}}, {"second", {}}};
  plan.p = {4, 8};
  plan.r = {1, 2, 4, 8};
  return plan;
}

uint64_t plain_cycles(const SweepPoint& point) {
  return 100 + 1000 * point.p / point.r;
}

// Runs |script| with |text| as its input; it exits with 0 if all is well.
void expect_python(const std::string& script, const std::string& text) {
  const test::ProcessResult result = test::run({"python3", "-c", script}, text);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(sweep_designs, the_pareto_front_of_known_points) {
  // area, cycles, on the front
  const std::vector<std::tuple<double, double, bool>> cases = {
      {3, 5, true},                                                // least area
      {3, 7, false},                                               // slower at the same area
      {4, 5, false},                                               // larger at the same speed
      {5, 4, true},  {6, 4.5, false}, {7, 1, true}, {7, 1, true},  // equals are both there
      {9, 2, false},
  };
  std::vector<Design> designs;
  for (const auto& [area, cycles, on_front] : cases) designs.push_back({{}, cycles, area});
  mark_pareto_front(&designs);
  for (size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(designs[i].on_front, std::get<2>(cases[i])) << i;
}

TEST(sweep_designs, a_front_of_random_designs_is_what_no_other_design_beats) {
  std::vector<Design> designs;
  uint64_t state = 1;
  const auto random = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 59);  // few values, so that there are equals
  };
  for (int i = 0; i < 300; ++i) designs.push_back({{}, random(), random()});
  mark_pareto_front(&designs);
  for (const Design& design : designs) {
    bool beaten = false;
    for (const Design& other : designs)
      beaten = beaten || (other.area <= design.area && other.cycles <= design.cycles &&
                          (other.area < design.area || other.cycles < design.cycles));
    EXPECT_EQ(design.on_front, !beaten) << design.area << " " << design.cycles;
  }
}

TEST(sweep_designs, a_case_is_a_program_at_a_memory_latency) {
  SweepPlan plan = small_plan();
  plan.memory_latency = {0, 7};
  const std::vector<SweepCase> cases = sweep_cases(result_of(plan, plain_cycles));
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[1].title, "a & b <c>\", memory latency 7");
  EXPECT_EQ(cases[3].title, "second, memory latency 7");
  for (const SweepCase& one : cases) EXPECT_EQ(one.designs.size(), 7u);  // r <= p
}

TEST(sweep_designs, banks_and_ports_are_the_designers_and_cost_memory) {
  SweepPlan plan = small_plan();
  plan.banks = {kAsLanes, 1};
  plan.ports = {1, 2};
  const SweepPoint point = {0, 8, 8, 4, 8, 2, 1, 0, 1};
  EXPECT_EQ(memory_bits(point), 2u * 4096 * 8);
  EXPECT_EQ(design_name(plan, point), "p = 8, r = 4, banks = 2, ports = 1");
  const double logic = gate_equivalents(plan, point);
  plan.gates_per_bit = 1.5;
  EXPECT_EQ(gate_equivalents(plan, point), logic + 1.5 * 2 * 4096 * 8);
  SweepPoint two_ports = point;
  two_ports.ports = 2;
  EXPECT_EQ(gate_equivalents(plan, two_ports), logic + 2 * 2 * 4096 * 8);
  // One machine of one lane with each number of ports, two of each other number of lanes.
  for (const SweepCase& one : sweep_cases(result_of(plan, plain_cycles)))
    EXPECT_EQ(one.designs.size(), 2u * (1 + 2 * 2 + 1 + 2 * 3));
}

TEST(sweep_designs, of_several_seeds_the_one_that_takes_most_counts) {
  SweepPlan plan = small_plan();
  plan.seeds = {1, 2, 3};
  const auto cycles = [](const SweepPoint& point) {
    return plain_cycles(point) + (point.seed == 2 ? 17 : 0);
  };
  for (const SweepCase& one : sweep_cases(result_of(plan, cycles))) {
    ASSERT_EQ(one.designs.size(), 7u);
    for (const Design& design : one.designs)
      EXPECT_EQ(design.cycles, static_cast<double>(plain_cycles(design.point) + 17));
  }
}

TEST(sweep_designs, cycles_are_per_byte_where_every_row_has_bytes) {
  SweepResult result = result_of(small_plan(), plain_cycles);
  for (SweepRow& row : result.rows)
    if (row.point.program == 1) row.outcome.num_bytes = 4 * row.point.p;
  const std::vector<SweepCase> cases = sweep_cases(result);
  EXPECT_FALSE(cases[0].per_byte);
  EXPECT_TRUE(cases[1].per_byte);
  EXPECT_EQ(cases[1].designs[0].cycles, (100 + 4000) / 16.0);
}

TEST(sweep_designs, the_best_of_each_p) {
  // More lanes than two bring nothing: the fastest is the smallest of those, by area.
  const auto cycles = [](const SweepPoint& point) -> uint64_t { return point.r == 1 ? 1000 : 900; };
  const std::vector<SweepCase> cases = sweep_cases(result_of(small_plan(), cycles));
  const std::vector<BestOfP> best = best_of_each_p(cases[0]);
  ASSERT_EQ(best.size(), 2u);
  for (const BestOfP& of_p : best) {
    EXPECT_EQ(of_p.fastest->point.r, 2u);
    for (const Design& design : cases[0].designs) {
      if (design.point.p == of_p.p) {
        EXPECT_LE(of_p.thriftiest->product(), design.product());
      }
    }
  }
}

TEST(sweep_tables, csv_quotes_what_it_must) {
  const std::string csv = sweep_csv(result_of(small_plan(), plain_cycles));
  expect_python(
      "import csv, io, sys\n"
      "rows = list(csv.DictReader(io.StringIO(sys.stdin.read(), newline='')))\n"
      "assert len(rows) == 14\n"
      "assert {row['program'] for row in rows} == {'a & b <c>\"', 'second'}\n"
      "for row in rows:\n"
      "    assert int(row['cycles']) == 100 + 1000 * int(row['p']) // int(row['r'])\n"
      "    assert float(row['gate_equivalents']) > 0\n",
      csv);
}

TEST(sweep_tables, json_has_rows_gaps_and_fronts) {
  expect_python(
      "import json, sys\n"
      "sweep = json.load(sys.stdin)\n"
      "assert sweep['points'] == 16 and len(sweep['rows']) == 14\n"
      "assert [gap['reason'] for gap in sweep['skipped']] == ['r is above p'] * 2\n"
      "assert [case['unit'] for case in sweep['cases']] == ['cycles', 'cycles']\n"
      "for case in sweep['cases']:\n"
      "    front = case['pareto_front']\n"
      "    assert front\n"
      "    for row in sweep['rows']:\n"
      "        assert any(d['cycles'] <= row['cycles'] and\n"
      "                   d['gate_equivalents'] <= row['gate_equivalents'] for d in front)\n",
      sweep_json(result_of(small_plan(), plain_cycles)));
}

TEST(sweep_html_report, is_one_page_with_every_design_and_nothing_from_elsewhere) {
  SweepPlan plan = small_plan();
  plan.title = "Which <r>?";
  plan.l = {kSameAsP, 4};
  SweepResult result = result_of(plan, plain_cycles);
  const std::string html = html_report(result);
  // clause: VM-NEXT-004
  expect_python(
      "import re, sys, xml.etree.ElementTree as tree\n"
      "text = sys.stdin.read()\n"
      "page = tree.fromstring(text)\n"
      "h, s = '{http://www.w3.org/1999/xhtml}', '{http://www.w3.org/2000/svg}'\n"
      "assert page.find(h + 'body/' + h + 'h1').text == 'Which <r>?'\n"
      "for node in page.iter():\n"
      "    assert 'src' not in node.attrib and 'href' not in node.attrib\n"
      "    assert not node.tag.endswith(('script', 'link', 'image', 'iframe', 'object'))\n"
      "assert 'url(' not in text and '@import' not in text\n"
      "assert 'prefers-color-scheme: dark' in text\n"
      "assert len(list(page.iter(s + 'svg'))) == 8, 'four plots for each of two programs'\n"
      "tables = [t for t in page.iter(h + 'table') if t.get('class') == 'designs']\n"
      "assert len(tables) == 2\n"
      "for table in tables:\n"
      "    rows = [[td.text for td in tr] for tr in table.iter(h + 'tr')][1:]\n"
      "    machines = {(int(r[0]), int(r[1]), int(r[2])) for r in rows}\n"
      "    assert machines == {(p, r, l) for p in (4, 8) for r in (1, 2, 4, 8) for l in (4, p)\n"
      "                        if r <= p}, machines\n"
      "    for p, r, l, q, banks, ports, cycles, area, product, front in rows:\n"
      "        assert float(cycles) == 100 + 1000 * int(p) // int(r) and float(area) > 0\n"
      "        other = [o for o in rows if float(o[6]) <= float(cycles) and\n"
      "                 float(o[7]) <= float(area) and (float(o[6]), float(o[7])) != \n"
      "                 (float(cycles), float(area))]\n"
      "        assert (front == 'yes') == (not other), (p, r, l)\n",
      html);
}

TEST(sweep_html_report, of_many_lines_one_for_each_p_is_drawn) {
  SweepPlan plan = small_plan();
  plan.p = {16};
  plan.l = {kSameAsP};
  plan.q.clear();
  for (uint32_t q = 1; q <= 16; ++q) plan.q.push_back(q);
  plan.p = {4, 16};
  const std::string html = html_report(result_of(plan, plain_cycles));
  EXPECT_NE(html.find("the fastest is drawn"), std::string::npos);
  EXPECT_EQ(html.find(">p = 4, q = 3</text>"), std::string::npos);
  EXPECT_NE(html.find(">p = 4</text>"), std::string::npos);
}

TEST(sweep_html_report, an_unfinished_sweep_says_so) {
  SweepResult result = result_of(small_plan(), plain_cycles);
  EXPECT_EQ(html_report(result).find("still to be done"), std::string::npos);
  result.rows.pop_back();
  EXPECT_NE(html_report(result).find("1 are still to be done"), std::string::npos);
  result.rows.clear();
  EXPECT_NE(html_report(result).find("0 combinations measured"), std::string::npos);
}

}  // namespace
}  // namespace incore::tools
