// The results of a sweep as CSV, as JSON, and as the text that a terminal shows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/sweep/sweep_designs.h"

namespace incore::tools {

// What was run at |point|, and on which machine.
nlohmann::ordered_json point_json(const SweepPlan& plan, const SweepPoint& point);
// One line for each row of |result|.
std::string sweep_csv(const SweepResult& result);
std::string sweep_json(const SweepResult& result);
// The answers: the best of each p, for each case.
std::string sweep_text(const SweepResult& result);

}  // namespace incore::tools
