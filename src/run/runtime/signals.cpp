// Signals: the run-time handles its own five first, and keeps what the program wishes for them, so
// that the program sees its own handlers, masks and alternate stacks as if nothing were there. The
// filter brings rt_sigaction and rt_sigprocmask here (SIGSYS), as well as waits with a mask of
// their own and every mmap and mprotect that makes code.
#include "run/runtime/signals.h"

#include "base/bytes.h"
#include "run/runtime/confinement.h"
#include "run/runtime/hot_places.h"
#include "run/runtime/masked_waits.h"
#include "run/runtime/opens.h"
#include "run/runtime/plain_calls.h"
#include "run/runtime/probe.h"

namespace incore::run {
namespace {

constexpr size_t kStackLen = 64 * 1024;
constexpr unsigned kNumStacks = 64;

// What the program has asked for, for the owned signals.
constinit KernelSigaction program_actions[32] = {};

// Which of the owned signals a thread wants blocked; a cache that may forget (see docs/quirks.md),
// a thread id << 32 | bits.
constexpr size_t kNumMasks = 4096;

// Together, so that the beginnings, which most programs use alone, share a page table.
struct alignas(64) SignalMemory {
  std::atomic<uint64_t> blocked_masks[kNumMasks];
  uint8_t stacks[kNumStacks][kStackLen];
};
INCORE_LARGE constinit SignalMemory signal_memory = {};

// How many of them are not empty.
constinit std::atomic<int32_t> num_blocking = 0;

constexpr uint64_t kProbeSignals = signal_bit(kSigSegv) | signal_bit(kSigBus);

std::atomic<uint64_t>& mask_slot(uint64_t tid) {
  return signal_memory.blocked_masks[tid % kNumMasks];
}

uint64_t blocked_by_thread() {
  if (!blocks_owned_signals()) return 0;
  const uint64_t tid = static_cast<uint64_t>(sys(__NR_gettid));
  const uint64_t slot = mask_slot(tid).load(std::memory_order_relaxed);
  return slot >> 32 == tid ? slot & 0xFFFFFFFF : 0;
}

void set_blocked_by_thread(uint64_t owned_bits) {
  if (owned_bits == 0 && !blocks_owned_signals()) return;
  const uint64_t tid = static_cast<uint64_t>(sys(__NR_gettid));
  std::atomic<uint64_t>& slot = mask_slot(tid);
  if (owned_bits == 0 && slot.load(std::memory_order_relaxed) >> 32 != tid) return;
  const uint64_t before = slot.exchange(tid << 32 | owned_bits, std::memory_order_relaxed);
  const bool had = (before & kOwnedMask) != 0, has = owned_bits != 0;
  if (had != has) num_blocking.fetch_add(has ? 1 : -1, std::memory_order_relaxed);
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
  constexpr Word kAlways = kSaSiginfo | kSaRestorer;
  const KernelSigaction& wish = program_actions[signal];
  const bool has_handler = wish.handler != kSigDfl && wish.handler != kSigIgn;
  const bool on_stack = !has_handler || (wish.flags & kSaOnstack) != 0;
  // While a handler of ours works, only the probes may fault.
  const bool is_probe_signal = (signal_bit(signal) & kProbeSignals) != 0;
  const KernelSigaction action = {
      reinterpret_cast<Word>(signal_entry),
      kAlways | (on_stack ? kSaOnstack : 0) | (wish.flags & kSaRestart),
      reinterpret_cast<Word>(signal_restorer),
      is_probe_signal ? ~uint64_t{0} : ~kProbeSignals,
  };
  sys(__NR_rt_sigaction, signal, &action, 0, 8);
}

// The process ends by |info|'s signal as soon as the handler returns.
NextStep die(KernelSiginfo* info) {
  const KernelSigaction default_action = {};
  sys(__NR_rt_sigaction, info->signo, &default_action, 0, 8);
  sys(__NR_rt_tgsigqueueinfo, sys(__NR_getpid), sys(__NR_gettid), info->signo, info);
  return {};
}

// The signal is the program's.
NextStep forward(KernelSiginfo* info, KernelUcontext* uc) {
  forget_key(uc);
  const int signal = info->signo;
  const KernelSigaction action = program_actions[signal];
  const bool by_fault = info->code > 0;
  const bool blocked = (blocked_by_thread() & signal_bit(signal)) != 0;
  if (action.handler == kSigDfl || (by_fault && (blocked || action.handler == kSigIgn)))
    return die(info);
  if (action.handler == kSigIgn) return {};
  if ((action.flags & kSaResethand) != 0 && !shares_memory_with_parent())
    program_actions[signal].handler = kSigDfl;
  if ((uc->stack.flags & kSsDisable) == 0) sys(__NR_sigaltstack, &uc->stack, 0);
  uint64_t mask = uc->sigmask | action.mask;
  if ((action.flags & kSaNodefer) == 0) mask |= signal_bit(signal);
  return enter_handler(action, mask & ~kOwnedMask, info, uc);
}

}  // namespace

bool is_owned(int signal) {
  return signal > 0 && signal < 32 && (kOwnedMask & signal_bit(signal)) != 0;
}

bool blocks_owned_signals() {
  return num_blocking.load(std::memory_order_relaxed) != 0;
}

// ---- system calls that the filter brings here ----

// Changes and tells what the program wants for |signal|; both pointers may be null.
long change_action(int signal, KernelSigaction* new_action, KernelSigaction* old_action) {
  if (!is_owned(signal)) {
    if (new_action != nullptr) new_action->mask &= ~kOwnedMask;
    return sys(__NR_rt_sigaction, signal, new_action, old_action, sizeof new_action->mask);
  }
  if (old_action != nullptr) *old_action = program_actions[signal];
  if (new_action == nullptr || shares_memory_with_parent()) return 0;
  program_actions[signal] = *new_action;
  install_handler(signal);
  return 0;
}

uint64_t blocked_signals(const KernelUcontext& uc) {
  return uc.sigmask | blocked_by_thread();
}

void set_blocked_signals(KernelUcontext* uc, uint64_t set) {
  uc->sigmask = set & ~kOwnedMask;  // in force when the handler returns
  set_blocked_by_thread(set & kOwnedMask);
}

long on_sigprocmask(KernelUcontext* uc, int how, uint64_t new_set, uint64_t old_set,
                    uint64_t mask_len) {
  if (mask_len != sizeof(uint64_t)) return -kEinval;
  const uint64_t blocked = blocked_signals(*uc);
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
    set_blocked_signals(uc, set);
  }
  if (old_set != 0 && !copy_to_program(old_set, &blocked, sizeof blocked)) return -kEfault;
  return 0;
}

