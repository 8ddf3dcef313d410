// Signal handlers and system calls as x86-64 has them.
#include "run/runtime/signals.h"

namespace incore::run {

// The kernel's frame is what the program's handler expects.
NextStep enter_handler(const KernelSigaction& action, uint64_t mask, KernelSiginfo*,
                       KernelUcontext*) {
  return {action.handler, mask};
}

bool on_old_system_call(const SystemCall&, KernelUcontext*, long*) {
  return false;
}

// A call by int 80h, which takes the i386 table also in a 64-bit program. Those that would bring
// i386 signal frames to 64-bit code are refused, and waits with a mask, which must not be done
// here.
long foreign_system_call(KernelUcontext* uc) {
  enum { kSignal = 48, kSigaction = 67, kSgetmask, kSsetmask, kSigprocmask = 126 };
  enum { kRtSigaction = 174, kRtSigprocmask = 175 };
  enum { kSigsuspend = 72, kRtSigsuspend = 179, kPselect6 = 308, kPpoll = 309, kEpollPwait = 319 };
  enum { kPselect6Time64 = 413, kPpollTime64 = 414, kEpollPwait2 = 441 };
  constexpr long kEnosys = 38;
  switch (uc->rax) {
    case kSignal:
    case kSigaction:
    case kSgetmask:
    case kSsetmask:
    case kSigprocmask:
    case kRtSigaction:
    case kSigsuspend:
    case kRtSigsuspend:
    case kPselect6:
    case kPpoll:
    case kEpollPwait:
    case kPselect6Time64:
    case kPpollTime64:
    case kEpollPwait2:
      return -kEnosys;
    case kRtSigprocmask:
      return on_sigprocmask(uc, static_cast<int>(uc->rbx), static_cast<uint32_t>(uc->rcx),
                            static_cast<uint32_t>(uc->rdx), static_cast<uint32_t>(uc->rsi));
    default:
      break;
  }
  long result;
  register uint64_t r13 __asm__("r13") = uc->rbp;
  __asm__ volatile("movq %%rbp, %%r12; movq %%r13, %%rbp; int $0x80; movq %%r12, %%rbp"
                   : "=a"(result)
                   : "a"(uc->rax), "b"(uc->rbx), "c"(uc->rcx), "d"(uc->rdx), "S"(uc->rsi),
                     "D"(uc->rdi), "r"(r13)
                   : "r8", "r9", "r10", "r11", "r12", "memory");
  return result;
}

}  // namespace incore::run
