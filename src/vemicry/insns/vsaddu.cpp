// VSADDU vd,vj,r: a scalar added to every word on its own (VeMICry paper, appendix A). The carry of
// word i becomes bit i of CAR, and its other bits 0; carries of words beyond 31 are lost.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint32_t addend = state.gpr[word.r()];
  uint32_t carries = 0;
  for (uint32_t i = 0; i < state.l; ++i) {
    const uint32_t sum = state.v[word.vj()][i] + addend;
    if (i < 32) carries |= static_cast<uint32_t>(sum < addend) << i;
    state.v[word.vd()][i] = sum;
  }
  if (state.writes_car()) state.car = carries;
  return {};
}

}  // namespace

const Insn vsaddu = {.mnemonic = "vsaddu",
                     .word = vector_word(0x03),
                     .operands = "vd,vj,r",
                     .insn_class = Class::givi,
                     .reads = kVj | kR | kLength,
                     .writes = kVd | kCar,
                     .traits = 0,
                     .meaning = "r added to each word; the carry of word i becomes bit i of CAR",
                     .execute = execute};

}  // namespace incore::vemicry
