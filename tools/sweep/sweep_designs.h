// What a sweep says: measured points made into designs, and the best of them found. A case is one
// program at one memory latency, which no designer of the unit chooses; designs are compared inside
// a case only.
#pragma once

#include <string>
#include <vector>

#include "tools/sweep/sweep_plan.h"
#include "tools/sweep/sweep_store.h"

namespace incore::tools {

struct SweepRow {
  SweepPoint point;
  SweepOutcome outcome;
};
// A point without figures, and why.
struct SweepGap {
  SweepPoint point;
  std::string reason;
};

struct SweepResult {
  SweepPlan plan;
  std::vector<SweepRow> rows;     // in the order of the plan
  std::vector<SweepGap> skipped;  // combinations that cannot be
  std::vector<SweepGap> failed;   // wrong results
  size_t num_points = 0;          // of the plan, those not yet measured included
};

// A machine for a case: the rows that differ in the seed only, made into one.
struct Design {
  SweepPoint point;
  double cycles = 0;  // of the seed that takes the most; per byte where the case says so
  double area = 0;    // gate equivalents
  bool on_front = false;

  double product() const { return cycles * area; }
};

struct SweepCase {
  std::string title;
  bool per_byte = false;
  std::vector<Design> designs;  // not empty

  const char* unit() const { return per_byte ? "cycles per byte" : "cycles"; }
};

// Bits of the lanes' memory: 4 KiB in each bank (VeMICry paper, section 4.2).
uint64_t memory_bits(const SweepPoint& point);
// The area of a machine that was measured: its logic, and its memory by SweepPlan::gates_per_bit.
double gate_equivalents(const SweepPlan& plan, const SweepPoint& point);

std::vector<SweepCase> sweep_cases(const SweepResult& result);

// Marks the designs that no other design beats in area or cycles without losing in the other.
void mark_pareto_front(std::vector<Design>* inout_designs);

// What a designer asks of one p: the machines with the fewest cycles, and with the least area x
// cycles. Among equals that with less area.
struct BestOfP {
  uint32_t p;
  const Design* fastest;
  const Design* thriftiest;
};
std::vector<BestOfP> best_of_each_p(const SweepCase& sweep_case);

// The parameters of |point| that the plan varies beside p, r and the memory latency, with p:
// "p = 8, l = 4".
std::string series_name(const SweepPlan& plan, const SweepPoint& point);
// Of all: "p = 8, r = 4, l = 4".
std::string design_name(const SweepPlan& plan, const SweepPoint& point);

}  // namespace incore::tools
