// RDSEED: conditioned physical noise (Intel DRNG Software Implementation Guide 2.1, sections 4.2
// and 5.3; AMD64 volume 3). It may run dry whenever the cores together ask faster than the noise
// comes, and gives no core its turn: one pauses and asks again, for some milliseconds (section
// 5.3.1).
//
// The 32-bit form on some AMD Zen 5 gives zeros with the carry flag set (AMD-SB-7055); one of the
// remedies there, and ours where only that form exists, is to take 0 for a failure.
#include "rng/source.h"

namespace incore {
namespace {

#if defined(__x86_64__) || defined(__i386__)
constexpr unsigned kTries = 100'000;
constexpr bool kZeroIsFailure = sizeof(long) == 4;

bool next(unsigned long* out_word) {
  for (unsigned i = 0; i < kTries; ++i) {
    bool valid;
    __asm__ volatile("rdseed %0" : "=r"(*out_word), "=@ccc"(valid));
    if (valid && !(kZeroIsFailure && *out_word == 0)) return true;
    __asm__ volatile("pause");
  }
  return false;
}

size_t fill_words(unsigned, uint8_t* out, size_t len) {
  return fill_by_words<unsigned long>(next, out, len);
}
constexpr auto fill = fill_words;
#else
constexpr decltype(RngSource::fill) fill = nullptr;
#endif

}  // namespace

extern const RngSource rng_rdseed = {
    .name = "rdseed",
    .summary = "RDSEED of x86: physical noise, conditioned",
    .needs = FeatureSet(Feature::rdseed),
    .missing = "this CPU has no RDSEED (x86 CPUID 7 EBX[18])",
    .fill = fill,
};

}  // namespace incore
