// The architectural state: that of a MIPS-I core and that of the vector unit (VeMICry paper,
// section 4.2).
//
//   gpr     32 scalar registers of 32 bits; register 0 reads as 0
//   v       q vector registers of p words; word 0 is the least significant one of a number and the
//           one at the lowest address
//   vcr     vector condition register: bit i belongs to word i (for i > 31 to bit i mod 32); the
//           low 9 bits are also the polynomial of VMPMUL
//   car     carry register: word p of a result
//   l       the vector length worked on
#pragma once

#include <cstdint>

#include "vemicry/config.h"

namespace incore::vemicry {

struct State {
  uint32_t gpr[32];
  uint32_t hi, lo;
  uint32_t pc;       // of the instruction that is executed next
  uint32_t next_pc;  // of the one behind it: a branch changes this, so that its delay slot runs

  uint32_t v[kMaxRegisters][kMaxWords];
  uint32_t vcr, car, l;

  Config config;

  // A load whose register is written only after the next instruction (Config::load_delay).
  uint32_t delayed_register;  // 0: none
  uint32_t delayed_value;

  void set_gpr(uint32_t number, uint32_t value) {
    if (number != 0) gpr[number] = value;
  }
  // What a load does.
  void load_gpr(uint32_t number, uint32_t value) {
    if (config.load_delay) {
      delayed_register = number;
      delayed_value = value;
    } else {
      set_gpr(number, value);
    }
  }
  // CAR belongs to the whole register: with l < p it is not written.
  bool writes_car() const { return l == config.p; }
};

}  // namespace incore::vemicry
