// VBCROTR vd,vj,n: words whose condition bit is set, rotated right by n bits; the others copied
// (VeMICry paper, appendix A). n counts modulo 32. The paper says nothing of registers of more than
// 32 words: there the 32 conditions repeat.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  for (uint32_t i = 0; i < state.l; ++i) {
    const uint32_t condition = state.vcr >> (i % 32) & 1;
    state.v[word.vd()][i] = rotate_right(state.v[word.vj()][i], condition * word.n());
  }
  return {};
}

}  // namespace

const Insn vbcrotr = {
    .mnemonic = "vbcrotr",
    .word = vector_word(0x01),
    .operands = "vd,vj,n",
    .insn_class = Class::givi,
    .reads = kVj | kVcr | kLength,
    .writes = kVd,
    .traits = 0,
    .meaning = "words whose condition in VCR is set rotated right by n bits, the others copied",
    .execute = execute};

}  // namespace incore::vemicry
