// Checks of what stands before the operands: the unit and the prefixes. PadLock guide 1.66,
// chapter 1 (Start-Up), sections 2.1, 3.1, 4.1 and 5.1 (REPNE, operand size).
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

void look_at_unit(const Look& look) {
  enum { kAbsent, kDisabled, kNoOsfxsr, kNoCtr };
  const Execution& x = look.x;
  const Unit unit = x.decoded.insn->unit;
  const uint64_t at = x.s.rip;
  if ((x.s.cr4 & kCr4Osfxsr) == 0) return look.report(kNoOsfxsr, Operand::instruction, at);
  if (unit == Unit::ace_ctr && x.cpu.unit_exists(Unit::ace) && !x.cpu.unit_exists(unit))
    return look.report(kNoCtr, Operand::instruction, at);
  if (!x.cpu.unit_exists(unit)) return look.report(kAbsent, Operand::instruction, at);
  if (!x.cpu.unit_enabled(unit)) look.report(kDisabled, Operand::instruction, at);
}

void look_at_repne(const Look& look) {
  enum { kXstore, kXcrypt, kXsha, kMontmul };
  if (!look.x.decoded.repne) return;
  unsigned rule = kXcrypt;
  if (look.x.decoded.insn->unit == Unit::rng) rule = kXstore;
  if (look.x.decoded.insn->unit == Unit::phe) rule = kXsha;
  if (look.x.decoded.insn->unit == Unit::pmm) rule = kMontmul;
  look.report(rule, Operand::instruction, look.x.s.rip);
}

void look_at_rep(const Look& look) {
  enum { kXcrypt, kOthers };
  const Insn& insn = *look.x.decoded.insn;
  if (!insn.rep || look.x.decoded.rep) return;
  const bool is_xcrypt = insn.unit == Unit::ace || insn.unit == Unit::ace_ctr;
  look.report(is_xcrypt ? kXcrypt : kOthers, Operand::instruction, look.x.s.rip);
}

void look_at_operand_size(const Look& look) {
  enum { kXstore, kXcrypt, kXsha };
  if (!look.x.decoded.operand_size) return;
  const Unit unit = look.x.decoded.insn->unit;
  if (unit == Unit::pmm) return;  // PLK-PMM-040: the guide counts on it there
  const unsigned rule = unit == Unit::rng ? kXstore : unit == Unit::phe ? kXsha : kXcrypt;
  look.report(rule, Operand::instruction, look.x.s.rip);
}

}  // namespace

const Check check_unusable_unit = {
    .name = "unusable-unit",
    .remedy = "ask CPUID leaf 0xC0000001 EDX for the unit and for its enabled bit before use",
    .rules = {{"PLK-START-001", "this processor does not have the unit: #UD"},
              {"PLK-START-002", "the unit is disabled by its MSR bit: #UD"},
              {"PLK-START-003", "CR4.OSFXSR is 0, which switches all PadLock units off: #UD"},
              {"PLK-ACE-032", "the ACE of this processor has no CTR mode: #UD"}},
    .before_insn = look_at_unit};

const Check check_repne_prefix = {
    .name = "repne-prefix",
    .remedy = "use F3 (REP), not F2 (REPNE)",
    .rules = {{"PLK-RNG-028", "REPNE (F2) with XSTORE is undefined"},
              {"PLK-ACE-061", "REPNE (F2) with XCRYPT is undefined"},
              {"PLK-PHE-033", "REPNE (F2) with XSHA is undefined"},
              {"PLK-PMM-042", "REPNE (F2) with MONTMUL is undefined"}},
    .before_insn = look_at_repne};

const Check check_missing_rep = {
    .name = "missing-rep",
    .remedy = "put F3 (REP) before the opcode, also for one block",
    .rules = {{"PLK-EXC-014", "XCRYPT without the REP prefix is undefined"},
              {"PLK-EXC-015", "the instruction needs the REP prefix"}},
    .before_insn = look_at_rep};

const Check check_operand_size_prefix = {
    .name = "operand-size-prefix",
    .remedy = "leave the prefix 66 away: no operand has a size to choose",
    .rules = {{"PLK-RNG-037", "no document says what the operand-size prefix does with XSTORE"},
              {"PLK-ACE-060", "the operand-size prefix with XCRYPT raises #UD"},
              {"PLK-PHE-034", "the operand-size prefix with XSHA raises #UD"}},
    .before_insn = look_at_operand_size};

}  // namespace incore::padlock
