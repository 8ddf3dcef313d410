#include "tools/sweep/sweep_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/base/csv.h"
#include "tools/base/json.h"
#include "tools/report/svg_plot.h"

namespace incore::tools {
namespace {

Json gaps_json(const SweepPlan& plan, const std::vector<SweepGap>& gaps) {
  Json list = Json::array();
  for (const SweepGap& gap : gaps) {
    list.push_back(point_json(plan, gap.point));
    list.back()["reason"] = gap.reason;
  }
  return list;
}

Json design_json(const SweepPlan& plan, const Design& design) {
  Json json = point_json(plan, design.point);
  json.erase("seed");  // the one that takes the most
  json["cycles"] = design.cycles;
  json["gate_equivalents"] = design.area;
  return json;
}

}  // namespace

Json point_json(const SweepPlan& plan, const SweepPoint& point) {
  return {{"program", plan.programs[point.program].name},
          {"q", point.q},
          {"p", point.p},
          {"r", point.r},
          {"l", point.l},
          {"banks", point.banks},
          {"ports", point.ports},
          {"memory_latency", point.memory_latency},
          {"seed", point.seed}};
}

std::string sweep_csv(const SweepResult& result) {
  std::string csv =
      "program,q,p,r,l,banks,ports,memory_latency,seed,instructions,cycles,bytes,gate_equivalents,"
      "memory_bits\r\n";
  for (const auto& [point, outcome] : result.rows)
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.0f},{}\r\n",
                       csv_field(result.plan.programs[point.program].name), point.q, point.p,
                       point.r, point.l, point.banks, point.ports, point.memory_latency, point.seed,
                       outcome.instructions, outcome.cycles, outcome.num_bytes,
                       gate_equivalents(result.plan, point), memory_bits(point));
  return csv;
}

std::string sweep_json(const SweepResult& result) {
  Json rows = Json::array();
  for (const auto& [point, outcome] : result.rows) {
    rows.push_back(point_json(result.plan, point));
    rows.back()["instructions"] = outcome.instructions;
    rows.back()["cycles"] = outcome.cycles;
    rows.back()["bytes"] = outcome.num_bytes;
    rows.back()["gate_equivalents"] = gate_equivalents(result.plan, point);
    rows.back()["memory_bits"] = memory_bits(point);
  }
  Json cases = Json::array();
  for (const SweepCase& sweep_case : sweep_cases(result)) {
    Json front = Json::array(), best = Json::array();
    for (const Design& design : sweep_case.designs)
      if (design.on_front) front.push_back(design_json(result.plan, design));
    for (const BestOfP& of_p : best_of_each_p(sweep_case))
      best.push_back({{"p", of_p.p},
                      {"fastest", design_json(result.plan, *of_p.fastest)},
                      {"least_area_x_time", design_json(result.plan, *of_p.thriftiest)}});
    cases.push_back({{"title", sweep_case.title},
                     {"unit", sweep_case.unit()},
                     {"best_of_each_p", best},
                     {"pareto_front", front}});
  }
  const Json json = {{"title", result.plan.title},
                     {"points", result.num_points},
                     {"rows", rows},
                     {"skipped", gaps_json(result.plan, result.skipped)},
                     {"failed", gaps_json(result.plan, result.failed)},
                     {"cases", cases}};
  return json.dump(1) + "\n";
}

std::string sweep_text(const SweepResult& result) {
  std::string text;
  for (const SweepCase& sweep_case : sweep_cases(result)) {
    const std::vector<BestOfP> best = best_of_each_p(sweep_case);
    // Without p, which begins the line.
    const auto name_of = [&](const Design& design) {
      return design_name(result.plan, design.point)
          .substr(fmt::format("p = {}, ", design.point.p).size());
    };
    size_t width = 24;
    for (const BestOfP& of_p : best)
      for (const Design* design : {of_p.fastest, of_p.thriftiest})
        width = std::max(width, name_of(*design).size());
    text += fmt::format("{}, {}\n  {:>3}  {:<{}} {:>9} {:>7}  {:<{}} {:>9} {:>7}\n",
                        sweep_case.title, sweep_case.unit(), "p", "fastest", width, "time",
                        "kgates", "least area x time", width, "time", "kgates");
    for (const BestOfP& of_p : best) {
      text += fmt::format("  {:>3}", of_p.p);
      for (const Design* design : {of_p.fastest, of_p.thriftiest})
        text += fmt::format("  {:<{}} {:>9} {:>7}", name_of(*design), width,
                            figure_text(design->cycles), figure_text(design->area / 1000));
      text += "\n";
    }
    text += "\n";
  }
  if (!text.empty())
    text += "time: cycles of the pipeline model; kgates: logic of the vector unit, " +
            (result.plan.gates_per_bit == 0
                 ? std::string("without the lanes' memories\n")
                 : fmt::format("and the lanes' memories, {} a bit\n", result.plan.gates_per_bit));
  std::map<std::string, size_t> reasons;
  for (const SweepGap& gap : result.skipped) ++reasons[gap.reason];
  for (const auto& [reason, count] : reasons)
    text += fmt::format("skipped {}: {}\n", count, reason);
  return text;
}

}  // namespace incore::tools
