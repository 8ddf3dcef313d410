// The shape of a trampoline, shared by C++ and the assembler file. i386 programs have no red zone,
// and a near jump reaches all of memory.
//
//   +0   E8 rel32    call fast_entry
//   +5   E9 rel32    jmp site + length     done: go on behind the site
//   +10  CC          int3                  not done: the signal handler does it
//   +37  as in x86_64/trampoline.h
#ifndef INCORE_RUN_TRAMPOLINE_H
#define INCORE_RUN_TRAMPOLINE_H

#define kRedZoneLen 0
#define kCallOffset 0
#define kReturnOffset 5
#define kSlowExitOffset 10
#define kSlowTrapOffset 10
#define kTrampolineLen 64

#ifndef __ASSEMBLER__
#include <stdint.h>

namespace incore::run {

inline constexpr uint8_t kTrampolineCode[] = {0xE8, 0, 0, 0, 0, 0xE9, 0, 0, 0, 0, 0xCC};

// What the call at the trampoline |base| needs to come to |entry|.
constexpr int64_t call_displacement(int64_t base, int64_t entry) {
  return entry - (base + kReturnOffset);
}

}  // namespace incore::run
#endif

#endif
