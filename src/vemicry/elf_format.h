// ELF32 for MIPS: the numbers that reader and writer share (System V ABI, MIPS processor
// supplement; the flags as binutils define them).
#pragma once

#include <cstdint>

namespace incore::vemicry::mips_elf {

inline constexpr uint32_t kHeaderLen = 52, kProgramHeaderLen = 32, kSectionHeaderLen = 40,
                          kSymbolLen = 16;
inline constexpr uint16_t kRelocatable = 1, kExecutable = 2, kShared = 3;
inline constexpr uint16_t kMachineMips = 8;
inline constexpr uint32_t kLoad = 1, kDynamic = 2, kInterpreter = 3;  // segments
inline constexpr uint32_t kProgramBits = 1, kSymbolTable = 2, kStrings = 3,
                          kNoBits = 8;                                   // sections
inline constexpr uint32_t kWrite = 1, kAllocated = 2, kCode = 4;         // flags of sections
inline constexpr uint32_t kMayExecute = 1, kMayWrite = 2, kMayRead = 4;  // flags of segments
inline constexpr uint32_t kNoReorder = 0x00000001, kAbi2 = 0x00000020, kAbi = 0x0000F000,
                          kAbiO32 = 0x00001000, kMicroMips = 0x02000000, kMips16 = 0x04000000,
                          kArch = 0xF0000000;
inline constexpr uint8_t kNoType = 0, kObject = 1, kFunction = 2, kGlobal = 1 << 4;  // symbols
inline constexpr uint16_t kUndefined = 0, kFirstReservedSection = 0xFF00;

}  // namespace incore::vemicry::mips_elf
