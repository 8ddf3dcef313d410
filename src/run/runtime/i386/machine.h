// The run-time in 32-bit programs: system calls, signal frames and code of i386 Linux. Registers
// bear the names of their 64-bit forms, as in padlock::State, so that both machines share the code.
#pragma once

#include <asm/unistd_32.h>
#include <stdint.h>

#include <atomic>

#include "padlock/state.h"
#include "run/runtime/i386/trampoline.h"

namespace incore::run {

inline constexpr padlock::CodeSize kCodeSize = padlock::CodeSize::bits32;
inline constexpr uint32_t kAuditArch = 0x40000003;   // AUDIT_ARCH_I386
inline constexpr uint64_t kAddressEnd = 0xFFFFE000;  // of user space under a 64-bit kernel
inline constexpr uint64_t kJumpMask = 0xFFFFFFFF;    // a jump beyond 4 GiB comes out at the bottom
inline constexpr long kMmap = __NR_mmap2;
inline constexpr uint64_t kMmapUnit = 4096;        // of its file offset
inline constexpr uint8_t kRedundantPrefix = 0x3E;  // DS, without meaning for a near jump

inline long syscall6(long number, long a, long b, long c, long d, long e, long f) {
  const long ebx_and_ebp[2] = {a, f};
  long result = number;
  __asm__ volatile(
      "pushl %%ebx; pushl %%ebp; movl 4(%%ebx), %%ebp; movl (%%ebx), %%ebx; int $0x80;"
      "popl %%ebp; popl %%ebx"
      : "+a"(result)
      : "b"(ebx_and_ebp), "c"(b), "d"(c), "S"(d), "D"(e)
      : "memory");
  return result;
}

// By halves: faster than the loop around CMPXCHG8B that compilers make. For a moment a reader may
// see the sum without its carry.
inline void add_to_shared(std::atomic<uint64_t>& counter, uint64_t n) {
  uint32_t high = static_cast<uint32_t>(n >> 32);
  uint32_t* const halves = reinterpret_cast<uint32_t*>(&counter);
  __asm__ volatile("lock addl %2, %0; adcl $0, %1"
                   : "+m"(halves[0]), "+r"(high)
                   : "r"(static_cast<uint32_t>(n))
                   : "cc");
  if (high != 0) __asm__ volatile("lock addl %1, %0" : "+m"(halves[1]) : "r"(high) : "cc");
}

struct KernelStack {
  uint32_t sp;
  int32_t flags;
  uint32_t size;
};

struct KernelUcontextHead {
  uint32_t flags;
  uint32_t link;
  KernelStack stack;
};

// struct sigcontext_32
struct KernelRegisters {
  uint32_t gs, fs, es, ds;
  uint32_t rdi, rsi, rbp, rsp, rbx, rdx, rcx, rax;
  uint32_t trapno, err, rip, cs, eflags, sp_at_signal, ss;
  uint32_t fpstate, oldmask, cr2;
};
static_assert(sizeof(KernelRegisters) == 88);

// struct ucontext_ia32
struct KernelUcontext : KernelUcontextHead, KernelRegisters {
  uint64_t sigmask;
};

// The registers of a program at a patched site; pushed by fast_entry.
struct FastFrame {
  uint32_t rax, rbx, rcx, rdx, rsi, rdi, rbp;
  uint32_t flags;
  uint32_t return_address;
};

// The system call that the program wanted.
struct SystemCall {
  long number;
  uint64_t arguments[6];
  explicit SystemCall(const KernelUcontext& uc)
      : number(static_cast<long>(uc.rax)), arguments{uc.rbx, uc.rcx, uc.rdx,
                                                     uc.rsi, uc.rdi, uc.rbp} {}
};

// What signal_entry does after handle_signal: see entry.S.
struct NextStep {
  uint64_t mask;
  uint32_t handler;  // 0: go on as the context says
  uint32_t stack;    // with which it is entered
};

}  // namespace incore::run
