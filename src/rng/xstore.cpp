// XSTORE of VIA PadLock: physical noise, whitened (PadLock guide 1.66, chapter 2; clauses PLK-RNG).
// The plain instruction, never REP XSTORE: that one does not end when the generator is dead. Its
// stores of four or eight bytes go to room of their own, and its status word is checked each time.
#include "rng/source.h"

#include <cstring>

#include "base/wipe.h"

namespace incore {
namespace {

#if defined(__x86_64__) || defined(__i386__)
// The slowest generator that the guide names makes 6 Mb/s, a buffer of eight bytes in 11 us; a
// pause takes 20 ns and more.
constexpr unsigned kTries = 1'000'000;

constexpr uint32_t kCount = 0x1F;  // random bytes stored
constexpr uint32_t kEnabled = 1u << 6;
constexpr uint32_t kFailed = 1u << 15;  // the string filter of Nehemiah; 0 on others

uint32_t xstore(uint8_t room[8], unsigned quality) {
  uint32_t status;
  __asm__ volatile(".byte 0x0F, 0xA7, 0xC0"
                   : "=a"(status), "+D"(room)
                   : "d"(quality)
                   : "memory", "cc");
  return status;
}

size_t fill_buffers(unsigned quality, uint8_t* out, size_t len) {
  alignas(8) uint8_t room[8];
  size_t done = 0;
  for (unsigned tries = 0; done < len && tries < kTries;) {
    const uint32_t status = xstore(room, quality), count = status & kCount;
    if ((status & kEnabled) == 0 || (status & kFailed) != 0) break;
    if (count == 0) {
      ++tries;
      __asm__ volatile("pause");
      continue;
    }
    if (count != 8u >> quality) break;  // no generator that the guide describes
    const size_t n = len - done < count ? len - done : count;
    std::memcpy(out + done, room, n);
    done += n;
    tries = 0;
  }
  wipe(room);
  return done;
}
constexpr auto fill = fill_buffers;
#else
constexpr decltype(RngSource::fill) fill = nullptr;
#endif

}  // namespace

extern const RngSource rng_xstore = {
    .name = "xstore",
    .summary = "XSTORE of VIA PadLock: physical noise, whitened",
    .needs = FeatureSet(Feature::padlock_rng),
    .missing = "this CPU has no PadLock generator, or it is not enabled (CPUID C0000001 EDX[3:2])",
    .fill = fill,
};

}  // namespace incore
