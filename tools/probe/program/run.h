// Runs a few bytes of code with given registers and tells what became of it, whatever that is.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct Registers {
  uint32_t eax, ebx, ecx, edx, esi, edi;
};

struct Outcome {
  struct Registers after;  // at the end, or as the signal found them
  uint32_t eflags;
  int signal;                       // 0: none
  int signal_code;                  // si_code
  uint32_t vector, error, address;  // of the exception, as Linux tells: address is CR2
  uint32_t offset;                  // of the instruction that it found, in the code
};

enum { kSigill = 4, kSigtrap = 5, kSigbus = 7, kSigfpe = 8, kSigsegv = 11, kSigalrm = 14 };
enum { kPageFault = 14 };  // a vector
enum { kMaxCode = 120 };

// Catches signals and makes the page for code. Negative: an errno.
long run_prepare(void);

// |code|, at most kMaxCode bytes, run with |registers|; SIGALRM ends it after some seconds. |slot|
// says where it stands: other code stands elsewhere, as in any program.
struct Outcome run_bytes(uint32_t slot, const uint8_t* code, size_t len,
                         struct Registers registers);

// Calls |work|. Returns 0, or the signal that ended it, as SIGILL of an instruction that is missing
// and SIGALRM after |seconds| do; 0: no limit. Not inside another.
int run_guarded(void (*work)(void), uint32_t seconds);
