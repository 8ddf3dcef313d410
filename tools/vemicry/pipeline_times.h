// Instructions, cycles and stalls of a run, as `run` and `trace` show them.
#pragma once

#include <string>

#include "incore/vemicry.h"
#include "tools/base/json.h"

namespace incore::tools {

// "instructions", "cycles" and "stalls" by cause, without those that did not happen.
Json times_json(const incore_vemicry_trace_totals& totals);
// Those as text, in lines.
std::string times_text(const Json& times);
// "stalls" as text.
std::string stall_lines(const Json& stalls);

}  // namespace incore::tools
