// MIPS-I: system calls, breakpoints, and the control registers of coprocessor 2, the vector unit:
// 0 VCR (mtvcr, mfvcr), 1 CAR, 2 vector length, 3 p, 4 q, 5 r.
#include "vemicry/mips/scalar.h"

namespace incore::vemicry {

const Insn syscall = scalar("syscall", 0x0C, "code", 0, 0, "system call",
                            [](State&, Memory&, Word) -> Trap { return {Exception::syscall}; });
const Insn break_ = scalar("break", 0x0D, "code", 0, 0, "breakpoint",
                           [](State&, Memory&, Word) -> Trap { return {Exception::breakpoint}; });

namespace {

// They pass the vector unit, as MTVCR and MFVCR do.
constexpr Insn control(Insn insn) {
  insn.insn_class = Class::givi;
  insn.traits = kControl;
  return insn;
}

}  // namespace

#define INCORE_CONTROL(name, number, operands, more_reads, meaning, value)                       \
  const Insn name = control(scalar("cfc2", 0x48400000 | number << 11, operands, more_reads, kRt, \
                                   meaning, [](State& s, Memory&, Word w) -> Trap {              \
                                     s.set_gpr(w.rt(), value);                                   \
                                     return {};                                                  \
                                   }));
INCORE_CONTROL(cfc2_car, 1, "rt,$1", kCar, "rt = CAR", s.car)
INCORE_CONTROL(cfc2_length, 2, "rt,$2", kLength, "rt = vector length", s.l)
INCORE_CONTROL(cfc2_p, 3, "rt,$3", 0, "rt = words in a vector register", s.config.p)
INCORE_CONTROL(cfc2_q, 4, "rt,$4", 0, "rt = number of vector registers", s.config.q)
INCORE_CONTROL(cfc2_r, 5, "rt,$5", 0, "rt = lanes", s.config.r)
#undef INCORE_CONTROL

// The paper does not say what a length out of range does: here it becomes p.
const Insn ctc2_length =
    control(scalar("ctc2", 0x48C00000 | 2 << 11, "rt,$2", kRt, kLength, "vector length = rt",
                   [](State& s, Memory&, Word w) -> Trap {
                     const uint32_t length = s.gpr[w.rt()];
                     s.l = length == 0 || length > s.config.p ? s.config.p : length;
                     return {};
                   }));

}  // namespace incore::vemicry
