// What a program did in the simulator, as far as it was asked for.
#pragma once

#include <string>

#include "tools/base/json.h"
#include "tools/vemicry/vemicry_machine.h"

namespace incore::tools {

struct RunReport {
  std::string label;  // of the function that was called; empty: a whole program ran
  bool stats = false, registers = false, cycles = false, profile = false;
};

Json report_json(const RunReport& options, const incore_vemicry_machine& machine,
                 const incore_vemicry_config& config, const incore_vemicry_outcome& outcome,
                 double seconds);

// |report| as text.
std::string report_text(const RunReport& options, const Json& report);

}  // namespace incore::tools
