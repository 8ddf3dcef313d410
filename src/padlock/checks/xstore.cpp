// Checks of XSTORE: its quality factor, and what it writes behind the bytes asked for, since stores
// are four or eight bytes long.
// PadLock guide 1.66, section 2.1. Spare bytes behind the buffer cannot be seen from here; so a REP
// XSTORE whose count fits no whole number of steps is reported always, the zeros that the quality
// factors 2 and 3 add only where no writable memory follows.
#include "padlock/xstore.h"
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

void look_at_buffer(const Look& look) {
  enum { kNoMultiple, kNotWritable };
  const Execution& x = look.x;
  if (x.decoded.insn->unit != Unit::rng || x.require_usable(true)) return;
  const unsigned quality = x.s.rdx & 3;
  const uint64_t step = Rng::kBufferLen >> quality, stored = quality == 0 ? 8 : 4;
  const uint64_t asked = x.decoded.rep ? x.get(x.s.rcx) : step;
  if (asked == 0) return;
  const uint64_t last_step = (asked - 1) / step * step;
  uint64_t destination;
  if (x.linear(x.get(x.s.rdi), last_step + stored, Access::write, &destination)) return;
  const Range beyond = {destination + asked, last_step + stored - asked};
  if (asked % step != 0)
    look.report(kNoMultiple, Operand::destination, beyond.begin);
  else if (look.can_write({beyond.begin - 1, 1}) && !look.can_write(beyond))
    look.report(kNotWritable, Operand::destination, beyond.begin);
}

void look_at_quality(const Look& look) {
  constexpr uint64_t kIgnored = 0xFFFFFFFC;
  const Execution& x = look.x;
  if (x.decoded.insn->unit == Unit::rng && !x.require_usable(true) && (x.s.rdx & kIgnored) != 0)
    look.report(0, Operand::quality, x.s.rdx & 0xFFFFFFFF);
}

}  // namespace

const Check check_xstore_quality = {
    .name = "xstore-quality",
    .remedy = "put the quality factor into EDX, 0 to 3, and nothing else",
    .rules = {{"PLK-RNG-007",
               "bits 31:2 of EDX are set and ignored: the quality factor is bits 1:0, perhaps not "
               "what was meant"}},
    .before_insn = look_at_quality};

const Check check_xstore_overrun = {
    .name = "xstore-overrun",
    .remedy =
        "ask for a multiple of 8, 4 or 2 bytes (EDX 0, 1, 2), or fetch into a buffer with 8 "
        "spare bytes and copy",
    .rules = {{"PLK-RNG-022",
               "ECX is no multiple of what a step stores, so the last step writes "
               "random bytes behind those asked for"},
              {"PLK-RNG-024",
               "the last store goes beyond the bytes asked for and into memory that "
               "cannot be written: #PF"}},
    .before_insn = look_at_buffer};

}  // namespace incore::padlock
