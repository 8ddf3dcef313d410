// Changing the program's code so that it comes to us.
//
// CPUID does not trap, so it is replaced before it can run, by int3, at sites that the supervisor
// has proved to be code. A PadLock instruction traps (#UD), so its first execution proves it, and
// then a tactic is found for it (patcher.cpp).
#include "run/runtime/patcher.h"

namespace incore::run {
namespace {

constexpr uint16_t kCpuidOpcode = 0xA20F;
constexpr uint8_t kUd2SecondByte = 0x0B;  // with CPUID's first

constexpr int kMembarrierSyncCore = 1 << 5;
constexpr int kMembarrierRegisterSyncCore = 1 << 6;

constinit Trampolines trampolines;

// The code of this process, which the supervisor writes.
class LiveCode final : public ProgramCode {
 public:
  bool read(uint64_t address, void* out, size_t len) override {
    return copy_from_program(out, address, len);
  }

  bool write(uint64_t address, const void* in, size_t len) override {
    const auto* bytes = static_cast<const uint8_t*>(in);
    for (size_t done = 0; done < len;) {
      Word word = 0;
      const size_t n = len - done < sizeof word ? len - done : sizeof word;
      std::memcpy(&word, bytes + done, n);
      if (call_supervisor(Call::write_code, address + done, word, n) != 0) return false;
      done += n;
    }
    return true;
  }

  void synchronise() override {
    if (!is_error(sys(__NR_membarrier, kMembarrierSyncCore, 0, 0))) return;
    sys(__NR_membarrier, kMembarrierRegisterSyncCore, 0, 0);
    sys(__NR_membarrier, kMembarrierSyncCore, 0, 0);
  }

  bool is_stable(uint64_t begin, uint64_t end) override {
    return call_supervisor(Call::is_stable_code, begin, end) == 1;
  }

  bool map_page(uint64_t address) override {
    const long mapped = sys(kMmap, address, kCodePageLen, kProtRead | kProtExec,
                            kMapPrivate | kMapAnonymous | kMapFixedNoreplace, -1, 0);
    if (is_error(mapped)) return false;
    if (static_cast<Word>(mapped) == address) return true;
    sys(__NR_munmap, mapped, kCodePageLen);  // a kernel that does not know the flag
    return false;
  }
};

constexpr const char* kTacticNames[] = {
#define X(name, text, is_jump) text,
#include "run/tactics.def"
#undef X
};

// An int3, or UD2 where a debugger would take int3 for its own. A site is known before it traps,
// which another thread may meet at once. One call for all: a call takes longer than everything else
// here.
void make_cpuid_trap(uint64_t* addresses, size_t count) {
  const bool by_ud2 = config().debugged != 0;
  size_t num_sites = 0;
  for (size_t i = 0; i < count; ++i) {
    uint16_t opcode;
    if (!copy_from_program(&opcode, addresses[i], sizeof opcode) || opcode != kCpuidOpcode)
      continue;
    if (!set_site(addresses[i], SiteState::cpuid)) break;
    addresses[num_sites++] = addresses[i];
  }
  if (num_sites == 0) return;
  const long result = call_supervisor(Call::write_bytes, addresses, num_sites, by_ud2 ? 1 : 0,
                                      by_ud2 ? kUd2SecondByte : kInt3);
  const size_t num_written = is_error(result) ? 0 : static_cast<size_t>(result);
  for (size_t i = num_written; i < num_sites; ++i) set_site(addresses[i], SiteState::unknown);
  stats().cpuid_sites.fetch_add(num_written, std::memory_order_relaxed);
}

}  // namespace

void patch_padlock(uint64_t address, const uint8_t* bytes, unsigned length) {
  const Lock lock;
  if (find_site(address).state != SiteState::unknown) return;  // another thread was first
  LiveCode code;
  const Tactic tactic = patch_site(code, trampolines, {address, bytes, length});
  if (tactic == Tactic::count_) return;
  const size_t index = static_cast<size_t>(tactic);
  stats().sites[index].fetch_add(1, std::memory_order_relaxed);
  log_line("PadLock site", address, kTacticNames[index]);
}

void patch_cpuid(uint64_t begin, uint64_t end) {
  uint64_t addresses[kMaxSitesAtOnce];
  const Lock lock;
  for (long found = kMaxSitesAtOnce; found == kMaxSitesAtOnce;) {
    found = call_supervisor(Call::find_cpuid, begin, end, addresses, kMaxSitesAtOnce);
    if (is_error(found) || found == 0) return;
    begin = addresses[found - 1] + 1;
    make_cpuid_trap(addresses, static_cast<size_t>(found));
  }
}

}  // namespace incore::run
