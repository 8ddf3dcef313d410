// The recorded clocks of a processor beside those that the timing model says of the same calls
// (docs/timing.md). Figures, not behaviour.
#pragma once

#include <string>
#include <vector>

#include "tools/base/json.h"

namespace incore::tools {

// The timing model fits the guide's figures to 4 % from 64 bytes to 16 KB, and to 11 % below that,
// where the loop around the instruction counts; see docs/timing.md. A reading of the time stamp
// counter may add a few clocks at each end, hence the second number.
inline constexpr double kTimingTolerance = 0.12;
inline constexpr double kTimingToleranceClocks = 30;

struct ProbeTiming {
  std::string what;  // such as "xcrypt-cbc, 1024 bytes, 128-bit key"
  double silicon;    // the least clocks, without what reading the counter takes
  double model;      // 0: no time is known
  bool is_judged;    // it fits into the caches, as the timing model has it
  bool fits;
};

// Of each row of |document| that has a time. What the model lacks is left out.
std::vector<ProbeTiming> compare_timings(const Json& document, const std::string& model);

}  // namespace incore::tools
