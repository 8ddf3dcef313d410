// How much an instruction has done.
#include "padlock/work.h"

namespace incore::padlock {

uint64_t bytes_done(const Insn& insn, const State& before, const State& after) {
  switch (insn.unit) {
    case Unit::rng:
      return after.rdi - before.rdi;
    case Unit::ace:
    case Unit::ace_ctr:
      return (before.rcx - after.rcx) * kAesBlockLen;
    case Unit::phe:
    case Unit::phe2:
    case Unit::ccs:
      return after.rsi - before.rsi;
    case Unit::pmm:
      return after.rcx == 0 ? before.rcx / 8 : 0;
  }
  return 0;
}

uint64_t work_done(const Insn& insn, const State& before, const State& after) {
  switch (insn.unit) {
    case Unit::rng:
      return after.rdi - before.rdi;
    case Unit::ace:
    case Unit::ace_ctr:
      return before.rcx - after.rcx;
    case Unit::phe:
    case Unit::phe2:
    case Unit::ccs:
      return (after.rsi - before.rsi + 63) / 64;
    case Unit::pmm:
      return static_cast<uint32_t>(before.rcx) / 32;
  }
  return 0;
}

}  // namespace incore::padlock
