// An instruction word and its fields.
//
//            31    26 25  21 20  16 15  11 10   6 5     0
//   MIPS-I   | opcode |  rs  |  rt  |  rd  |  sa  | funct |     imm = bits 15..0, target = 25..0
//
//            31    26 25 24   20 19  16 15  12 11    6 5     0
//   vector   | 010010 | 1 |  R   |  vd  |  vj  |   n   | funct |     vk = the low 4 bits of R
#pragma once

#include <cstdint>

namespace incore::vemicry {

struct Word {
  uint32_t bits;

  constexpr uint32_t field(uint32_t low, uint32_t width) const {
    return bits >> low & ((1u << width) - 1);
  }
  constexpr uint32_t opcode() const { return field(26, 6); }
  constexpr uint32_t rs() const { return field(21, 5); }
  constexpr uint32_t rt() const { return field(16, 5); }
  constexpr uint32_t rd() const { return field(11, 5); }
  constexpr uint32_t sa() const { return field(6, 5); }
  constexpr uint32_t funct() const { return field(0, 6); }
  constexpr uint32_t imm() const { return field(0, 16); }
  constexpr uint32_t signed_imm() const {
    return static_cast<uint32_t>(static_cast<int32_t>(bits << 16) >> 16);
  }
  constexpr uint32_t target() const { return field(0, 26); }

  constexpr uint32_t r() const { return field(20, 5); }
  constexpr uint32_t vk() const { return field(20, 4); }
  constexpr uint32_t vd() const { return field(16, 4); }
  constexpr uint32_t vj() const { return field(12, 4); }
  constexpr uint32_t n() const { return field(6, 6); }
};

// The word of a vector instruction without its operands.
constexpr uint32_t vector_word(uint32_t funct) {
  return 0x4A000000 | funct;
}

}  // namespace incore::vemicry
