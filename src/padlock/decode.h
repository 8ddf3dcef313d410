// Finds the PadLock instruction in a run of bytes, by PadLock's own prefix rules (PadLock
// guide 1.66, sections on each instruction; clauses PLK-EXC-014 to -017, PLK-ACE-059 to -061).
#pragma once

#include <cstddef>
#include <cstdint>

#include "padlock/state.h"

namespace incore::padlock {

struct Insn;

inline constexpr size_t kMaxInsnLen = 15;  // of x86; a longer instruction raises #GP

// Small, for front-ends that keep it with each place of an instruction.
struct Encoding {
  uint8_t index;          // of the instruction in insns()
  uint8_t length;         // bytes, prefixes included; at most kMaxInsnLen
  bool rep : 1;           // F3
  bool repne : 1;         // F2: undefined by the guide
  bool operand_size : 1;  // 66h
  bool address_size : 1;  // 67h
  bool lock : 1;          // F0
};

struct Decoded : Encoding {
  const Insn* insn;  // null: not a PadLock instruction, or not all of one
  // If insn is null: no instruction ends within kMaxInsnLen bytes, as there are so many prefixes;
  // or the bytes end behind a PadLock opcode, before its ModRM byte.
  bool too_long, cut_short;
};

// The effective address size: 16, 32 or 64. |prefix|: 67h.
constexpr unsigned effective_address_bits(CodeSize code_size, bool prefix) {
  switch (code_size) {
    case CodeSize::bits16:
      return prefix ? 32 : 16;
    case CodeSize::bits32:
      return prefix ? 16 : 32;
    case CodeSize::bits64:
      break;
  }
  return prefix ? 32 : 64;
}
constexpr uint64_t address_mask_of(unsigned address_bits) {
  return ~uint64_t{0} >> (64 - address_bits);
}

// Decodes at most |len| bytes at |code|. Recognises the opcode whatever the prefixes are; whether
// the combination is allowed is decided when it executes (#UD), so that a program's fault is
// reported as its own. So is the length (#GP).
Decoded decode(const uint8_t* code, size_t len, CodeSize code_size);

// What decode() has found before.
Decoded decoded_as(Encoding encoding);

}  // namespace incore::padlock
