// Finds the PadLock instruction in a run of bytes, by PadLock's own prefix rules (PadLock
// guide 1.66, sections on each instruction; clauses PLK-EXC-014 to -017, PLK-ACE-059 to -061).
#pragma once

#include <cstddef>
#include <cstdint>

#include "padlock/state.h"

namespace incore::padlock {

struct Insn;

inline constexpr size_t kMaxInsnLen = 15;  // of x86; a longer instruction raises #GP

struct Decoded {
  const Insn* insn;   // null: not a PadLock instruction, or not all of one
  uint8_t index;      // of insn in insns()
  uint8_t length;     // bytes, prefixes included; at most kMaxInsnLen
  bool rep;           // F3
  bool repne;         // F2: undefined by the guide
  bool operand_size;  // 66h
  bool address_size;  // 67h
  bool lock;          // F0
  // If insn is null: no instruction ends within kMaxInsnLen bytes, as there are so many prefixes;
  // or the bytes end behind a PadLock opcode, before its ModRM byte.
  bool too_long, cut_short;
};

// Decodes at most |len| bytes at |code|. Recognises the opcode whatever the prefixes are; whether
// the combination is allowed is decided when it executes (#UD), so that a program's fault is
// reported as its own. So is the length (#GP).
Decoded decode(const uint8_t* code, size_t len, CodeSize code_size);

}  // namespace incore::padlock
