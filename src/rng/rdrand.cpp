// RDRAND: a generator in the processor that its own noise source seeds (Intel DRNG Software
// Implementation Guide 2.1, sections 4.2 and 5.2; AMD64 volume 3). Ten failures in a row mean that
// the hardware is broken (section 5.2.1).
//
// Some AMD processors give only ones, with the carry flag set, after a suspend (families 15h and
// 16h) or before a firmware update (the first of family 17h model 70h). The repetition count test
// catches that.
#include "rng/source.h"

namespace incore {
namespace {

#if defined(__x86_64__) || defined(__i386__)
constexpr unsigned kTries = 10;

bool next(unsigned long* out_word) {
  for (unsigned i = 0; i < kTries; ++i) {
    bool valid;
    __asm__ volatile("rdrand %0" : "=r"(*out_word), "=@ccc"(valid));
    if (valid) return true;
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

extern const RngSource rng_rdrand = {
    .name = "rdrand",
    .summary = "RDRAND of x86: a generator that is seeded by physical noise",
    .needs = FeatureSet(Feature::rdrand),
    .missing = "this CPU has no RDRAND (x86 CPUID 1 ECX[30])",
    .fill = fill,
};

}  // namespace incore
