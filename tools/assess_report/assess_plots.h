// The drawings of an assessment's page.
#pragma once

#include <string>

#include "tools/assess_report/assess_report.h"

namespace incore::tools {

// All p-values, sorted, against those that chance gives: on linear and on logarithmic axes. Empty
// if there are none.
std::string p_value_plots(const AssessReport& report);

// Empty if there is nothing finite in it.
std::string series_plot(const incore_assess_series& series);

}  // namespace incore::tools
