// What the key RAM of silicon holds for each thread: the key that its last XCRYPT has loaded, until
// something clears EFLAGS bit 30 (PadLock guide 1.66, section 3.2). All that clears it comes here:
// PUSHF and POPF near PadLock code by an int3 in their place, system calls by Linux's Syscall User
// Dispatch, which is on while a key is held, exceptions and PadLock instructions as signals. What
// is left, PUSHF and POPF in other code and IRET, is found in single steps (single_step.cpp). A
// signal between two instructions goes unnoticed: a program cannot count on one.
#include "base/wipe.h"
#include "run/runtime/thread_slots.h"

namespace incore::run {
namespace {

struct HeldKey {
  padlock::LoadedKey key;
  bool is_watched;  // system calls come here
};
INCORE_LARGE constinit ThreadSlots<HeldKey, &Wiped::key_owners> held_keys;

extern "C" const char __start_restorers[];

// All but those of the run-time itself, to which the return from a program's handler does not
// belong. False: this Linux is older than 5.11.
bool watch_system_calls(bool on) {
  constexpr int kPrSetSyscallUserDispatch = 59;
  const uint64_t begin = on ? kRuntimeBase : 0;
  const uint64_t len = on ? address_of(__start_restorers) - begin : 0;
  return !is_error(sys(__NR_prctl, kPrSetSyscallUserDispatch, on ? 1 : 0, begin, len, 0));
}

void hold_key(KernelUcontext* uc, const padlock::LoadedKey& key, uint64_t site) {
  HeldKey* const held = held_keys.claim();
  if (held == nullptr) return;
  if (&held->key != &key) held->key = key;
  begin_window(uc, site);
  const bool watch = !is_cleared_unseen(site);
  if (watch != held->is_watched) held->is_watched = watch_system_calls(watch) && watch;
}

// What silicon would use instead of loading a key; null: nothing, or nobody knows.
const padlock::LoadedKey* held_key(KernelUcontext* uc) {
  const HeldKey* const held = held_keys.find();
  if (held == nullptr) return nullptr;
  const Stepping stepping = stepping_since_key(uc);
  if (stepping == Stepping::all_along || (stepping == Stepping::no && held->is_watched))
    return &held->key;
  forget_key(uc);
  return nullptr;
}

}  // namespace

void forget_key(KernelUcontext* uc) {
  if (!follows_keys()) return;
  end_window(uc);
  HeldKey* const held = held_keys.find();
  if (held == nullptr) return;
  if (held->is_watched) watch_system_calls(false);
  wipe(*held);
  held_keys.release(held);
}

bool on_watched_system_call(KernelUcontext* uc) {
  const HeldKey* const held = follows_keys() ? held_keys.find() : nullptr;
  if (held == nullptr || !held->is_watched) return false;
  forget_key(uc);
  constexpr unsigned kLength = 2;  // of SYSCALL, INT 80h, and of what stands in the vDSO
  uc->rip -= kLength;              // it is made again
  return true;
}

FollowedKey::FollowedKey(padlock::Processor& processor, const padlock::Decoded& decoded,
                         padlock::Memory& memory, KernelUcontext* uc)
    : processor_(processor), decoded_(decoded), uc_(uc), site_(uc->rip) {
  if (!follows_keys()) return;
  held_ = held_key(uc);
  const bool is_xcrypt = decoded.insn->kind == padlock::Kind::xcrypt;
  const bool uses_held = held_ != nullptr && (!is_xcrypt || config().emulate_stale_key != 0);
  if (uses_held) processor.restore_key(*held_);
  loads_ = padlock::read_key_to_load(processor, decoded, memory, &key_);
}

FollowedKey::~FollowedKey() {
  wipe(key_);
}

void FollowedKey::end(bool completed) {
  if (!follows_keys()) return;
  const bool is_xcrypt = decoded_.insn->kind == padlock::Kind::xcrypt;
  const bool is_cleared = (processor_.state.rflags & padlock::kEflagsKeyLoaded) == 0;
  if (!completed || (!is_xcrypt && is_cleared)) return forget_key(uc_);
  if (loads_) {
    const bool was_used = held_ != nullptr && config().emulate_stale_key != 0;
    hold_key(uc_, was_used ? *held_ : key_, site_);
  }
  look_ahead(uc_);
}

}  // namespace incore::run
