// What an experiment of the probe has shown, as facts in words that can be compared.
#pragma once

#include <string>
#include <vector>

#include "tools/base/json.h"

namespace incore::tools {

// One way in which two processors differ in an experiment.
struct FactDifference {
  std::string silicon, model;  // such as "EAX is 0x20050030", "SIGILL"
};

// How the outcome that came most often differs between two records of the same experiment. Where
// the signals differ, the rest follows from that and is left out.
std::vector<FactDifference> differences_of(const Json& silicon, const Json& model);

}  // namespace incore::tools
