// Signals: the run-time handles its own five first, and keeps what the program wishes for them, so
// that the program sees its own handlers, masks and alternate stacks as if nothing were there. The
// filter brings rt_sigaction and rt_sigprocmask here (SIGSYS), as well as every mmap and mprotect
// that makes code.
#include "run/runtime/runtime.h"
#include "run/runtime/trampoline.h"

// What signal_entry does after handle_signal: see entry.S.
struct NextStep {
  uint64_t handler;  // 0: go on as the context says
  uint64_t mask;
};

namespace incore::run {
namespace {

constexpr size_t kStackLen = 64 * 1024;
constexpr unsigned kNumStacks = 64;
alignas(64) constinit uint8_t stacks[kNumStacks][kStackLen] = {};

// What the program has asked for, for the owned signals.
constinit KernelSigaction program_actions[32] = {};

// Which of the owned signals a thread wants blocked; a cache that may forget (see docs/quirks.md),
// a thread id << 32 | bits.
constexpr size_t kNumMasks = 4096;
constinit std::atomic<uint64_t> blocked_masks[kNumMasks] = {};

bool is_owned(int signal) {
  return signal > 0 && signal < 32 && (kOwnedMask & signal_bit(signal)) != 0;
}

std::atomic<uint64_t>& mask_slot(uint64_t tid) {
  return blocked_masks[tid % kNumMasks];
}

uint64_t blocked_by_thread() {
  const uint64_t tid = static_cast<uint64_t>(sys(__NR_gettid));
  const uint64_t slot = mask_slot(tid).load(std::memory_order_relaxed);
  return slot >> 32 == tid ? slot & 0xFFFFFFFF : 0;
}

void set_blocked_by_thread(uint64_t owned_bits) {
  const uint64_t tid = static_cast<uint64_t>(sys(__NR_gettid));
  std::atomic<uint64_t>& slot = mask_slot(tid);
  if (owned_bits != 0 || slot.load(std::memory_order_relaxed) >> 32 == tid)
    slot.store(tid << 32 | owned_bits, std::memory_order_relaxed);
}

// A child of vfork runs in its parent's memory but has handlers of its own, which end at its exec.
bool shares_memory_with_parent() {
  const int32_t pid = static_cast<int32_t>(sys(__NR_getpid));
  int32_t nobody = 0;
  if (wiped().owner_pid.compare_exchange_strong(nobody, pid)) return false;
  return nobody != pid;
}

// Makes the kernel bring |signal| to us, on the stack that the program wants for it.
void install_handler(int signal) {
  constexpr uint64_t kAlways = kSaSiginfo | kSaRestorer;
  const KernelSigaction& wish = program_actions[signal];
  const bool has_handler = wish.handler != kSigDfl && wish.handler != kSigIgn;
  const bool on_stack = !has_handler || (wish.flags & kSaOnstack) != 0;
  // While a handler of ours works, only the probes may fault.
  const uint64_t probe_signals = signal_bit(kSigSegv) | signal_bit(kSigBus);
  const bool is_probe_signal = (signal_bit(signal) & probe_signals) != 0;
  const KernelSigaction action = {
      reinterpret_cast<uint64_t>(signal_entry),
      kAlways | (on_stack ? kSaOnstack : 0) | (wish.flags & kSaRestart),
      reinterpret_cast<uint64_t>(signal_restorer),
      is_probe_signal ? ~uint64_t{0} : ~probe_signals,
  };
  sys(__NR_rt_sigaction, signal, &action, 0, 8);
}

// The process ends by |info|'s signal as soon as the handler returns.
NextStep die(KernelSiginfo* info) {
  const KernelSigaction default_action = {};
  sys(__NR_rt_sigaction, info->signo, &default_action, 0, 8);
  sys(__NR_rt_tgsigqueueinfo, sys(__NR_getpid), sys(__NR_gettid), info->signo, info);
  return {0, 0};
}

// The signal is the program's.
NextStep forward(KernelSiginfo* info, KernelUcontext* uc) {
  end_window(uc);
  const int signal = info->signo;
  const KernelSigaction action = program_actions[signal];
  const bool by_fault = info->code > 0;
  const bool blocked = (blocked_by_thread() & signal_bit(signal)) != 0;
  if (action.handler == kSigDfl || (by_fault && (blocked || action.handler == kSigIgn)))
    return die(info);
  if (action.handler == kSigIgn) return {0, 0};
  if ((action.flags & kSaResethand) != 0 && !shares_memory_with_parent())
    program_actions[signal].handler = kSigDfl;
  if ((uc->stack.flags & kSsDisable) == 0) sys(__NR_sigaltstack, &uc->stack, 0);
  uint64_t mask = uc->sigmask | action.mask;
  if ((action.flags & kSaNodefer) == 0) mask |= signal_bit(signal);
  return {action.handler, mask & ~kOwnedMask};
}

// ---- system calls that the filter brings here
// ------------------------------------------------------------------------

long on_sigaction(uint64_t signal, uint64_t new_action, uint64_t old_action, uint64_t mask_len) {
  KernelSigaction action = {};
  if (mask_len != sizeof action.mask) return -kEinval;
  if (new_action != 0 && !copy_from_program(&action, new_action, sizeof action)) return -kEfault;
  if (signal > 64 || !is_owned(static_cast<int>(signal))) {
    action.mask &= ~kOwnedMask;
    return sys(__NR_rt_sigaction, signal, new_action != 0 ? &action : nullptr, old_action,
               mask_len);
  }
  const int owned = static_cast<int>(signal);
  if (old_action != 0 && !copy_to_program(old_action, &program_actions[owned], sizeof action))
    return -kEfault;
  if (new_action == 0 || shares_memory_with_parent()) return 0;
  program_actions[owned] = action;
  install_handler(owned);
  return 0;
}

long on_sigprocmask(KernelUcontext* uc, int how, uint64_t new_set, uint64_t old_set,
                    uint64_t mask_len) {
  if (mask_len != sizeof(uint64_t)) return -kEinval;
  const uint64_t blocked = uc->sigmask | blocked_by_thread();
  uint64_t set = 0;
  if (new_set != 0) {
    if (!copy_from_program(&set, new_set, sizeof set)) return -kEfault;
    switch (how) {
      case kSigBlock:
        set = blocked | set;
        break;
      case kSigUnblock:
        set = blocked & ~set;
        break;
      case kSigSetmask:
        break;
      default:
        return -kEinval;
    }
  }
  if (new_set != 0) {
    uc->sigmask = set & ~kOwnedMask;  // in force when the handler returns
    set_blocked_by_thread(set & kOwnedMask);
  }
  if (old_set != 0 && !copy_to_program(old_set, &blocked, sizeof blocked)) return -kEfault;
  return 0;
}

constexpr uint64_t kPageMask = 4095;

bool on_system_call(KernelUcontext* uc) {
  const uint64_t number = uc->rax;
  long result;
  switch (number) {
    case __NR_rt_sigaction:
      result = on_sigaction(uc->rdi, uc->rsi, uc->rdx, uc->r10);
      break;
    case __NR_rt_sigprocmask:
      result = on_sigprocmask(uc, static_cast<int>(uc->rdi), uc->rsi, uc->rdx, uc->r10);
      break;
    case __NR_mmap:
      result = sys(number, uc->rdi, uc->rsi, uc->rdx, uc->r10, uc->r8, uc->r9);
      if (!is_error(result)) {
        const uint64_t begin = static_cast<uint64_t>(result);
        const uint64_t end = begin + ((uc->rsi + kPageMask) & ~kPageMask);
        {
          const Lock lock;  // what was known there went with the old mapping
          forget_sites(begin, end);
        }
        patch_cpuid(begin, end);
      }
      break;
    case __NR_mprotect:
    case __NR_pkey_mprotect:
      result = sys(number, uc->rdi, uc->rsi, uc->rdx, uc->r10);
      if (!is_error(result)) patch_cpuid(uc->rdi, uc->rdi + ((uc->rsi + kPageMask) & ~kPageMask));
      break;
    default:
      return false;
  }
  uc->rax = static_cast<uint64_t>(result);
  return true;
}

// ---- instructions
// -------------------------------------------------------------------------------------------------------

// Executes the PadLock instruction in |bytes| at uc->rip; a fault becomes the program's signal.
NextStep execute(const uint8_t* bytes, size_t len, KernelUcontext* uc, KernelSiginfo* info) {
  int fault_signal = 0;
  execute_in_handler(bytes, len, uc, &fault_signal, info);
  return fault_signal == 0 ? NextStep{0, 0} : forward(info, uc);
}

NextStep on_invalid_opcode(KernelSiginfo* info, KernelUcontext* uc) {
  const uint64_t address = uc->rip;
  uint8_t bytes[15];
  size_t len = sizeof bytes;
  while (len > 0 && !copy_from_program(bytes, address, len)) --len;
  const padlock::Decoded decoded = padlock::decode(bytes, len, padlock::CodeSize::bits64);
  const SiteState state = find_site(address).state;
  if (decoded.insn == nullptr) {
    const bool patched_meanwhile = state == SiteState::jump || state == SiteState::patching;
    return patched_meanwhile ? NextStep{0, 0} : forward(info, uc);
  }
  const NextStep next = execute(bytes, len, uc, info);
  const bool completed = uc->rip == address + decoded.length && next.handler == 0;
  const bool may_patch = config().check == 0;  // the checks see what traps
  if (completed && may_patch && state == SiteState::unknown)
    patch_padlock(address, bytes, decoded.length);
  return next;
}

NextStep on_breakpoint(KernelSiginfo* info, KernelUcontext* uc) {
  const uint64_t address = uc->rip - 1;
  const SiteInfo site = find_site(address);
  switch (site.state) {
    case SiteState::cpuid: {
      const padlock::CpuidAnswer answer =
          guest_cpuid(static_cast<uint32_t>(uc->rax), static_cast<uint32_t>(uc->rcx));
      uc->rax = answer.eax;
      uc->rbx = answer.ebx;
      uc->rcx = answer.ecx;
      uc->rdx = answer.edx;
      uc->rip = address + 2;
      look_ahead(uc);
      stats().cpuid_calls.fetch_add(1, std::memory_order_relaxed);
      return {0, 0};
    }
    case SiteState::patching:
    case SiteState::jump:
      uc->rip = address;
      return {0, 0};
    case SiteState::slow_exit: {
      const auto* trampoline = reinterpret_cast<const Trampoline*>(site.data);
      uc->rip = trampoline->site;
      return execute(trampoline->original, trampoline->length, uc, info);
    }
    default:
      return forward(info, uc);
  }
}

bool answer_probe(int signal, KernelSiginfo* info, KernelUcontext* uc) {
  const bool in_probe = uc->rip == reinterpret_cast<uint64_t>(probe_read_access) ||
                        uc->rip == reinterpret_cast<uint64_t>(probe_write_access);
  if (!in_probe || info->code <= 0) return false;
  uc->rax = static_cast<uint64_t>(signal << 8 | (info->code & 0xFF));
  uc->rip = reinterpret_cast<uint64_t>(probe_fault);
  return true;
}

}  // namespace

void install_signal_handlers() {
  for (int signal : kOwnedSignals) install_handler(signal);
  sys(__NR_rt_sigprocmask, kSigUnblock, &kOwnedMask, 0, 8);
}

}  // namespace incore::run

