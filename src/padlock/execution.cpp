// The checks and operand rules that PadLock instructions share.
#include "padlock/execution.h"

namespace incore::padlock {
namespace {

constexpr uint64_t kLinearMask32 = 0xFFFFFFFF;

// Of the segment that most programs have: base 0, and everything allowed. Its last byte is left to
// the full check.
Offset length_of_flat(const State& s) {
  if (s.code_size == CodeSize::bits64) return static_cast<Offset>(uint64_t{1} << 47);
  if (s.es.base != 0 || s.es.first != 0 || !s.es.writable) return 0;
  return static_cast<Offset>(s.es.limit < kLinearMask32 ? s.es.limit : kLinearMask32);
}

bool canonical(uint64_t address) {  // 48-bit linear addresses
  const int64_t top = static_cast<int64_t>(address) >> 47;
  return top == 0 || top == -1;
}

}  // namespace

Execution::Execution(Processor& processor, const Decoded& instruction, Memory& memory_seen,
                     Interrupts* interrupts_asked)
    : cpu(processor),
      s(processor.state),
      decoded(instruction),
      memory(memory_seen),
      interrupts(interrupts_asked),
      address_bits(effective_address_bits(processor.state.code_size, instruction.address_size)),
      address_mask(static_cast<Offset>(address_mask_of(address_bits))),
      flat_len(length_of_flat(processor.state)) {}

namespace {

Trap absent(Unit unit) {
  switch (unit) {
    case Unit::rng:
      return Trap::ud("this processor has no RNG");
    case Unit::ace:
      return Trap::ud("this processor has no ACE");
    case Unit::ace_ctr:
      return Trap::ud("the ACE of this processor has no CTR mode");
    case Unit::phe:
      return Trap::ud("this processor has no PHE");
    case Unit::phe2:
      return Trap::ud("this processor has no PHE2 (SHA-384, SHA-512)");
    case Unit::pmm:
      return Trap::ud("this processor has no PMM");
    case Unit::ccs:
      return Trap::ud("this processor has no CCS (SM3, SM4)");
  }
  return Trap::ud("this processor lacks the unit");
}

}  // namespace

Trap Execution::require_usable(bool operand_size_allowed) const {
  if ((s.cr4 & kCr4Osfxsr) == 0)
    return Trap::ud("CR4.OSFXSR is 0, which switches all PadLock units off");
  const Unit unit = decoded.insn->unit;
  if (!cpu.unit_enabled(unit))
    return cpu.unit_exists(unit) ? Trap::ud("the unit is disabled by its MSR bit") : absent(unit);
  if (decoded.lock) return Trap::ud("the LOCK prefix is not allowed");
  if (decoded.insn->rep && !decoded.rep) return Trap::ud("the REP prefix is missing");
  if (decoded.operand_size && !operand_size_allowed)
    return Trap::ud("the operand-size prefix is not allowed");
  if ((s.cr0 & kCr0Em) != 0) return Trap::ud("CR0.EM is set");
  if ((s.cr0 & kCr0Ts) != 0) return Trap::nm("CR0.TS is set");
  return {};
}

Trap Execution::checked(uint64_t offset, uint64_t len, Access access, uint64_t* out_address) const {
  const uint64_t last = offset + (len - 1);
  if (s.code_size == CodeSize::bits64) {
    *out_address = offset;
    if (last < offset || !canonical(offset) || !canonical(last))
      return Trap::gp("an operand's address is not canonical");
    return {};
  }
  const uint64_t limit = s.es.limit < kLinearMask32 ? s.es.limit : kLinearMask32;
  *out_address = (s.es.base + offset) & kLinearMask32;
  if (last < offset || last > limit) return Trap::gp("an operand lies beyond the limit of ES");
  if (static_cast<uint32_t>(offset) < s.es.first || (access == Access::write && !s.es.writable))
    return Trap::gp("ES does not allow the access");
  return {};
}

}  // namespace incore::padlock
