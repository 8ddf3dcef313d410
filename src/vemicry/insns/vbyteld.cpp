// VBYTELD vd,(r),n: each byte of the first n words replaced by the byte of a table at r that it
// indexes; n = 0 means all words (VeMICry paper, appendix A). Every lane reads the memory of its
// own.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory& memory, Word word) {
  if (!has_registers(state, word.vd()) || word.n() > state.config.p) return kReserved;
  const uint32_t table = state.gpr[word.r()];
  const uint32_t num_words = counted_words(state, word.n());
  uint32_t out[kMaxWords];
  for (uint32_t i = 0; i < num_words; ++i) {
    const uint32_t x = state.v[word.vd()][i];
    out[i] = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
      uint8_t byte = 0;
      if (const Trap trap = memory.load<uint8_t>(table + (x >> shift & 0xFF), &byte)) return trap;
      out[i] = out[i] << 8 | byte;
    }
  }
  std::copy_n(out, num_words, state.v[word.vd()]);
  return {};
}

}  // namespace

const Insn vbyteld = {.mnemonic = "vbyteld",
                      .word = vector_word(0x22),
                      .operands = "vd,(r),n",
                      .insn_class = Class::mavi,
                      .reads = kVd | kR | kMemory | kLength,
                      .writes = kVd,
                      .traits = kCounted,
                      .meaning = "each byte b of vd[i] = byte at r + b, for i < n; n = 0: all",
                      .execute = execute};

}  // namespace incore::vemicry
