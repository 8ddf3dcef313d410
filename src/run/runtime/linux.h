// Linux from inside the run-time: system calls and kernel structures, without libc. x86-64.
#pragma once

#include <asm/unistd_64.h>
#include <stddef.h>
#include <stdint.h>

#include "run/protocol.h"

namespace incore::run {

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

template <class... Args>
inline long sys(long number, Args... args) {
  const long a[6] = {(long)args...};
  return syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

template <class... Args>
inline long call_supervisor(Call call, Args... args) {
  return sys(kCallNumber, static_cast<long>(call), args...);
}

inline bool is_error(long result) {
  return static_cast<unsigned long>(result) > -4096UL;
}

// asm-generic/mman-common.h, asm/mman.h
inline constexpr int kProtRead = 1, kProtWrite = 2, kProtExec = 4;
inline constexpr int kMapShared = 1, kMapPrivate = 2, kMapAnonymous = 0x20,
                     kMapFixedNoreplace = 0x100000;
inline constexpr int kMadvWipeOnFork = 18;

// asm/signal.h. The kernel's own structures, not libc's.
inline constexpr int kSigIll = 4, kSigTrap = 5, kSigBus = 7, kSigSegv = 11, kSigSys = 31;
inline constexpr unsigned long kSaSiginfo = 4, kSaOnstack = 0x08000000, kSaRestart = 0x10000000,
                               kSaNodefer = 0x40000000, kSaResethand = 0x80000000,
                               kSaRestorer = 0x04000000;
inline constexpr int kSigBlock = 0, kSigUnblock = 1, kSigSetmask = 2;
inline constexpr uint64_t kSigDfl = 0, kSigIgn = 1;
inline constexpr int kSiKernel = 0x80, kIllIllopn = 2, kSegvAccerr = 2, kTrapTrace = 2;
inline constexpr int kEfault = 14, kEinval = 22;
inline constexpr int kSsDisable = 2;

constexpr uint64_t signal_bit(int signal) {
  return uint64_t{1} << (signal - 1);
}

struct KernelSigaction {
  uint64_t handler;
  uint64_t flags;
  uint64_t restorer;
  uint64_t mask;
};

struct KernelSiginfo {
  int32_t signo, error, code, pad;
  uint64_t address;  // of a fault
  uint8_t other[104];
};
static_assert(sizeof(KernelSiginfo) == 128);

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

}  // namespace incore::run
