// MIPS-I: jumps and branches. The instruction behind one, its delay slot, is executed in any case.
#include "vemicry/mips/scalar.h"

namespace incore::vemicry {
namespace {

// |state.pc| is already the delay slot's.
Trap branch(State& s, bool taken, Word w) {
  if (taken) s.next_pc = s.pc + (w.signed_imm() << 2);
  return {};
}
uint32_t jump_target(const State& s, Word w) {
  return (s.pc & 0xF0000000) | w.target() << 2;
}

}  // namespace

const Insn j = scalar(
    "j", opcode(0x02), "target", 0, 0, "go to target",
    [](State& s, Memory&, Word w) -> Trap {
      s.next_pc = jump_target(s, w);
      return {};
    },
    kBranch);
const Insn jal = scalar(
    "jal", opcode(0x03), "target", 0, kRa, "ra = address behind the delay slot; go to target",
    [](State& s, Memory&, Word w) -> Trap {
      s.gpr[31] = s.next_pc;
      s.next_pc = jump_target(s, w);
      return {};
    },
    kBranch | kCall);
const Insn jr = scalar(
    "jr", 0x08, "rs", kRs, 0, "go to the address in rs",
    [](State& s, Memory&, Word w) -> Trap {
      s.next_pc = s.gpr[w.rs()];
      return {};
    },
    kBranch);
const Insn jalr = scalar(
    "jalr", 0x09, "rd,rs", kRs, kRd, "rd = address behind the delay slot; go to the address in rs",
    [](State& s, Memory&, Word w) -> Trap {
      const uint32_t target = s.gpr[w.rs()];
      s.set_gpr(w.rd(), s.next_pc);
      s.next_pc = target;
      return {};
    },
    kBranch | kCall);

#define INCORE_COMPARE(name, word, operands, reads, meaning, condition) \
  const Insn name = scalar(                                             \
      #name, word, operands, reads, 0, meaning,                         \
      [](State& s, Memory&, Word w) {                                   \
        const uint32_t rs = s.gpr[w.rs()];                              \
        [[maybe_unused]] const uint32_t rt = s.gpr[w.rt()];             \
        return branch(s, condition, w);                                 \
      },                                                                \
      kBranch);
INCORE_COMPARE(beq, opcode(0x04), "rs,rt,branch", kRs | kRt, "branch if rs = rt", rs == rt)
INCORE_COMPARE(bne, opcode(0x05), "rs,rt,branch", kRs | kRt, "branch if rs != rt", rs != rt)
INCORE_COMPARE(blez, opcode(0x06), "rs,branch", kRs, "branch if rs <= 0", as_signed(rs) <= 0)
INCORE_COMPARE(bgtz, opcode(0x07), "rs,branch", kRs, "branch if rs > 0", as_signed(rs) > 0)
INCORE_COMPARE(bltz, opcode(0x01) | 0x00 << 16, "rs,branch", kRs, "branch if rs < 0",
               as_signed(rs) < 0)
INCORE_COMPARE(bgez, opcode(0x01) | 0x01 << 16, "rs,branch", kRs, "branch if rs >= 0",
               as_signed(rs) >= 0)
#undef INCORE_COMPARE

// These leave the return address even if they do not branch.
#define INCORE_COMPARE_AND_LINK(name, rt_field, meaning, condition)         \
  const Insn name = scalar(                                                 \
      #name, opcode(0x01) | rt_field << 16, "rs,branch", kRs, kRa, meaning, \
      [](State& s, Memory&, Word w) {                                       \
        const uint32_t rs = s.gpr[w.rs()];                                  \
        s.gpr[31] = s.next_pc;                                              \
        return branch(s, condition, w);                                     \
      },                                                                    \
      kBranch | kCall);
INCORE_COMPARE_AND_LINK(bltzal, 0x10, "ra = address behind the delay slot; branch if rs < 0",
                        as_signed(rs) < 0)
INCORE_COMPARE_AND_LINK(bgezal, 0x11, "ra = address behind the delay slot; branch if rs >= 0",
                        as_signed(rs) >= 0)
#undef INCORE_COMPARE_AND_LINK

}  // namespace incore::vemicry
