// Checks of REP XSHA and REP CCS_HASH: EAX at the start, and the buffer at EDI. PadLock guide 1.66,
// section 4.1; the younger hashes by their clauses.
//
// Known uses beyond the guide are not reported, as real parts are known to serve them: EAX with the
// bytes already hashed, a multiple of 64 (a restart looks the same; Linux does it on a C7), EAX =
// -1 on Nano and later, and EAX = -1 with ECX = 1 anywhere (GnuTLS tells the parts apart by it).
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

constexpr uint64_t kBlockLen = 64;

void look_at_start(const Look& look) {
  enum { kNoRestart, kNoPartial, kNoRestartSm3 };
  const HashOperands* o = look.hash;
  if (o == nullptr || o->unit == Unit::phe2) return;  // PLK-PHE-043: EAX is no input
  const bool is_sm3 = o->unit == Unit::ccs;
  if (o->done == o->all_ones) {
    if (!is_sm3 && !look.x.cpu.model().xsha_partial && o->total != 1)
      look.report(kNoPartial, Operand::start, o->done);
  } else if (o->done % kBlockLen != 0 || o->done > o->total) {
    look.report(is_sm3 ? kNoRestartSm3 : kNoRestart, Operand::start, o->done);
  }
}

void look_at_state(const Look& look) {
  enum { kNotWritable, kOverlap, kRulesPerUnit };
  const HashOperands* o = look.hash;
  if (o == nullptr || (o->total == 0 && o->unit != Unit::phe)) return;  // these touch nothing then
  const unsigned first = o->unit == Unit::phe    ? 0
                         : o->unit == Unit::phe2 ? kRulesPerUnit
                                                 : 2 * kRulesPerUnit;
  if (!look.can_write(o->state))
    look.report(first + kNotWritable, Operand::hash_state, o->state.begin);
  else if (overlap(o->state, o->message))
    look.report(first + kOverlap, Operand::source, o->message.begin);
}

}  // namespace

const Check check_xsha_start = {
    .name = "xsha-start",
    .remedy = "set EAX to 0 before the instruction",
    .rules = {{"PLK-PHE-017",
               "EAX is not 0 at the start of XSHA, nor what an interrupted XSHA "
               "leaves"},
              {"PLK-PHE-017",
               "EAX = -1 (whole blocks without padding) is known on Nano and later "
               "only"},
              {"PLK-ZX-024",
               "EAX is not 0 at the start of CCS_HASH, nor -1, nor what an "
               "interrupted one leaves"}},
    .before_insn = look_at_start};

const Check check_xsha_buffer = {
    .name = "xsha-buffer",
    .remedy =
        "reserve 128 bytes at EDI (XSHA384, XSHA512: 64; CCS_HASH: 32), apart from the message",
    .rules = {{"PLK-PHE-011",
               "128 bytes must be reserved for the state of XSHA, and not all are "
               "writable memory"},
              {"PLK-PHE-011",
               "128 bytes must be reserved for the state of XSHA, and the message "
               "lies in them"},
              {"PLK-PHE-041",
               "XSHA384 and XSHA512 write 64 bytes of state, and not all are writable memory"},
              {"PLK-PHE-041",
               "XSHA384 and XSHA512 write 64 bytes of state, and the message lies in them"},
              {"PLK-ZX-027", "CCS_HASH writes 32 bytes of state, and not all are writable memory"},
              {"PLK-ZX-027", "CCS_HASH writes 32 bytes of state, and the message lies in them"}},
    .before_insn = look_at_state};

}  // namespace incore::padlock
