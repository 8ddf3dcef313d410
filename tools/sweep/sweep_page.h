// The report of a sweep as one HTML page that needs nothing else: answers, plots and tables. It is
// XML too, so that any parser reads it.
#pragma once

#include <string>

#include "tools/sweep/sweep_designs.h"

namespace incore::tools {

std::string html_report(const SweepResult& result);

}  // namespace incore::tools
