// Follows a thread from one XCRYPT to the next, to know whether EFLAGS bit 30 was still set there:
// silicon keeps the loaded key until PUSHF, POPF, an interrupt, an exception or a system call
// clears the bit (PadLock guide 1.66, section 3.2). None of these traps, so the thread runs in
// single steps (EFLAGS.TF) until such an instruction is the next one. There the window ends and TF
// is taken back before it can be seen. A signal between two instructions may go unnoticed; the bit
// is then taken to be set, since a program cannot count on a signal.
//
// A step costs a signal, so windows are short and few: each has a budget of steps, a site whose
// windows run out or show nothing new is followed ever more rarely, and a process has a budget in
// all. A window that is cut short says nothing.
#include "run/runtime/runtime.h"

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
  padlock::LoadedKey key;
};
constexpr size_t kNumWindows = sizeof(Wiped::step_owners) / sizeof(int32_t);
constinit Window windows[kNumWindows] = {};

// How often the windows of a site are worth their steps.
struct SiteHistory {
  std::atomic<uint64_t> site;
  std::atomic<uint32_t> to_skip, next_skip, num_quiet;
};
constexpr size_t kNumSites = 256;
constinit SiteHistory site_histories[kNumSites] = {};
constinit std::atomic<uint32_t> steps_of_process = 0;

SiteHistory& history_of(uint64_t site) {
  SiteHistory& h = site_histories[(site * 0x9E3779B97F4A7C15u) >> 56];
  if (h.site.exchange(site, std::memory_order_relaxed) != site) {  // another site gives way
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

int32_t thread_id() {
  return static_cast<int32_t>(sys(__NR_gettid));
}

// The window of this thread, or null.
Window* find_window() {
  const int32_t tid = thread_id();
  for (size_t i = 0; i < kNumWindows; ++i)
    if (wiped().step_owners[i].load(std::memory_order_relaxed) == tid) return &windows[i];
  return nullptr;
}

Window* claim_window() {
  if (Window* const own = find_window()) return own;
  for (size_t i = 0; i < kNumWindows; ++i) {
    int32_t nobody = 0;
    if (!wiped().step_owners[i].compare_exchange_strong(nobody, thread_id())) continue;
    windows[i].active = false;
    windows[i].num_abandoned = 0;
    return &windows[i];
  }
  return nullptr;
}

void release_if_unused(Window* window) {
  if (window->active || window->num_abandoned != 0) return;
  wiped().step_owners[window - windows].store(0, std::memory_order_release);
}

void close_window(Window* window, KernelUcontext* uc) {
  uc->eflags &= ~kEflagsTf;
  window->active = false;
  release_if_unused(window);
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

void begin_window(KernelUcontext* uc, const padlock::LoadedKey& key, uint64_t site) {
  Window* window = find_window();
  if (window != nullptr && window->active) {
    count_quiet(window);
    close_window(window, uc);
  }
  const bool is_stepped = (uc->eflags & kEflagsTf) != 0;
  if (is_stepped || !worth_following(site) || (window = claim_window()) == nullptr) return;
  window->active = true;
  window->num_steps = 0;
  window->site = site;
  window->key = key;
  uc->eflags |= kEflagsTf;
}

const padlock::LoadedKey* loaded_in_window(KernelUcontext* uc) {
  Window* const window = find_window();
  if (window == nullptr || !window->active) return nullptr;
  if ((uc->eflags & kEflagsTf) != 0) return &window->key;
  // A handler of the program has interrupted what was stepped, and TF comes back with its return.
  window->active = false;
  ++window->num_abandoned;
  return nullptr;
}

void look_ahead(KernelUcontext* uc) {
  if (config().check == 0 || (uc->eflags & kEflagsTf) == 0) return;
  Window* const window = find_window();
  if (window == nullptr || !window->active || !clears_next(uc)) return;
  count_quiet(window);
  close_window(window, uc);
}

void end_window(KernelUcontext* uc) {
  if (config().check == 0 || (uc->eflags & kEflagsTf) == 0) return;
  Window* const window = find_window();
  if (window != nullptr && window->active) close_window(window, uc);
}

bool steps_itself(const KernelUcontext* uc) {
  return (uc->eflags & kEflagsTf) != 0 && (config().check == 0 || find_window() == nullptr);
}

bool on_single_step(KernelUcontext* uc) {
  if (config().check == 0) return false;
  Window* const window = find_window();
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
