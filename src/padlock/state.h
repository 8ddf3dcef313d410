// The registers of the emulated processor that PadLock instructions read and write.
#pragma once

#include <cstdint>

namespace incore::padlock {

// Default address size of the code segment.
enum class CodeSize : uint8_t { bits16, bits32, bits64 };

// An offset in a segment, in its whole width. Where no 64-bit code is executed, half of that is
// enough, and much faster on 32-bit machines.
#ifdef INCORE_NO_64BIT_CODE
using Offset = uint32_t;
#else
using Offset = uint64_t;
#endif

// What a segment register holds of its descriptor.
struct Segment {
  uint64_t base = 0;
  uint64_t limit = ~uint64_t{0};  // last valid offset
  uint32_t first = 0;             // first valid offset: above 0 if the segment expands down
  bool writable = true;

  // Of a null selector, and of segments that cannot be read: no offset is valid.
  static constexpr Segment none() { return {0, 0, 1, false}; }
};

// The key RAM is current. PadLock guide 1.66, section 3.2 (EFLAGS[30]).
inline constexpr uint64_t kEflagsKeyLoaded = uint64_t{1} << 30;
inline constexpr uint64_t kEflagsAc = uint64_t{1} << 18;
inline constexpr uint64_t kCr0Em = uint64_t{1} << 2;
inline constexpr uint64_t kCr0Ts = uint64_t{1} << 3;
inline constexpr uint64_t kCr0Am = uint64_t{1} << 18;
inline constexpr uint64_t kCr4Osfxsr = uint64_t{1} << 9;  // PadLock works only while it is set

struct State {
  uint64_t rax = 0, rbx = 0, rcx = 0, rdx = 0, rsi = 0, rdi = 0, rip = 0;
  uint64_t rflags = 2;
  uint64_t cr0 = 0, cr4 = 0;
  unsigned cpl = 0;
  CodeSize code_size = CodeSize::bits32;
  Segment es;
};

}  // namespace incore::padlock
