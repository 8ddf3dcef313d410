// How records of the scalar core are written.
#pragma once

#include "vemicry/insn.h"

namespace incore::vemicry {

constexpr Insn scalar(const char* mnemonic, uint32_t word, const char* operands, uint32_t reads,
                      uint32_t writes, const char* meaning,
                      Trap (*execute)(State& state, Memory& memory, Word word),
                      uint32_t traits = 0) {
  return {mnemonic, word, operands, Class::scalar, reads, writes, traits, meaning, execute};
}

constexpr uint32_t opcode(uint32_t number) {
  return number << 26;
}

inline int32_t as_signed(uint32_t x) {
  return static_cast<int32_t>(x);
}

}  // namespace incore::vemicry