extern "C" uint8_t* claim_stack() {
  using namespace incore::run;
  for (;;) {
    const uint64_t used = wiped().used_stacks.load(std::memory_order_relaxed);
    if (used == ~uint64_t{0}) {  // all signals are blocked while one is held, so this ends soon
      sys(__NR_sched_yield);
      continue;
    }
    const unsigned free_stack = static_cast<unsigned>(__builtin_ctzll(~used));
    uint64_t expected = used;
    if (wiped().used_stacks.compare_exchange_weak(expected, used | uint64_t{1} << free_stack,
                                                  std::memory_order_acquire))
      return stacks[free_stack] + kStackLen;
  }
}

extern "C" void release_stack(const uint8_t* top) {
  using namespace incore::run;
  const size_t index = static_cast<size_t>(top - stacks[0]) / kStackLen - 1;
  wiped().used_stacks.fetch_and(~(uint64_t{1} << index), std::memory_order_release);
}

extern "C" NextStep handle_signal(int signal, incore::run::KernelSiginfo* info,
                                  incore::run::KernelUcontext* uc) {
  using namespace incore::run;
  if ((signal == kSigSegv || signal == kSigBus) && answer_probe(signal, info, uc)) return {0, 0};
  // A probe that faults must not be delivered onto the alternate stack that may hold this very
  // frame. The kernel puts it back into force when the handler returns.
  if ((uc->stack.flags & kSsDisable) == 0) {
    const KernelStack disabled = {0, kSsDisable, 0, 0};
    sys(__NR_sigaltstack, &disabled, 0);
  }
  switch (signal) {
    case kSigIll:
      return info->code > 0 ? on_invalid_opcode(info, uc) : forward(info, uc);
    case kSigTrap:
      if (info->code == kTrapTrace && on_single_step(uc)) return {0, 0};
      return info->code == kSiKernel ? on_breakpoint(info, uc) : forward(info, uc);
    case kSigSys: {
      constexpr int kSysSeccomp = 1;
      if (info->code == kSysSeccomp && on_system_call(uc)) return {0, 0};
      return forward(info, uc);
    }
    default:
      return forward(info, uc);
  }
}
