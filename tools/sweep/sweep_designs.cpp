#include "tools/sweep/sweep_designs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace incore::tools {
namespace {

SweepCase make_case(const SweepPlan& plan, const std::vector<const SweepRow*>& rows) {
  const SweepPoint& first = rows.front()->point;
  SweepCase result;
  result.title = plan.programs[first.program].name;
  if (plan.memory_latency.size() > 1)
    result.title += fmt::format(", memory latency {}", first.memory_latency);
  result.per_byte = std::all_of(rows.begin(), rows.end(),
                                [](const SweepRow* row) { return row->outcome.num_bytes != 0; });
  for (const SweepRow* row : rows) {
    SweepPoint point = row->point;
    point.seed = 0;
    const double bytes = result.per_byte ? static_cast<double>(row->outcome.num_bytes) : 1;
    const double cycles = static_cast<double>(row->outcome.cycles) / bytes;
    // Seeds vary fastest, so that the rows of a design follow each other.
    if (!result.designs.empty() && result.designs.back().point == point)
      result.designs.back().cycles = std::max(result.designs.back().cycles, cycles);
    else
      result.designs.push_back({point, cycles, gate_equivalents(plan, point)});
  }
  mark_pareto_front(&result.designs);
  return result;
}

}  // namespace

uint64_t memory_bits(const SweepPoint& point) {
  return uint64_t{point.banks} * 4096 * 8;
}

double gate_equivalents(const SweepPlan& plan, const SweepPoint& point) {
  const incore_vemicry_config config = point.config();
  double area = 0;
  if (incore_vemicry_area(&config, &area) != INCORE_OK)
    throw std::logic_error("a machine that was measured has no area");
  // A cell of a static memory has six transistors, and two more for a second port.
  const double ports = point.ports == 2 ? 8.0 / 6 : 1;
  return area + static_cast<double>(memory_bits(point)) * plan.gates_per_bit * ports;
}

std::vector<SweepCase> sweep_cases(const SweepResult& result) {
  std::map<std::pair<size_t, uint32_t>, std::vector<const SweepRow*>> rows;
  for (const SweepRow& row : result.rows)
    rows[{row.point.program, row.point.memory_latency}].push_back(&row);
  std::vector<SweepCase> cases;
  for (const auto& [key, list] : rows) cases.push_back(make_case(result.plan, list));
  return cases;
}

void mark_pareto_front(std::vector<Design>* inout_designs) {
  std::vector<Design*> by_area;
  for (Design& design : *inout_designs) by_area.push_back(&design);
  std::stable_sort(by_area.begin(), by_area.end(), [](const Design* a, const Design* b) {
    return a->area != b->area ? a->area < b->area : a->cycles < b->cycles;
  });
  const Design* last = nullptr;  // on the front
  for (Design* design : by_area) {
    design->on_front = last == nullptr || design->cycles < last->cycles ||
                       (design->cycles == last->cycles && design->area == last->area);
    if (design->on_front) last = design;
  }
}

std::vector<BestOfP> best_of_each_p(const SweepCase& sweep_case) {
  std::map<uint32_t, BestOfP> best;
  for (const Design& design : sweep_case.designs) {
    BestOfP& of_p =
        best.try_emplace(design.point.p, BestOfP{design.point.p, &design, &design}).first->second;
    const auto less = [&design](double a, double b, const Design* than) {
      return a != b ? a < b : design.area < than->area;
    };
    if (less(design.cycles, of_p.fastest->cycles, of_p.fastest)) of_p.fastest = &design;
    if (less(design.product(), of_p.thriftiest->product(), of_p.thriftiest))
      of_p.thriftiest = &design;
  }
  std::vector<BestOfP> list;
  for (const auto& [p, of_p] : best) list.push_back(of_p);
  return list;
}

std::string series_name(const SweepPlan& plan, const SweepPoint& point) {
  std::string name = fmt::format("p = {}", point.p);
  if (plan.l.size() > 1 || plan.l[0] != kSameAsP) name += fmt::format(", l = {}", point.l);
  if (plan.q.size() > 1) name += fmt::format(", q = {}", point.q);
  return name;
}

std::string design_name(const SweepPlan& plan, const SweepPoint& point) {
  const std::string name = series_name(plan, point), p = fmt::format("p = {}", point.p);
  std::string memory;
  if (plan.banks.size() > 1 || plan.banks[0] != kAsLanes)
    memory += fmt::format(", banks = {}", point.banks);
  if (plan.ports.size() > 1) memory += fmt::format(", ports = {}", point.ports);
  return fmt::format("{}, r = {}{}{}", p, point.r, name.substr(p.size()), memory);
}

}  // namespace incore::tools
