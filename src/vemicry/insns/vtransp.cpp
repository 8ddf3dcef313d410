// VTRANSP vd,vj,n: the register as a matrix of bytes, 4 rows and a column for each word, transposed
// (VeMICry paper, appendix A). Row 0 is the most significant byte of each word. A transposed row
// has w = l/4 words; word k of row i goes to (i mod n) + n * (w * (i div n) + k): the rows lie one
// behind the other for n = 1, and for n = 4 each group of four words is transposed on its own.
// n = 0 is a copy.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint32_t n = word.n();
  uint32_t* const out = state.v[word.vd()];
  const Words in(state, word.vj());
  if (n == 0) {
    for (uint32_t i = 0; i < state.l; ++i) out[i] = in[i];
    return {};
  }
  if ((n != 1 && n != 2 && n != 4) || state.l % 4 != 0) return kReserved;
  const uint32_t w = state.l / 4;
  for (uint32_t i = 0; i < 4; ++i) {
    for (uint32_t k = 0; k < w; ++k) {
      uint32_t row = 0;
      for (uint32_t column = 0; column < 4; ++column)
        row = row << 8 | (in[4 * k + column] >> (24 - 8 * i) & 0xFF);
      out[i % n + n * (w * (i / n) + k)] = row;
    }
  }
  return {};
}

// Word k of a row is made from column 4 k to 4 k + 3.
uint32_t highest_source(uint32_t i, uint32_t n, uint32_t l) {
  const uint32_t w = l / 4;
  return n == 0 || w == 0 ? i : 4 * (i / n % w) + 3;
}

}  // namespace

const Insn vtransp = {.mnemonic = "vtransp",
                      .word = vector_word(0x13),
                      .operands = "vd,vj,n",
                      .insn_class = Class::pivi,
                      .reads = kVj | kLength,
                      .writes = kVd,
                      .traits = kCopyIfZero,
                      .meaning = "vd = bytes of vj transposed, with stride n; n = 0 copies",
                      .execute = execute,
                      .highest_source = highest_source};

}  // namespace incore::vemicry
