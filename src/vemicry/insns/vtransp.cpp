// VTRANSP vd,vj,n: the register as a matrix of bytes, 4 rows and a column for each word, transposed
// (VeMICry paper, appendix A). Row 0 is the most significant byte of each word. A transposed row
// has w = l/4 words; word k of row i goes to (i mod n) + n * (w * (i div n) + k): the rows lie one
// behind the other for n = 1, and for n = 4 each group of four words is transposed on its own.
// n = 0 is a copy.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

// Rows of a group of four words; row 0 is made of the most significant bytes.
struct Rows {
  uint32_t rows[4];
};
Rows transpose(const uint32_t* in) {
  // Blocks of 2 x 2 bytes, then the bytes in them.
  const uint32_t a = (in[0] & 0xFFFF0000) | in[2] >> 16, b = (in[1] & 0xFFFF0000) | in[3] >> 16;
  const uint32_t c = in[0] << 16 | (in[2] & 0xFFFF), d = in[1] << 16 | (in[3] & 0xFFFF);
  constexpr uint32_t kEven = 0xFF00FF00, kOdd = 0x00FF00FF;
  return {{(a & kEven) | (b >> 8 & kOdd), (a << 8 & kEven) | (b & kOdd),
           (c & kEven) | (d >> 8 & kOdd), (c << 8 & kEven) | (d & kOdd)}};
}

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint32_t n = word.n();
  uint32_t* const out = state.v[word.vd()];
  if (n == 0) {
    std::copy_n(state.v[word.vj()], state.l, out);
    return {};
  }
  if ((n != 1 && n != 2 && n != 4) || state.l % 4 != 0) return kReserved;
  const uint32_t w = state.l / 4, log_n = n / 2;  // no division below
  const Words in(state, word.vj());
  for (uint32_t k = 0; k < w; ++k) {
    const Rows group = transpose(&in[4 * k]);
    for (uint32_t i = 0; i < 4; ++i)
      out[(i & (n - 1)) + n * (w * (i >> log_n) + k)] = group.rows[i];
  }
  return {};
}

}  // namespace

const Insn vtransp = {.mnemonic = "vtransp",
                      .word = vector_word(0x13),
                      .operands = "vd,vj,n",
                      .insn_class = Class::pivi,
                      .reads = kVj | kLength,
                      .writes = kVd,
                      .traits = kCopyIfZero | kCrosses,
                      .meaning =
                          "bytes transposed as 4 rows of p: n = 4 each group of four words by "
                          "itself, n = 1 and 2 with rows in one or two runs; n = 0 copies",
                      .execute = execute};

}  // namespace incore::vemicry
