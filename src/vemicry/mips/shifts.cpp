// MIPS-I: shifts by a number in the instruction, and by a register.
#include "vemicry/mips/scalar.h"

namespace incore::vemicry {

#define INCORE_SHIFT(name, funct, operands, reads, meaning, expression)                           \
  const Insn name =                                                                               \
      scalar(#name, funct, operands, reads, kRd, meaning, [](State& s, Memory&, Word w) -> Trap { \
        const uint32_t rt = s.gpr[w.rt()];                                                        \
        [[maybe_unused]] const uint32_t sa = w.sa();                                              \
        [[maybe_unused]] const uint32_t rs = s.gpr[w.rs()] & 31;                                  \
        s.set_gpr(w.rd(), static_cast<uint32_t>(expression));                                     \
        return {};                                                                                \
      });
INCORE_SHIFT(sll, 0x00, "rd,rt,sa", kRt, "rd = rt << sa", rt << sa)
INCORE_SHIFT(srl, 0x02, "rd,rt,sa", kRt, "rd = rt >> sa, unsigned", rt >> sa)
INCORE_SHIFT(sra, 0x03, "rd,rt,sa", kRt, "rd = rt >> sa, signed", as_signed(rt) >> sa)
INCORE_SHIFT(sllv, 0x04, "rd,rt,rs", kRt | kRs, "rd = rt << (rs & 31)", rt << rs)
INCORE_SHIFT(srlv, 0x06, "rd,rt,rs", kRt | kRs, "rd = rt >> (rs & 31), unsigned", rt >> rs)
INCORE_SHIFT(srav, 0x07, "rd,rt,rs", kRt | kRs, "rd = rt >> (rs & 31), signed", as_signed(rt) >> rs)
#undef INCORE_SHIFT

}  // namespace incore::vemicry
