// The run-time in 64-bit programs: system calls, signal frames and code of x86-64 Linux.
#pragma once

#include <asm/unistd_64.h>
#include <stdint.h>

#include <atomic>

#include "padlock/state.h"
#include "run/runtime/x86_64/trampoline.h"

namespace incore::run {

inline constexpr padlock::CodeSize kCodeSize = padlock::CodeSize::bits64;
inline constexpr uint32_t kAuditArch = 0xC000003E;  // AUDIT_ARCH_X86_64
inline constexpr uint64_t kAddressEnd =
    0x7FFFFFFFF000;                                  // of user space with four-level page tables
inline constexpr uint64_t kJumpMask = ~uint64_t{0};  // of what a jump can reach
inline constexpr long kMmap = __NR_mmap;
inline constexpr uint64_t kMmapUnit = 1;           // of its file offset
inline constexpr uint8_t kRedundantPrefix = 0x48;  // REX.W, without meaning for a near jump

inline long syscall6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

inline void add_to_shared(std::atomic<uint64_t>& counter, uint64_t n) {
  counter.fetch_add(n, std::memory_order_relaxed);
}

struct KernelStack {
  uint64_t sp;
  int32_t flags, pad;
  uint64_t size;
};

// struct ucontext with struct sigcontext_64 inside.
struct KernelUcontext {
  uint64_t flags;
  uint64_t link;
  KernelStack stack;
  uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
  uint64_t rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, eflags;
  uint16_t cs, gs, fs, ss;
  uint64_t err, trapno, oldmask, cr2;
  uint64_t fpstate;
  uint64_t reserved[8];
  uint64_t sigmask;
};

// The registers of a program at a patched site; pushed by fast_entry.
struct FastFrame {
  uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15;
  uint64_t flags;
  uint64_t return_address;
};

// The system call that the program wanted.
struct SystemCall {
  long number;
  uint64_t arguments[6];
  explicit SystemCall(const KernelUcontext& uc)
      : number(static_cast<long>(uc.rax)),
        arguments{uc.rdi, uc.rsi, uc.rdx, uc.r10, uc.r8, uc.r9} {}
};

// What signal_entry does after handle_signal: see entry.S.
struct NextStep {
  uint64_t handler;  // 0: go on as the context says
  uint64_t mask;
};

}  // namespace incore::run
