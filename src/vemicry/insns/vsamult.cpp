// VSAMULT vd,vj,r: a number of p words times a word (VeMICry paper, appendix A). Word p of the
// product goes to CAR.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint64_t factor = state.gpr[word.r()];
  uint64_t product = 0;
  for (uint32_t i = 0; i < state.l; ++i) {
    product = (product >> 32) + state.v[word.vj()][i] * factor;
    state.v[word.vd()][i] = static_cast<uint32_t>(product);
  }
  const uint32_t high = static_cast<uint32_t>(product >> 32);
  if (state.writes_car()) state.car = state.config.car_accumulates ? state.car + high : high;
  return {};
}

}  // namespace

const Insn vsamult = {.mnemonic = "vsamult",
                      .word = vector_word(0x12),
                      .operands = "vd,vj,r",
                      .insn_class = Class::pivi,
                      .reads = kVj | kR | kLength,
                      .writes = kVd | kCar,
                      .traits = kProduct,
                      .meaning = "the product as numbers; word p goes to CAR",
                      .execute = execute};

}  // namespace incore::vemicry
