// Any bytes as the file of `incore vemicry sweep`: what is refused has a place and one line; what
// is accepted gives machines within the bounds, each once.
#include <algorithm>

#include "check.h"
#include "tools/sweep/sweep_plan.h"

using namespace incore::tools;

namespace {

bool in(uint32_t value, uint32_t low, uint32_t high) {
  return value >= low && value <= high;
}

}  // namespace

// The library has one workload here: which there are does not matter to the reader.
incore_status incore_vemicry_get_workload(size_t workload, incore_vemicry_workload* out_workload) {
  if (workload != 0) return INCORE_ERROR_RANGE;
  *out_workload = {.name = "xor-words"};
  return INCORE_OK;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  SweepPlan plan;
  const std::string mistake =
      read_sweep_plan(std::string(data, data + len), "fuzz", "folder", &plan);
  if (!mistake.empty()) {
    FUZZ_CHECK(mistake.rfind("fuzz:", 0) == 0);
    return 0;
  }
  FUZZ_CHECK(!plan.programs.empty());
  if (plan.q.size() * plan.p.size() * plan.r.size() * plan.l.size() * plan.banks.size() *
          plan.ports.size() * plan.memory_latency.size() * plan.seeds.size() *
          plan.programs.size() >
      20000)
    return 0;  // too many to look at
  const std::vector<SweepPoint> points = sweep_points(plan);
  FUZZ_CHECK(!points.empty());
  for (const SweepPoint& point : points) {
    FUZZ_CHECK(point.program < plan.programs.size());
    FUZZ_CHECK(in(point.q, 1, 16) && in(point.p, 1, 256) && in(point.r, 1, 256));
    FUZZ_CHECK(in(point.l, 1, 256) && in(point.banks, 1, 256) && in(point.ports, 1, 2));
    FUZZ_CHECK(point.memory_latency <= 1000);
    if (impossible(point).empty()) FUZZ_CHECK(point.r <= point.p && point.l <= point.p);
  }
  return 0;
}
