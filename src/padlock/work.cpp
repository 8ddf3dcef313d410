// How much an instruction has done.
#include "padlock/work.h"

namespace incore::padlock {

uint64_t way_of(uint64_t State::*reg, const Decoded& decoded, const State& before,
                const State& after) {
  const unsigned bits = effective_address_bits(after.code_size, decoded.address_size);
  return (after.*reg - before.*reg) & address_mask_of(bits);
}

uint64_t bytes_done(const Decoded& decoded, const State& before, const State& after) {
  switch (decoded.insn->unit) {
    case Unit::rng:
      return way_of(&State::rdi, decoded, before, after);
    case Unit::ace:
    case Unit::ace_ctr:
      return (before.rcx - after.rcx) * kAesBlockLen;
    case Unit::phe:
    case Unit::phe2:
    case Unit::ccs:
      return way_of(&State::rsi, decoded, before, after);
    case Unit::pmm:
      return after.rcx == 0 ? before.rcx / 8 : 0;
  }
  return 0;
}

uint64_t work_done(const Decoded& decoded, const State& before, const State& after) {
  switch (decoded.insn->unit) {
    case Unit::rng:
      return way_of(&State::rdi, decoded, before, after);
    case Unit::ace:
    case Unit::ace_ctr:
      return before.rcx - after.rcx;
    case Unit::phe:
    case Unit::phe2:
    case Unit::ccs:
      return (way_of(&State::rsi, decoded, before, after) + 63) / 64;
    case Unit::pmm:
      return static_cast<uint32_t>(before.rcx) / 32;
  }
  return 0;
}

}  // namespace incore::padlock
