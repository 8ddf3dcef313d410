// The shape of a trampoline, shared by C++ and the assembler file.
//
//   +0   48 8D 64 24 80          lea -128(%rsp), %rsp     step over the red zone
//   +5   FF 15 rel32             call *entry(%rip)        to fast_entry
//   +11  48 8D A4 24 80 00 00 00 lea 128(%rsp), %rsp      done: go on behind the site
//   +19  E9 rel32                jmp site + length
//   +24  48 8D A4 24 80 00 00 00 lea 128(%rsp), %rsp      not done: the signal handler does it
//   +32  CC                      int3
//   +40  entry:  .quad fast_entry
//   +48  site:   .quad address of the site
//   +56  length: .byte bytes of the instruction, opcode: .byte x 2, unused x 5
#ifndef INCORE_RUN_TRAMPOLINE_H
#define INCORE_RUN_TRAMPOLINE_H

#define kReturnOffset 11
#define kSlowExitOffset 24
#define kSlowTrapOffset 32
#define kEntryOffset 40
#define kSiteOffset 48
#define kLengthOffset 56
#define kTrampolineLen 64

#endif
