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

// A call by int 80h, which takes the i386 table also in a 64-bit program.
long foreign_system_call(const KernelUcontext& uc) {
  long result;
  register uint64_t r13 __asm__("r13") = uc.rbp;
  __asm__ volatile("movq %%rbp, %%r12; movq %%r13, %%rbp; int $0x80; movq %%r12, %%rbp"
                   : "=a"(result)
                   : "a"(uc.rax), "b"(uc.rbx), "c"(uc.rcx), "d"(uc.rdx), "S"(uc.rsi), "D"(uc.rdi),
                     "r"(r13)
                   : "r8", "r9", "r10", "r11", "r12", "memory");
  return result;
}

}  // namespace incore::run