long on_mmap(const uint64_t (&arguments)[6]) {
  const auto [address, len, protection, flags, fd, offset] = arguments;
  long result;
  if (map_known_file(arguments, &result)) return result;
  result = sys(kMmap, address, len, protection, flags, fd, offset);
  if (is_error(result) || (protection & kProtExec) == 0) return result;
  const uint64_t begin = static_cast<Word>(result);
  const uint64_t end = begin + ((len + kPageMask) & ~kPageMask);
  {
    const Lock lock;  // what was known there went with the old mapping
    forget_code(begin, end);
  }
  patch_proved(begin, end);
  return result;
}

namespace {

long on_sigaction(int signal, uint64_t new_action, uint64_t old_action, uint64_t mask_len) {
  KernelSigaction wish = {}, old = {};
  if (mask_len != sizeof wish.mask) return -kEinval;
  if (new_action != 0 && !copy_from_program(&wish, new_action, sizeof wish)) return -kEfault;
  const long result =
      change_action(signal, new_action != 0 ? &wish : nullptr, old_action != 0 ? &old : nullptr);
  if (result == 0 && old_action != 0 && !copy_to_program(old_action, &old, sizeof old))
    return -kEfault;
  return result;
}

bool on_system_call(uint32_t arch, KernelUcontext* uc) {
  if (arch != kAuditArch) {
    uc->rax = static_cast<Word>(foreign_system_call(uc));
    return true;
  }
  if (is_plain_call(*uc)) return false;
  const SystemCall call(*uc);
  note_call(call, *uc);
  if (on_open(call, uc) || on_masked_wait(call, uc) || on_exec(call, uc)) return true;
  const uint64_t(&a)[6] = call.arguments;
  long result;
  switch (call.number) {
    case __NR_rt_sigaction:
      result = on_sigaction(static_cast<int>(a[0]), a[1], a[2], a[3]);
      break;
    case __NR_rt_sigprocmask:
      result = on_sigprocmask(uc, static_cast<int>(a[0]), a[1], a[2], a[3]);
      break;
    case kMmap:
      result = on_mmap(a);
      break;
    case __NR_mprotect:
    case __NR_pkey_mprotect:
      result = sys(call.number, a[0], a[1], a[2], a[3]);
      if (!is_error(result)) patch_proved(a[0], a[0] + ((a[1] + kPageMask) & ~kPageMask));
      break;
    default:
      if (!on_confinement(call, &result) && !on_old_system_call(call, uc, &result)) return false;
  }
  uc->rax = static_cast<Word>(result);
  return true;
}

// ---- instructions ----

constexpr uint32_t kCpuidsBefore = 3;
constinit HotPlaces places;

// The program's instruction before uc->rip is done. One that runs in single steps learns of it.
NextStep end_instruction(KernelSiginfo* info, KernelUcontext* uc, bool is_stepped) {
  if (!is_stepped) return {};
  *info = {};
  info->signo = kSigTrap;
  info->code = kTrapTrace;
  info->address = uc->rip;
  uc->trapno = 1;  // #DB
  uc->err = 0;
  return forward(info, uc);
}

// For the CPUID that stood at |address|.
NextStep answer_cpuid(uint64_t address, KernelSiginfo* info, KernelUcontext* uc) {
  do_cpuid(uc);
  uc->rip = static_cast<Word>(address + 2);
  look_ahead(uc);
  return end_instruction(info, uc, steps_itself(uc));
}

// Executes the instruction in |bytes| at uc->rip, which a patch took away: PadLock's, a CPUID
// behind an int3 of ours, or the load before a system call. A fault becomes the program's signal.
NextStep execute(const uint8_t* bytes, size_t len, KernelUcontext* uc, KernelSiginfo* info) {
  int fault_signal = 0;
  if (bytes[0] == kInt3) return answer_cpuid(uc->rip, info, uc);
  if (bytes[0] == kLoadOpcode) {  // of a system call
    uc->rax = static_cast<Word>(load_le32(bytes + 1));
    uc->rip += kLoadLen;
    return end_instruction(info, uc, steps_itself(uc));
  }
  execute_in_handler(bytes, len, uc, &fault_signal, info);
  return fault_signal == 0 ? end_instruction(info, uc, steps_itself(uc)) : forward(info, uc);
}

// The same for the instruction that |trampoline| was made for.
NextStep execute_for(const Trampoline* trampoline, KernelUcontext* uc, KernelSiginfo* info) {
  uc->rip = static_cast<Word>(trampoline->site);
  return execute(trampoline->original, trampoline->encoding.length, uc, info);
}

// A call of |trampoline| has been left to us.
NextStep end_call(const Trampoline* trampoline, KernelUcontext* uc, KernelSiginfo* info) {
  int fault_signal;
  uc->rip = static_cast<Word>(trampoline->site);
  if (fault_of_call(uc, &fault_signal, info)) return forward(info, uc);
  return execute_for(trampoline, uc, info);
}

// The trampoline whose code has |offset| at |address|, or null.
const Trampoline* trampoline_with(uint64_t address, unsigned offset) {
  const SiteInfo site = find_site(address - offset + kSlowTrapOffset);
  return site.state == SiteState::slow_exit ? at_address<Trampoline>(site.data) : nullptr;
}

// For the PUSHF, POPF or IRET in |site|, which stood at |address|. A program that steps itself
// learns of it even if that ends here.
NextStep reload_key(const SiteInfo& site, uint64_t address, KernelSiginfo* info,
                    KernelUcontext* uc) {
  SiteBytes original;
  std::memcpy(&original, &site.data, sizeof original);
  const bool is_stepped = steps_itself(uc);
  forget_key(uc);
  uc->rip = static_cast<Word>(address);
  LiveMemory memory;
  padlock::Trap trap;
  if (!execute_flags_insn(decode_flags_insn(original.bytes, original.length), memory, uc, &trap)) {
    restore_flags_insn(address, original);
    return {};
  }
  if (!trap) return end_instruction(info, uc, is_stepped);
  describe_fault(trap, memory, uc, info);
  return forward(info, uc);
}

NextStep on_invalid_opcode(KernelSiginfo* info, KernelUcontext* uc) {
  if (!runs_own_code(*uc)) return forward(info, uc);
  const uint64_t address = uc->rip;
  const SiteState state_before = find_site(address).state;
  if (config().debugged != 0 && state_before == SiteState::cpuid)
    return answer_cpuid(address, info, uc);
  uint8_t bytes[15];
  size_t len = sizeof bytes;
  while (len > 0 && !copy_from_program(bytes, address, len)) --len;
  const padlock::Decoded decoded = padlock::decode(bytes, len, kCodeSize);
  const SiteState state = find_site(address).state;
  if (decoded.insn == nullptr) {
    const bool patched_meanwhile = state != state_before || state == SiteState::jump ||
                                   state == SiteState::patching || state == SiteState::breakpoint;
    if (patched_meanwhile) return {};
    int fault_signal;
    const bool unended = fault_of_unended(bytes, len, uc, &fault_signal, info);
    return unended && fault_signal == 0 ? NextStep{} : forward(info, uc);
  }
  const NextStep next = execute(bytes, len, uc, info);
  const bool completed = uc->rip == address + decoded.length && next.handler == 0;
  // Keys are followed where all traps, and a debugger sees the program as it is.
  const bool may_patch = !follows_keys() && config().debugged == 0;
  if (completed && may_patch && state == SiteState::unknown) patch_padlock(address, bytes, decoded);
  return next;
}

NextStep on_breakpoint(KernelSiginfo* info, KernelUcontext* uc) {
  const uint64_t address = uc->rip - 1;
  const SiteInfo site = find_site(address);
  switch (site.state) {
    case SiteState::cpuid:
      if (site.data == kInNewImage && places.becomes_hot(address, kCpuidsBefore))
        call_supervisor(Call::hot_cpuid, address);
      return answer_cpuid(address, info, uc);
    case SiteState::flags:
      return reload_key(site, address, info, uc);
    case SiteState::patching:
      end_patching(address);
      [[fallthrough]];
    case SiteState::jump:
      uc->rip = address;
      return {};
    case SiteState::breakpoint: {
      SiteBytes original;
      std::memcpy(&original, &site.data, sizeof original);
      uc->rip = address;
      return execute(original.bytes, original.length, uc, info);
    }
    case SiteState::slow_exit:
      return end_call(at_address<const Trampoline>(site.data), uc, info);
    case SiteState::unpatched: {
      uint8_t now = kInt3;
      if (!copy_from_program(&now, address, sizeof now) || now == kInt3) return forward(info, uc);
      uc->rip = address;  // an int3 of ours stood there, until its tactic was undone
      return {};
    }
    default:
      return forward(info, uc);
  }
}

// A program that runs in single steps has done the jump at a patched site, which to it is the
// instruction.
NextStep on_trace(KernelSiginfo* info, KernelUcontext* uc) {
  if (on_single_step(uc)) return {};
  const Trampoline* const trampoline = trampoline_with(uc->rip, 0);
  return trampoline != nullptr ? execute_for(trampoline, uc, info) : forward(info, uc);
}

// A program that has alignment checked and its stack pointer misaligned may still execute PadLock
// instructions, but a trampoline cannot call from there.
NextStep on_misaligned_access(KernelSiginfo* info, KernelUcontext* uc) {
  const Trampoline* const trampoline = trampoline_with(uc->rip, kCallOffset);
  if (trampoline == nullptr) return forward(info, uc);
  // This handler has all signals blocked; a probe that faults would end the process.
  sys(__NR_rt_sigprocmask, kSigUnblock, &kProbeSignals, 0, sizeof kProbeSignals);
  uc->rsp += kRedZoneLen;
  return execute_for(trampoline, uc, info);
}

bool answer_probe(int signal, KernelSiginfo* info, KernelUcontext* uc) {
  const Word end = end_of_probe(static_cast<Word>(uc->rip));
  if (end == 0 || info->code <= 0) return false;
  uc->rax = static_cast<Word>(uc->err << 16 | signal << 8 | (info->code & 0xFF));
  uc->rip = end;
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
      return signal_memory.stacks[free_stack] + kStackLen;
  }
}

