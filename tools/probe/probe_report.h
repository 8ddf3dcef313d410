// What `incore probe --compare` prints.
#pragma once

#include <string>
#include <vector>

#include "tools/probe/probe_compare.h"
#include "tools/probe/probe_noise.h"
#include "tools/probe/probe_timings.h"

namespace incore::tools {

struct ProbeComparison {
  std::string file, model;
  bool was_emulated = false;  // the file is one of incore run, whose times are no processor's
  bool reloads_keys = false;
  ProbeBehaviour behaviour = {};
  std::vector<ProbeTiming> timings = {};  // empty if |was_emulated|
  NoiseFigures silicon_noise = {}, model_noise = {};
};

// Differences, a line each. The figures come after them.
std::string probe_comparison_text(const ProbeComparison& comparison);
Json probe_comparison_json(const ProbeComparison& comparison);

}  // namespace incore::tools
