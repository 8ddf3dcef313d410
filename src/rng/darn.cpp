// DARN of POWER9, Deliver A Random Number: 64 conditioned bits of physical noise (Power ISA 3.0B,
// section 3.3.9). All ones is no number but says that none could be had; ten attempts are what its
// programming note advises.
#include "rng/source.h"

namespace incore {
namespace {

#if defined(__powerpc64__)
constexpr unsigned kTries = 10;

bool next(uint64_t* out_word) {
  for (unsigned i = 0; i < kTries; ++i) {
    // darn 3,1: compilers for POWER8 do not know it.
    register uint64_t word __asm__("r3");
    __asm__ volatile(".long 0x7C6105E6" : "=r"(word));
    *out_word = word;
    if (~word != 0) return true;
  }
  return false;
}

size_t fill_words(unsigned, uint8_t* out, size_t len) {
  return fill_by_words<uint64_t>(next, out, len);
}
constexpr auto fill = fill_words;
#else
constexpr decltype(RngSource::fill) fill = nullptr;
#endif

}  // namespace

extern const RngSource rng_darn = {
    .name = "darn",
    .summary = "DARN of POWER9: physical noise, conditioned",
    .needs = FeatureSet(Feature::darn),
    .missing = "this CPU has no DARN (POWER AT_HWCAP2 00200000)",
    .fill = fill,
};

}  // namespace incore
