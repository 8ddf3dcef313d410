// Published results that are too long to stand beside the benchmarks that check them.
#pragma once

#include "tools/bench/bench_task.h"

namespace incore::tools {

const std::vector<KnownAnswer>& long_known_answers();

}  // namespace incore::tools
