// VEXTRACT r,vj,n: word n-1 to a scalar register; n = 0 means CAR (VeMICry paper, appendix A).
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vj()) || word.n() > state.config.p) return kReserved;
  state.set_gpr(word.r(), word.n() == 0 ? state.car : state.v[word.vj()][word.n() - 1]);
  return {};
}

}  // namespace

const Insn vextract = {.mnemonic = "vextract",
                       .word = vector_word(0x31),
                       .operands = "r,vj,n",
                       .insn_class = Class::givi,
                       .reads = kVj | kCar,
                       .writes = kR,
                       .traits = kIndex,
                       .meaning = "word n - 1; CAR if n = 0",
                       .execute = execute};

}  // namespace incore::vemicry
