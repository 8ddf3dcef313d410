// VWSHL vd,vj,n: the register shifted by n words towards higher ones, with zeros at the low end
// (VeMICry paper, appendix A). CAR gets word p of the shifted value; with n = 0 it keeps its own.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint32_t* const in = state.v[word.vj()];
  uint32_t* const out = state.v[word.vd()];
  const uint32_t l = state.l, n = word.n(), kept = l - std::min(n, l);
  if (n > 0 && state.writes_car()) state.car = n > l ? 0 : in[l - n];
  std::copy_backward(in, in + kept, out + l);  // a move: they may be the same register
  std::fill(out, out + (l - kept), 0);
  return {};
}

}  // namespace

const Insn vwshl = {
    .mnemonic = "vwshl",
    .word = vector_word(0x14),
    .operands = "vd,vj,n",
    .insn_class = Class::pivi,
    .reads = kVj | kLength,
    .writes = kVd | kCar,
    .traits = kShift | kCrosses,
    .meaning = "n words towards higher ones, zeros below; word p goes to CAR if n > 0",
    .execute = execute};

}  // namespace incore::vemicry
