// What all results together say: the verdict, and the reasons for it.
#pragma once

#include "assess/assessment.h"

namespace incore::assess {

Assessment::Summary summarize(const std::vector<Assessment::Run>& runs, const Options& options);

}  // namespace incore::assess
