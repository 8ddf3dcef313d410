// Signal handlers and system calls as x86-64 has them.
#include "run/runtime/signals.h"

#include "run/runtime/plain_calls.h"

namespace incore::run {

// The kernel's frame is what the program's handler expects.
NextStep enter_handler(const KernelSigaction& action, uint64_t mask, KernelSiginfo*,
                       KernelUcontext*) {
  return {action.handler, mask};
}

bool on_old_system_call(const SystemCall&, KernelUcontext*, long*) {
  return false;
}

// Who searches PATH tries one file after the other, and the supervisor need not come for those that
// are not there. Filters of programs, which the kernel asks first, might answer otherwise.
bool on_exec(const SystemCall& call, KernelUcontext* uc) {
  constexpr int kAtFdcwd = -100;
  constexpr long kEnoent = 2, kEnotdir = 20;
  if (call.number != __NR_execve) return false;
  uint64_t stat[18];  // struct stat
  long result = 0;
  if (stats().own_filters.load(std::memory_order_relaxed) == 0)
    result = sys(__NR_newfstatat, kAtFdcwd, call.arguments[0], stat, 0);
  if (result == -kEnoent || result == -kEnotdir)
    uc->rax = static_cast<Word>(result);
  else
    make_plain_call(uc);
  return true;
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
