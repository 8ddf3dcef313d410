// Checks of alignment to 16 bytes. The emulated processor faults as silicon does; the checks say
// which operand it was. PadLock guide 1.66, sections 3.1, 3.2, 4.1 and 5.1.
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

bool misaligned(const Range& range) {
  return range.begin % 16 != 0;
}

void look_at_data(const Look& look) {
  enum { kNoAlign, kEcb, kNoAce2 };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr || o->aligns) return;
  unsigned rule = kNoAlign;
  if (o->control_word.align()) rule = look.x.cpu.model().ace2 ? kEcb : kNoAce2;
  if (misaligned(o->source)) look.report(rule, Operand::source, o->source.begin);
  if (misaligned(o->destination)) look.report(rule, Operand::destination, o->destination.begin);
}

void look_at_operands(const Look& look) {
  enum { kControlWord, kKey, kVector, kState, kState2, kStateSm3, kNumber, kScratch };
  const auto test = [&look](const Range& range, unsigned rule, Operand operand) {
    if (misaligned(range)) look.report(rule, operand, range.begin);
  };
  if (const XcryptOperands* o = look.xcrypt) {
    test(o->control, kControlWord, Operand::control_word);
    test(o->key, kKey, Operand::key);
    if (o->vector.len != 0) test(o->vector, kVector, Operand::vector);
  } else if (const HashOperands* hash = look.hash) {
    const unsigned rule = hash->unit == Unit::phe    ? kState
                          : hash->unit == Unit::phe2 ? kState2
                                                     : kStateSm3;
    test(hash->state, rule, Operand::hash_state);
  } else if (const MontmulOperands* mont = look.montmul) {
    test(mont->a, kNumber, Operand::mont_a);
    test(mont->b, kNumber, Operand::mont_b);
    test(mont->t, kNumber, Operand::mont_t);
    test(mont->m, kNumber, Operand::mont_m);
    test(mont->scratch, kScratch, Operand::mont_scratch);
  }
}

}  // namespace

const Check check_misaligned_data = {
    .name = "misaligned-data",
    .remedy =
        "align data to 16 bytes, copy it to an aligned buffer, or set ALIGN where ACE2 exists",
    .rules = {{"PLK-ACE-037", "data is not aligned to 16 bytes and ALIGN is 0: #GP"},
              {"PLK-ACE-092", "ECB needs data aligned to 16 bytes, whatever ALIGN says: #GP"},
              {"PLK-ACE-034", "this processor has no ALIGN, and its data is not aligned: #GP"}},
    .before_insn = look_at_data};

const Check check_misaligned_operand = {
    .name = "misaligned-operand",
    .remedy = "align it to 16 bytes; ALIGN in the control word is for source and destination alone",
    .rules = {{"PLK-ACE-078", "the control word is not aligned to 16 bytes: #GP"},
              {"PLK-ACE-043", "the key is not aligned to 16 bytes: #GP"},
              {"PLK-ACE-048", "the vector is not aligned to 16 bytes: #GP"},
              {"PLK-PHE-010", "the state of XSHA is not aligned to 16 bytes: #GP"},
              {"PLK-PHE-045", "the state of XSHA384 or XSHA512 is not aligned to 16 bytes: #GP"},
              {"PLK-ZX-027", "the state of CCS_HASH is not aligned to 16 bytes: #GP"},
              {"PLK-PMM-004", "a number of MONTMUL is not aligned to 16 bytes"},
              {"PLK-PMM-005", "the scratch area of MONTMUL is not aligned to 16 bytes"}},
    .before_insn = look_at_operands};

}  // namespace incore::padlock
