// VXOR vd,vj,vk: words that correspond, XORed (VeMICry paper, appendix A).
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj(), word.vk())) return kReserved;
  for (uint32_t i = 0; i < state.l; ++i)
    state.v[word.vd()][i] = state.v[word.vj()][i] ^ state.v[word.vk()][i];
  return {};
}

}  // namespace

const Insn vxor = {.mnemonic = "vxor",
                   .word = vector_word(0x00),
                   .operands = "vd,vj,vk",
                   .insn_class = Class::givi,
                   .reads = kVj | kVk | kLength,
                   .writes = kVd,
                   .traits = 0,
                   .meaning = "words of vj and vk, XORed",
                   .execute = execute};

}  // namespace incore::vemicry
