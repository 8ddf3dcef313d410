// PadLock's instructions as commands use them: failures are words.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "incore/padlock.h"

namespace incore::tools {

// Runs the instruction called |mnemonic|. Returns why it failed, empty if it did not.
std::string execute_padlock(incore_padlock* padlock, const char* mnemonic,
                            incore_padlock_registers* registers);

// An operand's address, as a register holds it.
inline uint64_t address_of(const void* operand) {
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(operand));
}

// A word as it lies in the memory of an x86 processor; works both ways.
inline uint32_t little_endian(uint32_t word) {
  return std::endian::native == std::endian::little ? word : __builtin_bswap32(word);
}

}  // namespace incore::tools
