// VSPMULT vd,vj,r: a polynomial of p words over GF(2) times one of a word (VeMICry paper, appendix
// A). Word p of the product goes to CAR.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

// The carry-less product. Integer products of operands with gaps of three zero bits between their
// bits: at most 8 ones meet in a position, and they cannot reach the next one that counts.
uint64_t carryless_product(uint32_t a, uint32_t b) {
  constexpr uint64_t kEveryFourth = 0x1111111111111111;
  uint64_t x[4], y[4];
  for (uint32_t k = 0; k < 4; ++k) {
    x[k] = a & kEveryFourth << k;
    y[k] = b & kEveryFourth << k;
  }
  uint64_t product = 0;
  for (uint32_t k = 0; k < 4; ++k) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 4; ++i) sum ^= x[i] * y[(k - i) & 3];
    product |= sum & kEveryFourth << k;
  }
  return product;
}

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint32_t factor = state.gpr[word.r()];
  uint32_t high = 0;
  for (uint32_t i = 0; i < state.l; ++i) {
    const uint64_t product = carryless_product(state.v[word.vj()][i], factor);
    state.v[word.vd()][i] = static_cast<uint32_t>(product) ^ high;
    high = static_cast<uint32_t>(product >> 32);
  }
  if (state.writes_car()) state.car = state.config.car_accumulates ? state.car ^ high : high;
  return {};
}

}  // namespace

const Insn vspmult = {.mnemonic = "vspmult",
                      .word = vector_word(0x11),
                      .operands = "vd,vj,r",
                      .insn_class = Class::pivi,
                      .reads = kVj | kR | kLength,
                      .writes = kVd | kCar,
                      .traits = 0,
                      .meaning = "CAR:vd = vj times r as polynomials over GF(2)",
                      .execute = execute};

}  // namespace incore::vemicry
