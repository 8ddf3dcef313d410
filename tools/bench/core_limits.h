// How fast any code could be on this core: the throughput of the instructions that an operation
// needs, or the latency of those that wait for each other.
#pragma once

#include <string>

namespace incore::tools {

struct CoreLimits {
  std::string core;  // such as "Zen 4"; empty: this core is not known
  // Cycles per byte, or per operation, of |operation| on |messages| at a time; 0: not known.
  double cycles(const std::string& operation, size_t messages) const;
};

// Of the core that this process runs on.
CoreLimits core_limits();

}  // namespace incore::tools
