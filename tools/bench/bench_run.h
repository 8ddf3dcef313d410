// Measures what was chosen, benchmark after benchmark.
#pragma once

#include <string>
#include <vector>

#include "tools/base/json.h"
#include "tools/bench/bench_choice.h"

namespace incore::tools {

// Runs the benchmarks one after the other into |*out_reports|, an object with a member for each;
// with |print| their text goes to standard output as they end. Warnings of what made the figures
// unsure, each once, go to |*out_warnings|. Returns the greatest of their exit codes.
int run_benches(const std::vector<BenchChoice>& chosen, BenchOptions options, bool print,
                Json* out_reports, std::vector<std::string>* out_warnings);

}  // namespace incore::tools