extern "C" void release_stack(const uint8_t* top) {
  using namespace incore::run;
  const size_t index = static_cast<size_t>(top - signal_memory.stacks[0]) / kStackLen - 1;
  wiped().used_stacks.fetch_and(~(uint64_t{1} << index), std::memory_order_release);
}

extern "C" incore::run::NextStep handle_signal(int signal, incore::run::KernelSiginfo* info,
                                               incore::run::KernelUcontext* uc) {
  using namespace incore::run;
  if ((signal == kSigSegv || signal == kSigBus) && answer_probe(signal, info, uc)) return {};
  // A probe that faults must not be delivered onto the alternate stack that may hold this very
  // frame. The kernel puts it back into force when the handler returns.
  if ((uc->stack.flags & kSsDisable) == 0) {
    KernelStack disabled = {};
    disabled.flags = kSsDisable;
    sys(__NR_sigaltstack, &disabled, 0);
  }
  switch (signal) {
    case kSigIll:
      return info->code > 0 ? on_invalid_opcode(info, uc) : forward(info, uc);
    case kSigTrap:
      if (info->code == kTrapTrace) return on_trace(info, uc);
      return info->code == kSiKernel ? on_breakpoint(info, uc) : forward(info, uc);
    case kSigBus:
      return info->code == kBusAdraln ? on_misaligned_access(info, uc) : forward(info, uc);
    case kSigSys: {
      constexpr int kSysSeccomp = 1, kSysUserDispatch = 2;
      if (info->code == kSysUserDispatch && on_watched_system_call(uc)) return {};
      if (info->code == kSysSeccomp && on_system_call(info->arch, uc)) return {};
      return forward(info, uc);
    }
    default:
      return forward(info, uc);
  }
}
