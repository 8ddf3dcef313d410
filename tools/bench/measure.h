// Measuring in this process, in seconds and in cycles of the core itself. The time-stamp counter
// runs at a rate of its own, so the core's clock comes from a chain of dependent additions, timed
// beside each figure.
#pragma once

#include <sched.h>

#include <chrono>
#include <cstddef>
#include <functional>

namespace incore::tools {

// Does the same work this many times over. The loop is inside, so that a call of a few cycles is
// not measured together with the call of a std::function.
using Work = std::function<void(size_t calls)>;

// Keeps this thread on one CPU while it lives: the first of those that the process may use and that
// it runs on now.
class PinnedCpu {
 public:
  PinnedCpu();
  ~PinnedCpu();
  PinnedCpu(const PinnedCpu&) = delete;

  int cpu() const { return cpu_; }  // -1: the system does not allow it

 private:
  cpu_set_t before_;
  int cpu_ = -1;
};

// The clock of the core now, in cycles a nanosecond.
double core_clock_ghz();

struct Measurement {
  double median_ns;       // of one call
  double min_ns;          // of the fastest batch of calls
  double spread_percent;  // half the middle batches lie within this much of each other
  double clock_ghz;       // of the core, measured between the batches
  size_t batches;

  double median_cycles() const { return median_ns * clock_ghz; }
  double min_cycles() const { return min_ns * clock_ghz; }
};

// Calls |work| in batches for about |time|, after one batch that is not counted. At least five
// batches, however long a call takes.
Measurement measure(const Work& work, std::chrono::milliseconds time);

}  // namespace incore::tools
