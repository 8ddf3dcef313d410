// The record that an instruction exports: encoding, text and meaning in one place. Assembler,
// disassembler, simulator, pipeline model, the Verilog's decoder and the tables of the documents
// derive from it (tables/tables.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "vemicry/memory.h"
#include "vemicry/state.h"
#include "vemicry/trap.h"
#include "vemicry/word.h"

namespace incore::vemicry {

// How an instruction passes the vector unit (VeMICry paper, section 4.3).
enum class Class : uint8_t {
  scalar,  // not at all
  givi,    // genuinely independent: no word of the result depends on its neighbours
  pivi,    // partially independent: it does
  mavi,    // needs a memory access for every word
};

// What an instruction reads and writes: bits of Insn::reads and Insn::writes. The first ones are
// registers that fields of the word name.
enum Resource : uint32_t {
  kRs = 1 << 0,
  kRt = 1 << 1,
  kRd = 1 << 2,
  kR = 1 << 3,  // scalar register of a vector instruction
  kVd = 1 << 4,
  kVj = 1 << 5,
  kVk = 1 << 6,
  kRa = 1 << 7,  // register 31
  kHi = 1 << 8,
  kLo = 1 << 9,
  kVcr = 1 << 10,
  kCar = 1 << 11,
  kLength = 1 << 12,
  kMemory = 1 << 13,
};

// What else tools need to know of it.
enum Trait : uint32_t {
  kBranch = 1 << 0,  // has a delay slot
  kCall = 1 << 1,    // and leaves a return address
  kLoad = 1 << 2,    // a scalar register comes from memory
  kStore = 1 << 3,
  kCounted = 1 << 4,     // n is the number of words worked on; 0: all
  kCopyIfZero = 1 << 5,  // with n = 0 it copies, and is of class givi
  kShift = 1 << 6,       // with n = 0 it has nothing to do with CAR
  kProduct = 1 << 7,     // with Config::car_accumulates it adds to CAR
  kIndex = 1 << 8,       // n names one word, counted from 1
  kPads = 1 << 9,        // words beyond n are written, too
  kControl = 1 << 10,    // moves a control register of the vector unit
  kMultiplies = 1 << 11,
  kDivides = 1 << 12,
  kCrosses = 1 << 13,  // words of vj go from lane to lane
};

struct Insn {
  const char* mnemonic;
  uint32_t word;  // without its operands; fields that no operand names are 0
  // Operands as in assembly, separated by commas; operands.h has their fields:
  //   rs rt rd        scalar registers      sa       shift amount
  //   simm uimm       16 bits               branch   a label, 16 bits relative to the delay slot
  //   simm(rs)        an address            target   a label, 26 bits
  //   code            20 bits               $2       this very register
  //   r (r)           scalar register, or the address in it, of a vector instruction
  //   vd vj vk        vector registers      n        count or index, 6 bits
  const char* operands;
  Class insn_class;
  uint32_t reads, writes;  // Resource
  uint32_t traits;         // Trait
  const char* meaning;     // for people, as docs/vemicry/machine.md has it: without a full stop
  // Checks, computes, then writes: after a trap nothing has changed. |state.pc| is already that
  // of the next instruction, and |state.next_pc| that of the one behind it.
  Trap (*execute)(State& state, Memory& memory, Word word);
};

#define X(name) extern const Insn name;
#include "vemicry/insns.def"
#include "vemicry/mips.def"
#undef X

// All instructions: those of the vector unit first.
const Insn* const* insns(size_t* out_num_insns);
// How many of them are of the vector unit.
extern const size_t kNumVectorInsns;

// The bits of a word that tell the instruction: all that no operand fills.
uint32_t fixed_bits(const Insn& insn);

// The instruction of |word|; null if it is reserved.
const Insn* decode(Word word);

}  // namespace incore::vemicry
