// The records of `--trace` as they come out of the memory that all processes of a run share.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "run/code_place.h"
#include "run/protocol.h"

namespace incore::run {

struct TracedInsn {
  const TraceRecord& record;  // its insn is one of insns()
  double seconds;             // since the run began
  uint64_t address;           // of the instruction
  const CodePlace& place;
};

class Trace {
 public:
  using OnInsn = std::function<void(const TracedInsn&)>;

  Trace();  // time begins

  // A number for the place of |address|, which the process |pid| is at.
  uint32_t place(pid_t pid, uint64_t address);
  // Hands over what has come, oldest first. Without |on_insn| it is dropped.
  void take(TraceRing& ring, const OnInsn& on_insn);

 private:
  struct Place {
    uint64_t address;
    CodePlace place;
  };

  double seconds(uint64_t ticks) const;

  uint64_t start_ticks_;
  double start_seconds_;
  double ticks_per_second_ = 0;  // as measured from the start to the last take()
  std::vector<Place> places_;
};

}  // namespace incore::run
