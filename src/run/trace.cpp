#include "run/trace.h"

#include <sched.h>

#include <chrono>

#include "padlock/insn.h"

namespace incore::run {
namespace {

double now_in_seconds() {
  using std::chrono::steady_clock;
  return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
}

uint64_t now_in_ticks() {
  return __builtin_ia32_rdtsc();
}

// Its writer needs an instant; it may have been killed in it.
bool becomes_written(const TraceRecord& record, uint64_t number) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    if (record.number.load(std::memory_order_acquire) == number) return true;
    sched_yield();
  }
  return false;
}

}  // namespace

Trace::Trace() : start_ticks_(now_in_ticks()), start_seconds_(now_in_seconds()) {}

uint32_t Trace::place(pid_t pid, uint64_t address) {
  places_.push_back({address, find_code_place(pid, address)});
  return static_cast<uint32_t>(places_.size() - 1);
}

double Trace::seconds(uint64_t ticks) const {
  return static_cast<double>(ticks - start_ticks_) / ticks_per_second_;
}

void Trace::take(TraceRing& ring, const OnInsn& on_insn) {
  const double elapsed = now_in_seconds() - start_seconds_;
  ticks_per_second_ = static_cast<double>(now_in_ticks() - start_ticks_) / elapsed;
  size_t num_insns;
  padlock::insns(&num_insns);
  const uint64_t claimed = ring.claimed.load(std::memory_order_acquire);
  uint64_t taken = ring.taken.load(std::memory_order_relaxed);
  if (claimed - taken > kTraceRecords) taken = claimed;  // a program has written over it
  for (; taken != claimed; ring.taken.store(++taken, std::memory_order_release)) {
    const TraceRecord& r = ring.records[taken % kTraceRecords];
    if (!becomes_written(r, taken + 1) || r.insn >= num_insns || r.site >= places_.size())
      ring.lost.fetch_add(1, std::memory_order_relaxed);
    else if (on_insn)
      on_insn({r, seconds(r.time), places_[r.site].address, places_[r.site].place});
  }
}

}  // namespace incore::run
