// Published results that are too long to stand beside the benchmarks that check them.
#pragma once

#include "bench_task.h"

namespace incore::cli {

const std::vector<KnownAnswer>& long_known_answers();

}  // namespace incore::cli
