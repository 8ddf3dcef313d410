// The byte patterns of CPUID and of the PadLock instructions, those of later Zhaoxin processors
// included (names as in GNU binutils): 0F A2, and 0F A6 or 0F A7 with a register ModRM byte whose
// low three bits are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace incore::scan {

inline constexpr size_t kMaxInstructionLen = 15;

// True if 0F |opcode| |modrm| is a PadLock instruction.
bool is_padlock_opcode(uint8_t opcode, uint8_t modrm);

// The mnemonic of the PadLock instruction that |insn| holds, prefixes included.
const char* padlock_mnemonic(std::span<const uint8_t> insn);

// The length of the PadLock instruction at |bytes|, prefixes included; 0 if there is none.
size_t padlock_length(std::span<const uint8_t> bytes, bool is_64bit);

// True for a legacy prefix, and in 64-bit code for a REX prefix.
bool is_prefix(uint8_t byte, bool is_64bit);

}  // namespace incore::scan
