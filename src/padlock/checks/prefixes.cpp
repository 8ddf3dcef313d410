// Checks of what stands before the operands: the unit and the prefixes. PadLock guide 1.66,
// chapter 1 (Start-Up), sections 2.1, 3.1, 4.1 and 5.1 (REPNE, operand size). PHE2 and CCS, which
// are younger, are taken to follow PHE.
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

// The rules for prefixes stand in this order in each check; MONTMUL's, where there is one, is last.
enum Group : unsigned { kXstore, kXcrypt, kXsha, kXsha2, kCcs, kMontmul };

Group group_of(Unit unit) {
  switch (unit) {
    case Unit::rng:
      return kXstore;
    case Unit::ace:
    case Unit::ace_ctr:
      return kXcrypt;
    case Unit::phe:
      return kXsha;
    case Unit::phe2:
      return kXsha2;
    case Unit::ccs:
      return kCcs;
    case Unit::pmm:
      break;
  }
  return kMontmul;
}

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
  if (look.x.decoded.repne)
    look.report(group_of(look.x.decoded.insn->unit), Operand::instruction, look.x.s.rip);
}

void look_at_rep(const Look& look) {
  const Insn& insn = *look.x.decoded.insn;
  if (!insn.rep || look.x.decoded.rep) return;
  look.report(group_of(insn.unit) - kXcrypt, Operand::instruction, look.x.s.rip);
}

void look_at_operand_size(const Look& look) {
  if (!look.x.decoded.operand_size) return;
  const Unit unit = look.x.decoded.insn->unit;
  if (unit == Unit::pmm) return;  // PLK-PMM-040: the guide counts on it there
  look.report(group_of(unit), Operand::instruction, look.x.s.rip);
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
              {"PLK-PHE-047", "REPNE (F2) with XSHA384 and XSHA512 is undefined"},
              {"PLK-ZX-056", "REPNE (F2) with CCS_HASH and CCS_ENCRYPT is undefined"},
              {"PLK-PMM-042", "REPNE (F2) with MONTMUL is undefined"}},
    .before_insn = look_at_repne};

const Check check_missing_rep = {
    .name = "missing-rep",
    .remedy = "put F3 (REP) before the opcode, also for one block",
    .rules = {{"PLK-EXC-014", "XCRYPT without the REP prefix is undefined"},
              {"PLK-EXC-015", "XSHA without the REP prefix is undefined"},
              {"PLK-PHE-046", "XSHA384 and XSHA512 without the REP prefix are undefined"},
              {"PLK-ZX-055", "CCS_HASH and CCS_ENCRYPT without the REP prefix are undefined"},
              {"PLK-EXC-015", "MONTMUL without the REP prefix is undefined"}},
    .before_insn = look_at_rep};

const Check check_operand_size_prefix = {
    .name = "operand-size-prefix",
    .remedy = "leave the prefix 66 away: no operand has a size to choose",
    .rules = {{"PLK-RNG-037", "no document says what the operand-size prefix does with XSTORE"},
              {"PLK-ACE-060", "the operand-size prefix with XCRYPT raises #UD"},
              {"PLK-PHE-034", "the operand-size prefix with XSHA raises #UD"},
              {"PLK-PHE-046", "the operand-size prefix with XSHA384 and XSHA512 raises #UD"},
              {"PLK-ZX-055", "the operand-size prefix with CCS_HASH and CCS_ENCRYPT raises #UD"}},
    .before_insn = look_at_operand_size};

}  // namespace incore::padlock
