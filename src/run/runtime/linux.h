// Linux from inside the run-time: system calls and kernel structures, without libc. What differs
// between x86-64 and i386 beyond the size of a word is in <machine>/machine.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "run/protocol.h"
#if defined(__x86_64__)
#include "run/runtime/x86_64/machine.h"
#else
#include "run/runtime/i386/machine.h"
#endif

namespace incore::run {

using Word = uintptr_t;

inline constexpr uint64_t kPageMask = 4095;

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
inline constexpr int kMapShared = 1, kMapPrivate = 2, kMapType = 15, kMapAnonymous = 0x20,
                     kMapGrowsdown = 0x100, kMapFixedNoreplace = 0x100000;
inline constexpr int kMadvWipeOnFork = 18, kMadvPopulateWrite = 23;

// asm/signal.h. The kernel's own structures, not libc's.
inline constexpr int kSigIll = 4, kSigTrap = 5, kSigBus = 7, kSigSegv = 11, kSigSys = 31;
inline constexpr unsigned long kSaSiginfo = 4, kSaOnstack = 0x08000000, kSaRestart = 0x10000000,
                               kSaNodefer = 0x40000000, kSaResethand = 0x80000000,
                               kSaRestorer = 0x04000000;
inline constexpr int kSigBlock = 0, kSigUnblock = 1, kSigSetmask = 2;
inline constexpr uint64_t kSigDfl = 0, kSigIgn = 1;
inline constexpr int kSiKernel = 0x80, kIllIllopn = 2, kTrapTrace = 2, kBusAdraln = 1;
inline constexpr int kEfault = 14, kEinval = 22;
inline constexpr int kSsDisable = 2;

constexpr uint64_t signal_bit(int signal) {
  return uint64_t{1} << (signal - 1);
}

struct KernelSigaction {
  Word handler;
  Word flags;
  Word restorer;
  uint64_t mask;
};

struct KernelSiginfo {
  int32_t signo, error, code;
  Word address;         // of a fault, or of a system call that the filter brought here
  int32_t system_call;  // its number and its audit architecture
  uint32_t arch;
  uint8_t other[sizeof(Word) == 8 ? 96 : 104];
};
static_assert(sizeof(KernelSiginfo) == 128);

}  // namespace incore::run
