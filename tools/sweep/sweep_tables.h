// The results of a sweep as CSV, as JSON, and as the text that a terminal shows.
#pragma once

#include <string>

#include "tools/base/json.h"
#include "tools/sweep/sweep_designs.h"

namespace incore::tools {

// What was run at |point|, and on which machine.
Json point_json(const SweepPlan& plan, const SweepPoint& point);
// One line for each row of |result|.
std::string sweep_csv(const SweepResult& result);
std::string sweep_json(const SweepResult& result);
// The answers: the best of each p, for each case.
std::string sweep_text(const SweepResult& result);

}  // namespace incore::tools
