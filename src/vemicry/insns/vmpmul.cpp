// VMPMUL vd,vj: every byte multiplied by x modulo the polynomial in the 9 low bits of VCR (VeMICry
// paper, appendix A). The outgoing bit is the polynomial's bit 8, so that only its low byte counts.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  const uint32_t polynomial = state.vcr & 0xFF;
  for (uint32_t i = 0; i < state.l; ++i) {
    const uint32_t x = state.v[word.vj()][i];
    const uint32_t outgoing = x >> 7 & 0x01010101;
    state.v[word.vd()][i] = (x << 1 & 0xFEFEFEFE) ^ outgoing * polynomial;
  }
  return {};
}

}  // namespace

const Insn vmpmul = {.mnemonic = "vmpmul",
                     .word = vector_word(0x02),
                     .operands = "vd,vj",
                     .insn_class = Class::givi,
                     .reads = kVj | kVcr | kLength,
                     .writes = kVd,
                     .traits = 0,
                     .meaning = "every byte times x modulo the polynomial in VCR",
                     .execute = execute};

}  // namespace incore::vemicry
