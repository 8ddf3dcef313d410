// REP XSTORE: stores ECX random bytes without gaps, however long the generator takes. PadLock
// guide 1.66, section 2.1. Needs the RNG. The last step may write up to 7 bytes more than it
// counts.
#include "padlock/xstore.h"

namespace incore::padlock {
namespace {

// A generator that stays silent for so many looks is left to the front-end, as by an interrupt;
// issuing the instruction again goes on waiting. It keeps a dead generator from hanging the
// emulator.
constexpr unsigned kPatience = 1u << 20;

// Waits for a full buffer; false if interrupted.
bool wait_for_buffer(Execution& x, uint64_t done) {
  for (unsigned looks = 0; !buffer_ready(x); ++looks) {
    if (x.interrupt(done)) return false;
    if (looks == kPatience) {
      x.interrupted = true;
      return false;
    }
  }
  return true;
}

Trap execute(Execution& x) {
  if (Trap trap = x.require_usable(true)) return trap;
  if (x.get(x.s.rcx) == 0) set_status(x, x.cpu.rng.fields(), 0);

  for (uint64_t done = 0; x.get(x.s.rcx) != 0;) {
    if (done != 0 && x.interrupt(done)) return {};
    if (!wait_for_buffer(x, done)) {
      set_status(x, x.cpu.rng.fields(), 0);
      return {};
    }
    uint64_t delivered;
    if (Trap trap = store_buffer(x, x.get(x.s.rcx), &delivered)) return trap;
    x.set(x.s.rcx, x.s.rcx - delivered);
    done += delivered;
  }
  return {};
}

}  // namespace

const Insn rep_xstore = {
    .mnemonic = "rep-xstore",
    .opcode = {0x0F, 0xA7, 0xC0},
    .rep = true,
    .unit = Unit::rng,
    .kind = Kind::random,
    .operands = "ECX bytes, EDX quality factor, EDI destination; EAX status",
    .execute = execute,
};

}  // namespace incore::padlock
