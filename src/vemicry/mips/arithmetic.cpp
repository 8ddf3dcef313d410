// MIPS-I: sums, logic and comparisons, of registers and of a register with 16 bits.
#include "vemicry/mips/scalar.h"

namespace incore::vemicry {
namespace {

constexpr uint32_t kSources = kRs | kRt;

// Writes |sum|, unless the signed addition a + b overflowed.
Trap write_sum(State& s, uint32_t number, uint32_t a, uint32_t b) {
  const uint32_t sum = a + b;
  if (((a ^ sum) & (b ^ sum)) >> 31 != 0) return {Exception::overflow};
  s.set_gpr(number, sum);
  return {};
}

}  // namespace

const Insn add = scalar(
    "add", 0x20, "rd,rs,rt", kSources, kRd, "rd = rs + rt, trap on overflow",
    [](State& s, Memory&, Word w) { return write_sum(s, w.rd(), s.gpr[w.rs()], s.gpr[w.rt()]); });
const Insn sub = scalar("sub", 0x22, "rd,rs,rt", kSources, kRd, "rd = rs - rt, trap on overflow",
                        [](State& s, Memory&, Word w) -> Trap {
                          const uint32_t a = s.gpr[w.rs()], b = s.gpr[w.rt()], difference = a - b;
                          if (((a ^ b) & (a ^ difference)) >> 31 != 0) return {Exception::overflow};
                          s.set_gpr(w.rd(), difference);
                          return {};
                        });
const Insn addi = scalar(
    "addi", opcode(0x08), "rt,rs,simm", kRs, kRt, "rt = rs + simm, trap on overflow",
    [](State& s, Memory&, Word w) { return write_sum(s, w.rt(), s.gpr[w.rs()], w.signed_imm()); });

#define INCORE_REGISTERS(name, mnemonic, funct, meaning, expression)                \
  const Insn name = scalar(mnemonic, funct, "rd,rs,rt", kSources, kRd, meaning,     \
                           [](State& s, Memory&, Word w) -> Trap {                  \
                             const uint32_t rs = s.gpr[w.rs()], rt = s.gpr[w.rt()]; \
                             s.set_gpr(w.rd(), expression);                         \
                             return {};                                             \
                           });
INCORE_REGISTERS(addu, "addu", 0x21, "rd = rs + rt", rs + rt)
INCORE_REGISTERS(subu, "subu", 0x23, "rd = rs - rt", rs - rt)
INCORE_REGISTERS(and_, "and", 0x24, "rd = rs & rt", rs& rt)
INCORE_REGISTERS(or_, "or", 0x25, "rd = rs | rt", rs | rt)
INCORE_REGISTERS(xor_, "xor", 0x26, "rd = rs ^ rt", rs ^ rt)
INCORE_REGISTERS(nor, "nor", 0x27, "rd = ~(rs | rt)", ~(rs | rt))
INCORE_REGISTERS(slt, "slt", 0x2A, "rd = rs < rt, signed", as_signed(rs) < as_signed(rt))
INCORE_REGISTERS(sltu, "sltu", 0x2B, "rd = rs < rt, unsigned", rs < rt)
#undef INCORE_REGISTERS

#define INCORE_IMMEDIATE(name, number, operand, meaning, expression)                   \
  const Insn name = scalar(#name, opcode(number), "rt,rs," operand, kRs, kRt, meaning, \
                           [](State& s, Memory&, Word w) -> Trap {                     \
                             const uint32_t rs = s.gpr[w.rs()];                        \
                             [[maybe_unused]] const uint32_t simm = w.signed_imm(),    \
                                                             uimm = w.imm();           \
                             s.set_gpr(w.rt(), expression);                            \
                             return {};                                                \
                           });
INCORE_IMMEDIATE(addiu, 0x09, "simm", "rt = rs + simm", rs + simm)
INCORE_IMMEDIATE(slti, 0x0A, "simm", "rt = rs < simm, signed", as_signed(rs) < as_signed(simm))
INCORE_IMMEDIATE(sltiu, 0x0B, "simm", "rt = rs < simm, unsigned", rs < simm)
INCORE_IMMEDIATE(andi, 0x0C, "uimm", "rt = rs & uimm", rs& uimm)
INCORE_IMMEDIATE(ori, 0x0D, "uimm", "rt = rs | uimm", rs | uimm)
INCORE_IMMEDIATE(xori, 0x0E, "uimm", "rt = rs ^ uimm", rs ^ uimm)
#undef INCORE_IMMEDIATE

const Insn lui = scalar("lui", opcode(0x0F), "rt,uimm", 0, kRt, "rt = uimm << 16",
                        [](State& s, Memory&, Word w) -> Trap {
                          s.set_gpr(w.rt(), w.imm() << 16);
                          return {};
                        });

}  // namespace incore::vemicry
