// VLOAD vd,(r),n: n words from memory, zeros behind them; n = 0 means all words (VeMICry paper,
// appendix A).
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory& memory, Word word) {
  if (!has_registers(state, word.vd()) || word.n() > state.config.p) return kReserved;
  const uint32_t address = state.gpr[word.r()];
  const uint32_t num_words = counted_words(state, word.n());
  uint32_t loaded[kMaxWords];
  if (const Trap trap = memory.load_words(address, num_words, loaded)) return trap;
  uint32_t* const v = state.v[word.vd()];
  std::fill(std::copy_n(loaded, num_words, v), v + state.l, 0);
  return {};
}

}  // namespace

const Insn vload = {.mnemonic = "vload",
                    .word = vector_word(0x20),
                    .operands = "vd,(r),n",
                    .insn_class = Class::mavi,
                    .reads = kR | kMemory | kLength,
                    .writes = kVd,
                    .traits = kCounted | kPads,
                    .meaning = "n words from memory, zeros behind them",
                    .execute = execute};

}  // namespace incore::vemicry
