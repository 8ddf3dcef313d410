// Looks for instructions that clear EFLAGS bit 30 and do not come to us: from an XCRYPT on, the
// thread runs in single steps (EFLAGS.TF) until an instruction that clears it is the next one.
// There the window ends, TF is taken back before it can be seen, and a PUSHF or POPF is replaced by
// int3, so that it comes to us from now on. Where that cannot be, what windows see is all that is
// known.
//
// A step costs a signal, so windows are short and few: each has a budget of steps, a site whose
// windows run out or show nothing new is followed ever more rarely, and a process has a budget in
// all.
#include "run/runtime/thread_slots.h"

namespace incore::run {
namespace {

constexpr uint64_t kEflagsTf = uint64_t{1} << 8;
constexpr uint32_t kStepsPerWindow = 2048;
constexpr uint32_t kStepsPerProcess = 1 << 16;
constexpr uint32_t kQuietWindowsInFull = 32;  // so many of a site before it is followed more rarely
constexpr uint32_t kMaxSkipped = 1024;

struct Window {
  bool active;
  uint32_t num_abandoned;  // contexts of this thread that a signal interrupted while they had TF
  uint32_t num_steps;
  uint64_t site;
};
constinit ThreadSlots<Window, &Wiped::step_owners> windows;

// How often the windows of a site are worth their steps.
struct SiteHistory {
  std::atomic<uint64_t> site;
  std::atomic<bool> cleared_unseen;  // by what stays as it is
  std::atomic<uint32_t> to_skip, next_skip, num_quiet;
};
constexpr size_t kNumSites = 256;
INCORE_LARGE constinit SiteHistory site_histories[kNumSites] = {};
constinit std::atomic<uint32_t> steps_of_process = 0;

SiteHistory& history_of(uint64_t site) {
  SiteHistory& h = site_histories[(site * 0x9E3779B97F4A7C15u) >> 56];
  if (h.site.exchange(site, std::memory_order_relaxed) != site) {  // another site gives way
    h.cleared_unseen = false;
    h.to_skip = 0;
    h.next_skip = 0;
    h.num_quiet = 0;
  }
  return h;
}

bool worth_following(uint64_t site) {
  if (steps_of_process.load(std::memory_order_relaxed) >= kStepsPerProcess) return false;
  SiteHistory& h = history_of(site);
  if (h.to_skip == 0) return true;
  --h.to_skip;
  return false;
}

void follow_more_rarely(SiteHistory& h) {
  h.next_skip = h.next_skip == 0 ? 1 : h.next_skip * 2;
  if (h.next_skip > kMaxSkipped) h.next_skip = kMaxSkipped;
  h.to_skip.store(h.next_skip);
}

void close_window(Window* window, KernelUcontext* uc) {
  uc->eflags &= ~kEflagsTf;
  window->active = false;
  if (window->num_abandoned == 0) windows.release(window);
}

// The window has come to its end and is known to.
void count_quiet(Window* window) {
  SiteHistory& h = history_of(window->site);
  if (++h.num_quiet % kQuietWindowsInFull == 0) h.next_skip = h.next_skip * 2 + 1;
  if (h.next_skip > kMaxSkipped) h.next_skip = kMaxSkipped;
  h.to_skip.store(h.next_skip);
}

bool clears_next(const KernelUcontext* uc) {
  uint8_t bytes[15];
  size_t len = sizeof bytes;
  while (len > 0 && !copy_from_program(bytes, uc->rip, len)) --len;
  if (len > 0 && bytes[0] == kInt3 && find_site(uc->rip).state == SiteState::cpuid)
    return false;  // CPUID on silicon
  return padlock::clears_key_loaded(bytes, len, kCodeSize);
}

}  // namespace

void forget_site_histories(uint64_t begin, uint64_t end) {
  if (!follows_keys()) return;
  for (SiteHistory& h : site_histories) {
    const uint64_t site = h.site.load(std::memory_order_relaxed);
    if (site >= begin && site < end) h.site.store(0, std::memory_order_relaxed);
  }
}

bool is_cleared_unseen(uint64_t site) {
  return history_of(site).cleared_unseen.load(std::memory_order_relaxed);
}

void begin_window(KernelUcontext* uc, uint64_t site) {
  Window* window = windows.find();
  if (window != nullptr && window->active) count_quiet(window);
  end_window(uc);
  const bool is_stepped = (uc->eflags & kEflagsTf) != 0;
  if (is_stepped || !worth_following(site) || (window = windows.claim()) == nullptr) return;
  window->active = true;
  window->num_steps = 0;
  window->site = site;
  uc->eflags |= kEflagsTf;
}

Stepping stepping_since_key(const KernelUcontext* uc) {
  const Window* const window = windows.find();
  if (window == nullptr || !window->active) return Stepping::no;
  if ((uc->eflags & kEflagsTf) != 0) return Stepping::all_along;
  return Stepping::interrupted;
}

void look_ahead(KernelUcontext* uc) {
  if (!follows_keys() || (uc->eflags & kEflagsTf) == 0) return;
  Window* const window = windows.find();
  if (window == nullptr || !window->active || !clears_next(uc)) return;
  count_quiet(window);
  if (!patch_flags_insn(uc->rip)) history_of(window->site).cleared_unseen = true;
  forget_key(uc);
}

void end_window(KernelUcontext* uc) {
  Window* const window = windows.find();
  if (window == nullptr || !window->active) return;
  if ((uc->eflags & kEflagsTf) != 0) return close_window(window, uc);
  // A handler of the program has interrupted what was stepped, and TF comes back with its return.
  window->active = false;
  ++window->num_abandoned;
}

bool steps_itself(const KernelUcontext* uc) {
  return (uc->eflags & kEflagsTf) != 0 && (!follows_keys() || windows.find() == nullptr);
}

bool on_single_step(KernelUcontext* uc) {
  if (!follows_keys()) return false;
  Window* const window = windows.find();
  if (window == nullptr) return false;
  if (!window->active) {
    if (window->num_abandoned == 0) return false;
    --window->num_abandoned;
    close_window(window, uc);
    return true;
  }
  steps_of_process.fetch_add(1, std::memory_order_relaxed);
  if (++window->num_steps == kStepsPerWindow) {
    follow_more_rarely(history_of(window->site));
    close_window(window, uc);
  } else {
    look_ahead(uc);
  }
  return true;
}

}  // namespace incore::run
