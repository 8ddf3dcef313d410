// VADDU vd,vj,vk: the sum of two numbers of p words (VeMICry paper, appendix A). The carry out of
// the top word is added to CAR, modulo 2^32.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj(), word.vk())) return kReserved;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < state.l; ++i) {
    sum = (sum >> 32) + state.v[word.vj()][i] + state.v[word.vk()][i];
    state.v[word.vd()][i] = static_cast<uint32_t>(sum);
  }
  if (state.writes_car()) state.car += static_cast<uint32_t>(sum >> 32);
  return {};
}

}  // namespace

const Insn vaddu = {.mnemonic = "vaddu",
                    .word = vector_word(0x10),
                    .operands = "vd,vj,vk",
                    .insn_class = Class::pivi,
                    .reads = kVj | kVk | kCar | kLength,
                    .writes = kVd | kCar,
                    .traits = 0,
                    .meaning = "the sum as numbers of W bits; its carry is added to CAR",
                    .execute = execute};

}  // namespace incore::vemicry
