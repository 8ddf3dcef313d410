// The pipeline model (VeMICry paper, section 4.3 and table 2): when each executed instruction
// passes which stage, and what it waits for.
#pragma once

#include <cstdint>

#include "vemicry/machine.h"

namespace incore::vemicry {

class Pipeline {
 public:
  explicit Pipeline(const Config& config) : config_(config) {}

  // The next executed instruction; |state| is that before it.
  void add(const Step& step, const State& state);

  // From the first instruction's issue to the last one's, both included.
  uint64_t cycles() const { return cycles_; }

 private:
  Config config_;
  uint64_t cycles_ = 0;
};

}  // namespace incore::vemicry
