// System calls that programs make very often and that the filter would bring here each time:
// rt_sigaction, rt_sigprocmask, and opening a file. Libc makes each of them at one place,
//
//   B8 number     mov $number, %eax
//   0F 05         syscall
//
// where a jump takes the place of the MOV after some calls. The run-time then looks at the
// arguments and makes the call; whatever is not plain goes to the SYSCALL, which is as it was.
#include "base/bytes.h"
#include "run/runtime/hot_places.h"
#include "run/runtime/opens.h"
#include "run/runtime/signals.h"

extern "C" const char call_entry[];

namespace incore::run {
namespace {

constexpr uint32_t kCallsBefore = 63;  // to put a jump there takes as long
constexpr uint8_t kSyscall[] = {0x0F, 0x05};
constexpr unsigned kCallSiteLen = kLoadLen + sizeof kSyscall;

constinit HotPlaces places;

bool may_be_hot(long number) {
  return number == __NR_rt_sigaction || number == __NR_rt_sigprocmask || number == __NR_open ||
         number == __NR_openat;
}

void code_of_call(uint64_t trampoline, Trampoline* t) {
  static_assert(sizeof kCallTrampolineCode <= sizeof t->code);
  const auto store_jump = [&](unsigned end, uint64_t to) {
    store_le32(t->code + end - 4, static_cast<uint32_t>(to - (trampoline + end)));
  };
  std::memcpy(t->code, kCallTrampolineCode, sizeof kCallTrampolineCode);
  t->entry = address_of(call_entry);
  store_le32(t->code + kReturnOffset - 4, kEntryOffset - kReturnOffset);
  store_jump(kSlowExitOffset, t->site + kCallSiteLen);
  store_jump(sizeof kCallTrampolineCode, t->site + kLoadLen);
}

// ---- each of them: false if the call is to be made where it stands ----

bool fast_sigaction(FastFrame* frame) {
  KernelSigaction wish;
  const int signal = static_cast<int>(frame->rdi);
  if (frame->r10 != sizeof wish.mask || is_owned(signal)) return false;
  if (frame->rsi != 0 && !copy_from_program(&wish, frame->rsi, sizeof wish)) return false;
  frame->rax = static_cast<uint64_t>(change_action(signal, frame->rsi != 0 ? &wish : nullptr,
                                                   at_address<KernelSigaction>(frame->rdx)));
  return true;
}

bool fast_sigprocmask(FastFrame* frame) {
  uint64_t set = 0;
  if (frame->r10 != sizeof set || blocks_owned_signals()) return false;
  if (frame->rsi != 0 && (!copy_from_program(&set, frame->rsi, sizeof set) || (set & kOwnedMask)))
    return false;
  frame->rax = static_cast<uint64_t>(sys(__NR_rt_sigprocmask, frame->rdi,
                                         frame->rsi != 0 ? &set : nullptr, frame->rdx, sizeof set));
  return true;
}

bool fast_open(FastFrame* frame, long number) {
  const bool has_directory = number == __NR_openat;
  const uint64_t path = has_directory ? frame->rsi : frame->rdi;
  const uint64_t flags = has_directory ? frame->rdx : frame->rsi;
  if (!is_open_to_read(flags) || may_be_cpuinfo(path)) return false;
  frame->rax = static_cast<uint64_t>(sys(number, frame->rdi, frame->rsi, frame->rdx, frame->r10));
  return true;
}

bool make_call(FastFrame* frame, long number) {
  // Filters of programs shall see the calls where they stand.
  if (stats().own_filters.load(std::memory_order_relaxed) != 0) return false;
  switch (number) {
    case __NR_rt_sigaction:
      return fast_sigaction(frame);
    case __NR_rt_sigprocmask:
      return fast_sigprocmask(frame);
    default:
      return fast_open(frame, number);
  }
}

}  // namespace

void note_call(const SystemCall& call, const KernelUcontext& uc) {
  if (!may_be_hot(call.number) || follows_keys() || config().debugged != 0) return;
  const uint64_t site = uc.rip - kCallSiteLen;
  if (!places.becomes_hot(site, kCallsBefore)) return;
  uint8_t code[kCallSiteLen], load[kLoadLen];
  if (!copy_from_program(code, site, sizeof code) || code[0] != kLoadOpcode ||
      load_le32(code + 1) != static_cast<uint32_t>(call.number) ||
      std::memcmp(code + kLoadLen, kSyscall, sizeof kSyscall) != 0)
    return;
  std::memcpy(load, code, sizeof load);
  patch_call_site(site, load, code_of_call);
}

}  // namespace incore::run

// Called by call_entry. False: the system call is made where it stands.
extern "C" bool fast_call(incore::run::FastFrame* frame) {
  using namespace incore::run;
  const auto* trampoline = at_address<const Trampoline>(frame->return_address - kReturnOffset);
  const auto number = static_cast<long>(incore::load_le32(trampoline->original + 1));
  if (make_call(frame, number)) {  // and what SYSCALL leaves
    frame->rcx = trampoline->site + kCallSiteLen;
    frame->r11 = frame->flags;
    return true;
  }
  frame->rax = static_cast<uint64_t>(number);
  return false;
}
