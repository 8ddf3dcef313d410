// Signal handlers and system calls that only i386 has: the frame of handlers that do not ask for
// siginfo, and calls from before real-time signals, whose masks are one word (Linux
// arch/x86/include/uapi/asm/signal.h, kernel/signal.c).
#include "run/runtime/signals.h"

extern "C" const char old_signal_restorer[];

namespace incore::run {

// Libc makes its calls in the vDSO, all at one place.
void note_call(const SystemCall&, const KernelUcontext&) {}

namespace {

// struct rt_sigframe_ia32, up to where the kernel's own begins.
struct Frame {
  uint32_t return_address;
  int32_t signal;
  uint32_t info, context;
};

// struct sigframe_ia32. The signal mask is in registers.oldmask and extra_mask.
struct OldFrame {
  uint32_t return_address;
  int32_t signal;
  KernelRegisters registers;
  uint8_t unused_fpstate[624];
  uint32_t extra_mask;
  uint8_t unused_code[8];
};

// struct old_sigaction
struct OldSigaction {
  uint32_t handler;
  uint32_t mask;
  uint32_t flags;
  uint32_t restorer;
};

constexpr uint64_t kLowWord = 0xFFFFFFFF;

long on_old_sigaction(int signal, uint64_t new_action, uint64_t old_action) {
  OldSigaction narrow;
  KernelSigaction wish = {}, old = {};
  if (new_action != 0) {
    if (!copy_from_program(&narrow, new_action, sizeof narrow)) return -kEfault;
    wish = {narrow.handler, narrow.flags, narrow.restorer, narrow.mask};
  }
  const long result =
      change_action(signal, new_action != 0 ? &wish : nullptr, old_action != 0 ? &old : nullptr);
  narrow = {old.handler, static_cast<uint32_t>(old.mask), old.flags, old.restorer};
  if (result == 0 && old_action != 0 && !copy_to_program(old_action, &narrow, sizeof narrow))
    return -kEfault;
  return result;
}

long on_signal(int signal, uint64_t handler) {
  KernelSigaction wish = {static_cast<Word>(handler), kSaResethand | kSaNodefer, 0, 0};
  KernelSigaction old = {};
  const long result = change_action(signal, &wish, &old);
  return result == 0 ? static_cast<long>(old.handler) : result;
}

long on_old_sigprocmask(KernelUcontext* uc, uint64_t how, uint64_t new_set, uint64_t old_set) {
  const uint64_t blocked = blocked_signals(*uc);
  uint32_t set = static_cast<uint32_t>(blocked);
  if (new_set != 0) {
    uint32_t wish;
    if (!copy_from_program(&wish, new_set, sizeof wish)) return -kEfault;
    if (how > kSigSetmask) return -kEinval;
    set = how == kSigBlock ? set | wish : how == kSigUnblock ? set & ~wish : wish;
    set_blocked_signals(uc, (blocked & ~kLowWord) | set);
  }
  const uint32_t old = static_cast<uint32_t>(blocked);
  return old_set == 0 || copy_to_program(old_set, &old, sizeof old) ? 0 : -kEfault;
}

// The arguments lie in memory, the offset counts bytes.
long on_old_mmap(uint64_t address) {
  uint32_t narrow[6];
  uint64_t arguments[6];
  if (!copy_from_program(narrow, address, sizeof narrow)) return -kEfault;
  for (int i = 0; i < 6; ++i) arguments[i] = narrow[i];
  if ((arguments[5] & kPageMask) != 0) return -kEinval;
  arguments[5] /= kPageMask + 1;
  return on_mmap(arguments);
}

}  // namespace

NextStep enter_handler(const KernelSigaction& action, uint64_t mask, KernelSiginfo* info,
                       KernelUcontext* uc) {
  const uint32_t frame = static_cast<uint32_t>(address_of(info) - sizeof(Frame));
  if ((action.flags & kSaSiginfo) != 0) {
    at_address<Frame>(frame)->signal = info->signo;
    return {mask, action.handler, frame};
  }
  const uint32_t old_frame = ((frame - static_cast<uint32_t>(sizeof(OldFrame))) & ~15u) - 4;
  OldFrame* old = at_address<OldFrame>(old_frame);
  old->return_address = reinterpret_cast<Word>(old_signal_restorer);
  old->signal = info->signo;
  old->registers = *uc;
  old->registers.oldmask = static_cast<uint32_t>(uc->sigmask);
  old->extra_mask = static_cast<uint32_t>(uc->sigmask >> 32);
  return {mask, action.handler, old_frame};
}

bool on_old_system_call(const SystemCall& call, KernelUcontext* uc, long* out_result) {
  const uint64_t(&a)[6] = call.arguments;
  switch (call.number) {
    case __NR_sigaction:
      *out_result = on_old_sigaction(static_cast<int>(a[0]), a[1], a[2]);
      return true;
    case __NR_signal:
      *out_result = on_signal(static_cast<int>(a[0]), a[1]);
      return true;
    case __NR_sigprocmask:
      *out_result = on_old_sigprocmask(uc, a[0], a[1], a[2]);
      return true;
    case __NR_sgetmask:
      *out_result = static_cast<long>(blocked_signals(*uc));
      return true;
    case __NR_ssetmask:
      *out_result = static_cast<long>(blocked_signals(*uc));
      set_blocked_signals(uc, a[0]);
      return true;
    case __NR_mmap:
      *out_result = on_old_mmap(a[0]);
      return true;
    default:
      return false;
  }
}

// The filter brings it to the supervisor at once: 64-bit code may make it, too.
bool on_exec(const SystemCall&, KernelUcontext*) {
  return false;
}

// 64-bit code in a 32-bit program; we cannot serve it.
long foreign_system_call(KernelUcontext*) {
  constexpr long kEnosys = 38;
  return -kEnosys;
}

}  // namespace incore::run
