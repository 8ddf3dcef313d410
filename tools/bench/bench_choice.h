// Which benchmarks and operations are measured.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/bench.h"

namespace incore::tools {

struct BenchChoice {
  const Bench* bench;
  std::vector<std::string> operations;  // only these; empty: all
};

// The names of all benchmarks; the same and those of all operations behind them.
std::vector<std::string> bench_names();
std::vector<std::string> measurable_names();

// What |names| name, benchmarks or operations; all of the library if there are none. Throws
// std::invalid_argument for a name of neither.
std::vector<BenchChoice> choose_benches(const std::vector<std::string>& names);

// The first of the options |given|, such as "--sizes", that nothing chosen reads; empty: none.
std::string idle_option(const std::vector<std::string>& given,
                        const std::vector<BenchChoice>& chosen);

}  // namespace incore::tools
