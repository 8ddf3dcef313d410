// VWSHR vd,vj,n: the register shifted by n words towards lower ones (VeMICry paper, appendix A).
// CAR is taken as word p of the value and keeps its own; what is beyond it is 0, what is shifted
// out is lost.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint32_t* const in = state.v[word.vj()];
  uint32_t* const out = state.v[word.vd()];
  const uint32_t l = state.l, n = word.n(), kept = l - std::min(n, l);
  std::copy(in + (l - kept), in + l, out);
  std::fill(out + kept, out + l, 0);
  if (n > 0 && n <= l) out[kept] = state.car;
  if (state.config.car_accumulates && n > 0 && state.writes_car()) state.car = 0;
  return {};
}

}  // namespace

const Insn vwshr = {.mnemonic = "vwshr",
                    .word = vector_word(0x15),
                    .operands = "vd,vj,n",
                    .insn_class = Class::pivi,
                    .reads = kVj | kCar | kLength,
                    .writes = kVd,
                    .traits = kShift | kCrosses,
                    .meaning = "n words towards lower ones, with CAR above the top word",
                    .execute = execute};

}  // namespace incore::vemicry
