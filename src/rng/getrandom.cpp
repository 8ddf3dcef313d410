// getrandom of Linux: the kernel's generator, seeded from all that the kernel trusts
// (getrandom(2)). It waits once, after boot, until that is enough. Requests beyond 256 bytes may be
// cut short by a signal; one that interrupts it before it has begun is no failure.
#include "rng/source.h"

#if defined(__linux__)
#include <sys/random.h>

#include <cerrno>
#endif

namespace incore {
namespace {

#if defined(__linux__)
size_t fill_by_calls(unsigned, uint8_t* out, size_t len) {
  const int saved_errno = errno;
  size_t done = 0;
  while (done < len) {
    const ssize_t n = getrandom(out + done, len - done, 0);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) done += static_cast<size_t>(n);
  }
  errno = saved_errno;
  return done;
}
constexpr auto fill = fill_by_calls;
#else
constexpr decltype(RngSource::fill) fill = nullptr;
#endif

}  // namespace

extern const RngSource rng_getrandom = {
    .name = "getrandom",
    .summary = "getrandom of the kernel: a generator that many sources seed",
    .needs = FeatureSet(),
    .missing = "this system has no getrandom",
    .fill = fill,
};

}  // namespace incore
