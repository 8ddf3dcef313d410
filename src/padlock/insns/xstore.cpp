// XSTORE: stores up to 8 random bytes, or none if no buffer is full. PadLock guide 1.66,
// section 2.1. Needs the RNG.
#include "padlock/xstore.h"

namespace incore::padlock {
namespace {

Trap execute(Execution& x) {
  if (Trap trap = x.require_usable(true)) return trap;
  if (!buffer_ready(x)) {
    set_status(x, x.cpu.rng.fields(), 0);
    return {};
  }
  uint64_t delivered;
  return store_buffer(x, Rng::kBufferLen, &delivered);
}

}  // namespace

const Insn xstore = {
    .mnemonic = "xstore",
    .opcode = {0x0F, 0xA7, 0xC0},
    .rep = false,
    .unit = Unit::rng,
    .kind = Kind::random,
    .operands = "EDX quality factor, EDI destination; EAX status",
    .execute = execute,
};

}  // namespace incore::padlock
