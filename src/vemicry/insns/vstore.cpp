// VSTORE (r),vj,n: the first n words to memory; n = 0 means all words (VeMICry paper, appendix A;
// the order of the operands is the appendix's).
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory& memory, Word word) {
  if (!has_registers(state, word.vj()) || word.n() > state.config.p) return kReserved;
  const uint32_t address = state.gpr[word.r()];
  const uint32_t num_words = counted_words(state, word.n());
  for (uint32_t i = 0; i < num_words; ++i)  // what is mapped for reading is for writing too
    if (Trap trap = memory.probe(address + 4 * i)) {
      if (trap.exception == Exception::address_error_load)
        trap.exception = Exception::address_error_store;
      return trap;
    }
  for (uint32_t i = 0; i < num_words; ++i)
    (void)memory.store<uint32_t>(address + 4 * i, state.v[word.vj()][i]);
  return {};
}

}  // namespace

const Insn vstore = {.mnemonic = "vstore",
                     .word = vector_word(0x21),
                     .operands = "(r),vj,n",
                     .insn_class = Class::mavi,
                     .reads = kR | kVj | kLength,
                     .writes = kMemory,
                     .traits = kCounted,
                     .meaning = "word at r + 4 i = vj[i] for i < n; n = 0: all",
                     .execute = execute};

}  // namespace incore::vemicry
