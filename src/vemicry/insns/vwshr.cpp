// VWSHR vd,vj,n: the register shifted by n words towards lower ones (VeMICry paper, appendix A).
// CAR is taken as word p of the value and keeps its own; what is beyond it is 0, what is shifted
// out is lost.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint32_t n = word.n(), l = state.l;
  const Words in(state, word.vj());
  for (uint32_t i = 0; i < l; ++i)
    state.v[word.vd()][i] = i + n < l ? in[i + n] : i + n == l ? state.car : 0;
  if (state.config.car_accumulates && n > 0 && state.writes_car()) state.car = 0;
  return {};
}

uint32_t highest_source(uint32_t i, uint32_t n, uint32_t) {
  return i + n;
}

}  // namespace

const Insn vwshr = {.mnemonic = "vwshr",
                    .word = vector_word(0x15),
                    .operands = "vd,vj,n",
                    .insn_class = Class::pivi,
                    .reads = kVj | kCar | kLength,
                    .writes = kVd,
                    .traits = 0,
                    .meaning = "vd = CAR:vj shifted right by n words",
                    .execute = execute,
                    .highest_source = highest_source};

}  // namespace incore::vemicry
