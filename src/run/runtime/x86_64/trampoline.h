// The shape of a trampoline, shared by C++ and the assembler file.
//
//   +0   48 8D 64 24 80          lea -128(%rsp), %rsp     step over the red zone
//   +5   FF 15 rel32             call *entry(%rip)        to fast_entry
//   +11  48 8D A4 24 80 00 00 00 lea 128(%rsp), %rsp      done: go on behind the site
//   +19  E9 rel32                jmp site + length
//   +24  48 8D A4 24 80 00 00 00 lea 128(%rsp), %rsp      not done: the signal handler does it
//   +32  CC                      int3
//   +37  the instruction's padlock::Encoding
//   +40  entry: .quad fast_entry
//   +48  site:  .quad address of the site
//   +56  the site's original bytes
//
// That of a system call, whose site is "mov $number, %eax" before it, differs:
//
//   +5   FF 15 rel32             call *entry(%rip)        to call_entry
//   +19  E9 rel32                jmp site + 7             done: go on behind the call
//   +32  E9 rel32                jmp site + 5             not done: the call itself is made
#ifndef INCORE_RUN_TRAMPOLINE_H
#define INCORE_RUN_TRAMPOLINE_H

#define kRedZoneLen 128
#define kCallOffset 5
#define kReturnOffset 11
#define kSlowExitOffset 24
#define kSlowTrapOffset 32
#define kEntryOffset 40
#define kTrampolineLen 64

#ifndef __ASSEMBLER__
#include <stdint.h>

namespace incore::run {

inline constexpr uint8_t kTrampolineCode[] = {
    0x48, 0x8D, 0x64, 0x24, 0x80,           // lea -128(%rsp), %rsp
    0xFF, 0x15, 0,    0,    0,    0,        // call *entry
    0x48, 0x8D, 0xA4, 0x24, 0x80, 0, 0, 0,  // lea 128(%rsp), %rsp
    0xE9, 0,    0,    0,    0,              // jmp
    0x48, 0x8D, 0xA4, 0x24, 0x80, 0, 0, 0,  // lea 128(%rsp), %rsp
    0xCC};                                  // int3

inline constexpr uint8_t kCallTrampolineCode[] = {
    0x48, 0x8D, 0x64, 0x24, 0x80,           // lea -128(%rsp), %rsp
    0xFF, 0x15, 0,    0,    0,    0,        // call *entry
    0x48, 0x8D, 0xA4, 0x24, 0x80, 0, 0, 0,  // lea 128(%rsp), %rsp
    0xE9, 0,    0,    0,    0,              // jmp
    0x48, 0x8D, 0xA4, 0x24, 0x80, 0, 0, 0,  // lea 128(%rsp), %rsp
    0xE9, 0,    0,    0,    0};             // jmp

// What the call at the trampoline |base| needs to come to fast_entry.
constexpr int64_t call_displacement(int64_t, int64_t) {
  return kEntryOffset - kReturnOffset;
}

}  // namespace incore::run
#endif

#endif
