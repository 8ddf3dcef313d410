// Where a run spent its cycles: by function and by source line, the largest first.
#pragma once

#include <string>

#include "incore/vemicry.h"
#include "tools/base/json.h"

namespace incore::tools {

// "functions" and "lines" of |machine|, whose runs were profiled.
Json profile_json(const incore_vemicry_machine& machine);
// Those as tables.
std::string profile_text(const Json& profile);

}  // namespace incore::tools
