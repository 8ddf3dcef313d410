// The start of the run-time in a new program image, and its small services.
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

// Where Linux lets only ancestors attach (Yama).
constexpr Word kPrSetPtracer = 0x59616d61;
constexpr Word kPrSetPtracerAny = ~Word{0};

constexpr Word kAtNull = 0, kAtHwcap = 16, kAtHwcap2 = 26;

void map(uint64_t address, size_t len, int flags, int fd = -1) {
  const long result = sys(kMmap, address, len, kProtRead | kProtWrite,
                          flags | kMapFixedNoreplace | (fd < 0 ? kMapAnonymous : 0), fd, 0);
  if (static_cast<Word>(result) == address) return;
  call_supervisor(Call::cannot_start, result);
  __builtin_trap();
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

// Called first of all, on the program's stack: there is no data before. |fd| is the group's memory;
// negative: none, so that our counts are nobody's.
extern "C" void runtime_map(int fd) {
  using namespace incore::run;
  // Linux counts memory that may grow as stack, so the program keeps all that RLIMIT_DATA allows
  // it. It never grows, because below it lies code.
  map(config().data_address, config().data_len, kMapPrivate | kMapGrowsdown);
  // Page by page it would take longer, and read before it is written twice as long. Linux before
  // 5.14 does not know this.
  constexpr size_t kSmallVariables = 0x3000;
  sys(__NR_madvise, config().data_address,
      (config().data_file_len + kSmallVariables + kPageMask) & ~kPageMask, kMadvPopulateWrite);
  std::memcpy(at_address<void>(config().data_address),
              at_address<const void>(kRuntimeBase + kImageDataOffset), config().data_file_len);
  map(kStatsAddress, kSharedLen, fd < 0 ? kMapPrivate : kMapShared, fd);
  if (fd >= 0) sys(__NR_close, fd);
  map(kWipedAddress, kWipedLen, kMapPrivate);
  sys(__NR_madvise, kWipedAddress, kWipedLen, kMadvWipeOnFork);
  wiped().owner_pid = static_cast<int32_t>(sys(__NR_getpid));
}

// Called then, once per program image. Returns the program's entry point.
extern "C" uint64_t runtime_start(uintptr_t* initial_stack, const incore::run::StartInfo* info) {
  using namespace incore::run;
  if (config().config_len != sizeof(Config)) __builtin_trap();
  if (config().debugged != 0) sys(__NR_prctl, kPrSetPtracer, kPrSetPtracerAny);
  rewrite_auxiliary_vector(initial_stack);
  install_signal_handlers();
  patch_first(*info);
  stats().images.fetch_add(1, std::memory_order_relaxed);
  return info->program_entry;
}
