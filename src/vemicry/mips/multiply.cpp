// MIPS-I: products, quotients, HI and LO. A division by zero leaves, as real cores do, the dividend
// in HI and ones, or for a negative signed dividend 1, in LO; the architecture leaves it open.
#include "vemicry/mips/scalar.h"

namespace incore::vemicry {
namespace {

constexpr uint32_t kSources = kRs | kRt, kHiLo = kHi | kLo;

Trap write_product(State& s, uint64_t product) {
  s.hi = static_cast<uint32_t>(product >> 32);
  s.lo = static_cast<uint32_t>(product);
  return {};
}

}  // namespace

const Insn mult = scalar(
    "mult", 0x18, "rs,rt", kSources, kHiLo, "HI:LO = rs * rt, signed",
    [](State& s, Memory&, Word w) {
      return write_product(
          s, static_cast<uint64_t>(int64_t{as_signed(s.gpr[w.rs()])} * as_signed(s.gpr[w.rt()])));
    },
    kMultiplies);
const Insn multu = scalar(
    "multu", 0x19, "rs,rt", kSources, kHiLo, "HI:LO = rs * rt, unsigned",
    [](State& s, Memory&, Word w) {
      return write_product(s, uint64_t{s.gpr[w.rs()]} * s.gpr[w.rt()]);
    },
    kMultiplies);
const Insn div = scalar(
    "div", 0x1A, "rs,rt", kSources, kHiLo, "LO = rs / rt, HI = rs % rt, signed",
    [](State& s, Memory&, Word w) -> Trap {
      const int64_t a = as_signed(s.gpr[w.rs()]), b = as_signed(s.gpr[w.rt()]);
      s.lo = b == 0 ? (a < 0 ? 1 : ~0u) : static_cast<uint32_t>(a / b);
      s.hi = static_cast<uint32_t>(b == 0 ? a : a % b);
      return {};
    },
    kDivides);
const Insn divu = scalar(
    "divu", 0x1B, "rs,rt", kSources, kHiLo, "LO = rs / rt, HI = rs % rt, unsigned",
    [](State& s, Memory&, Word w) -> Trap {
      const uint32_t a = s.gpr[w.rs()], b = s.gpr[w.rt()];
      s.lo = b == 0 ? ~0u : a / b;
      s.hi = b == 0 ? a : a % b;
      return {};
    },
    kDivides);

#define INCORE_MOVE(name, funct, operand, reads, writes, meaning, statement) \
  const Insn name = scalar(#name, funct, operand, reads, writes, meaning,    \
                           [](State& s, Memory&, Word w) -> Trap {           \
                             statement;                                      \
                             return {};                                      \
                           });
INCORE_MOVE(mfhi, 0x10, "rd", kHi, kRd, "rd = HI", s.set_gpr(w.rd(), s.hi))
INCORE_MOVE(mthi, 0x11, "rs", kRs, kHi, "HI = rs", s.hi = s.gpr[w.rs()])
INCORE_MOVE(mflo, 0x12, "rd", kLo, kRd, "rd = LO", s.set_gpr(w.rd(), s.lo))
INCORE_MOVE(mtlo, 0x13, "rs", kRs, kLo, "LO = rs", s.lo = s.gpr[w.rs()])
#undef INCORE_MOVE

}  // namespace incore::vemicry
