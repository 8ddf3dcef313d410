// Checks of REP XSHA: EAX at the start, and the buffer at EDI. PadLock guide 1.66, section 4.1.
//
// Known uses beyond the guide are not reported, as real parts are known to serve them: EAX with the
// bytes already hashed, a multiple of 64 (a restart looks the same; Linux does it on a C7), EAX =
// -1 on Nano and later, and EAX = -1 with ECX = 1 anywhere (GnuTLS tells the parts apart by it).
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

constexpr uint64_t kBlockLen = 64;

void look_at_start(const Look& look) {
  enum { kNoRestart, kNoPartial };
  const XshaOperands* o = look.xsha;
  if (o == nullptr) return;
  if (o->done == o->all_ones) {
    if (!look.x.cpu.model().xsha_partial && o->total != 1)
      look.report(kNoPartial, Operand::start, o->done);
  } else if (o->done % kBlockLen != 0 || o->done > o->total) {
    look.report(kNoRestart, Operand::start, o->done);
  }
}

void look_at_state(const Look& look) {
  enum { kNotWritable, kOverlap };
  const XshaOperands* o = look.xsha;
  if (o == nullptr) return;
  if (!look.can_write(o->state))
    look.report(kNotWritable, Operand::hash_state, o->state.begin);
  else if (overlap(o->state, o->message))
    look.report(kOverlap, Operand::source, o->message.begin);
}

}  // namespace

const Check check_xsha_start = {
    .name = "xsha-start",
    .remedy = "set EAX to 0 before XSHA",
    .rules = {{"PLK-PHE-017",
               "EAX is not 0 at the start of XSHA, nor what an interrupted XSHA "
               "leaves"},
              {"PLK-PHE-017",
               "EAX = -1 (whole blocks without padding) is known on Nano and later "
               "only"}},
    .before_insn = look_at_start};

const Check check_xsha_buffer = {
    .name = "xsha-buffer",
    .remedy = "reserve 128 bytes at EDI, apart from the message",
    .rules = {{"PLK-PHE-011",
               "128 bytes must be reserved for the state of XSHA, and not all are "
               "writable memory"},
              {"PLK-PHE-011",
               "128 bytes must be reserved for the state of XSHA, and the message "
               "lies in them"}},
    .before_insn = look_at_state};

}  // namespace incore::padlock
