// Changing the program's code so that it comes to us.
//
// CPUID does not trap, so it is replaced before it can run, by int3, at sites that the supervisor
// has proved to be code. A PadLock instruction traps (#UD), so its first execution proves it, and
// then a tactic is found for it (patcher.cpp).
#include "run/runtime/patcher.h"

namespace incore::run {
namespace {

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
  constexpr long kCapacity = 512;
  uint64_t addresses[kCapacity];
  const Lock lock;
  LiveCode code;
  for (long count = kCapacity; count == kCapacity;) {
    count = call_supervisor(Call::find_cpuid, begin, end, addresses, kCapacity);
    if (is_error(count)) return;
    for (long i = 0; i < count; ++i) {
      uint16_t opcode;
      if (!copy_from_program(&opcode, addresses[i], sizeof opcode) || opcode != 0xA20F) continue;
      if (!set_site(addresses[i], SiteState::cpuid)) return;
      if (!code.write(addresses[i], &kInt3, sizeof kInt3)) {
        set_site(addresses[i], SiteState::unknown);
        continue;
      }
      stats().cpuid_sites.fetch_add(1, std::memory_order_relaxed);
    }
    if (count > 0) begin = addresses[count - 1] + 1;
  }
}

}  // namespace incore::run
