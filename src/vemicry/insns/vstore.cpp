// VSTORE (r),vj,n: the first n words to memory; n = 0 means all words (VeMICry paper, appendix A;
// the order of the operands is the appendix's).
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory& memory, Word word) {
  if (!has_registers(state, word.vj()) || word.n() > state.config.p) return kReserved;
  return memory.store_words(state.gpr[word.r()], counted_words(state, word.n()),
                            state.v[word.vj()]);
}

}  // namespace

const Insn vstore = {.mnemonic = "vstore",
                     .word = vector_word(0x21),
                     .operands = "(r),vj,n",
                     .insn_class = Class::mavi,
                     .reads = kR | kVj | kLength,
                     .writes = kMemory,
                     .traits = kCounted,
                     .meaning = "n words to memory",
                     .execute = execute};

}  // namespace incore::vemicry
