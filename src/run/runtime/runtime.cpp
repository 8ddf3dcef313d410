// The start of the run-time in a new program image, and its small services.
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

// Where Linux lets only ancestors attach (Yama).
constexpr Word kPrSetPtracer = 0x59616d61;
constexpr Word kPrSetPtracerAny = ~Word{0};

constexpr Word kAtNull = 0, kAtHwcap = 16, kAtHwcap2 = 26;

void map_pages() {
  sys(kMmap, kWipedAddress, kWipedLen, kProtRead | kProtWrite,
      kMapPrivate | kMapAnonymous | kMapFixedNoreplace, -1, 0);
  sys(__NR_madvise, kWipedAddress, kWipedLen, kMadvWipeOnFork);
  wiped().owner_pid = static_cast<int32_t>(sys(__NR_getpid));

  const long fd = call_supervisor(Call::stats_fd, config().group);
  const int flags = is_error(fd) ? kMapPrivate | kMapAnonymous : kMapShared;
  sys(kMmap, kStatsAddress, kStatsLen, kProtRead | kProtWrite, flags | kMapFixedNoreplace,
      is_error(fd) ? -1 : fd, 0);
  if (!is_error(fd)) sys(__NR_close, fd);
}

// A program may look there instead of asking CPUID. AT_HWCAP is leaf 1 EDX of the real CPU. Of
// AT_HWCAP2 the model has FSGSBASE or nothing. AT_PLATFORM is right: it tells the width of the
// code, and that the family is 6 or more, as all models' are.
void rewrite_auxiliary_vector(Word* initial_stack) {
  constexpr Word kHwcap2Fsgsbase = 2;
  constexpr uint32_t kFsgsbase = 1;                  // of leaf 7 EBX
  Word* p = initial_stack + 1 + *initial_stack + 1;  // argc, argv, null
  while (*p++ != 0) {                                // environment, null
  }
  for (; p[0] != kAtNull; p += 2) {
    if (p[0] == kAtHwcap) p[1] = guest_cpuid(1, 0).edx;
    if (p[0] == kAtHwcap2 && !config().model.host_cpuid)
      p[1] &= (guest_cpuid(7, 0).ebx & kFsgsbase) != 0 ? kHwcap2Fsgsbase : 0;
  }
}

}  // namespace

Lock::Lock() {
  while (wiped().lock.exchange(1, std::memory_order_acquire) != 0) sys(__NR_sched_yield);
}
Lock::~Lock() {
  wiped().lock.store(0, std::memory_order_release);
}

void log_line(const char* text, uint64_t address, const char* more) {
  if (config().verbose == 0) return;
  char line[256];
  size_t len = 0;
  const auto add = [&](const char* s) {
    while (*s != 0 && len < sizeof line) line[len++] = *s++;
  };
  add(text);
  add(" 0x");
  bool started = false;
  for (int shift = 60; shift >= 0; shift -= 4) {
    const unsigned digit = address >> shift & 15;
    if (digit == 0 && !started && shift != 0) continue;
    started = true;
    if (len < sizeof line) line[len++] = "0123456789abcdef"[digit];
  }
  if (more != nullptr) {
    add(": ");
    add(more);
  }
  call_supervisor(Call::log, address_of(line), len);
}

}  // namespace incore::run

// Called once per program image by incore_runtime_entry. Returns the program's entry point.
extern "C" uint64_t runtime_start(uintptr_t* initial_stack) {
  using namespace incore::run;
  if (config().config_len != sizeof(Config)) __builtin_trap();
  config().model.cpuid = config().rows;
  map_pages();
  if (config().debugged != 0) sys(__NR_prctl, kPrSetPtracer, kPrSetPtracerAny);
  start_processor();
  rewrite_auxiliary_vector(initial_stack);
  install_signal_handlers();
  patch_proved(0, ~uint64_t{0});
  stats().images.fetch_add(1, std::memory_order_relaxed);
  return config().program_entry;
}
