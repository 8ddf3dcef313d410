// VSMOVE vd,r,n: a scalar copied to the first n words; n = 0 means all words (VeMICry paper,
// appendix A). The words behind them keep their value.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd()) || word.n() > state.config.p) return kReserved;
  std::fill_n(state.v[word.vd()], counted_words(state, word.n()), state.gpr[word.r()]);
  return {};
}

}  // namespace

const Insn vsmove = {.mnemonic = "vsmove",
                     .word = vector_word(0x30),
                     .operands = "vd,r,n",
                     .insn_class = Class::givi,
                     .reads = kR | kLength,
                     .writes = kVd,
                     .traits = kCounted,
                     .meaning = "r to the first n words, the others stay",
                     .execute = execute};

}  // namespace incore::vemicry
