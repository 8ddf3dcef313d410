// Montgomery multiplication without special instructions. Where the compiler has 128-bit integers,
// words of 64 bits, in the order of mont_steps.h; elsewhere mont_steps.h itself, on halves of
// words.
#include "crypto/mont/mont_kernel.h"
#include "crypto/mont/mont_words.h"

namespace incore {
namespace {

#if defined(__SIZEOF_INT128__)

__extension__ typedef unsigned __int128 uint128;

void mul(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
         uint64_t* t) {
  const size_t words = modulus.words;
  const uint64_t* const m = modulus.m;
  for (size_t j = 0; j <= words; ++j) t[j] = 0;
  for (size_t i = 0; i < words; ++i) {
    const uint64_t b_i = b[i];
    uint128 product = uint128{a[0]} * b_i + t[0];
    const uint64_t u = static_cast<uint64_t>(product) * modulus.m_prime;
    uint128 reduced = uint128{m[0]} * u + static_cast<uint64_t>(product);  // low word is 0
    for (size_t j = 1; j < words; ++j) {
      product = uint128{a[j]} * b_i + t[j] + static_cast<uint64_t>(product >> 64);
      reduced =
          uint128{m[j]} * u + static_cast<uint64_t>(product) + static_cast<uint64_t>(reduced >> 64);
      t[j - 1] = static_cast<uint64_t>(reduced);
    }
    const uint128 top = (product >> 64) + (reduced >> 64) + t[words];
    t[words - 1] = static_cast<uint64_t>(top);
    t[words] = static_cast<uint64_t>(top >> 64);
  }
  words_reduce_once(out, t, t[words], m, words);
}

#else

// The halves of |words| words, lowest first.
const uint32_t* halves(uint32_t* out, const uint64_t* a, size_t words) {
  for (size_t j = 0; j < words; ++j) {
    out[2 * j] = static_cast<uint32_t>(a[j]);
    out[2 * j + 1] = static_cast<uint32_t>(a[j] >> 32);
  }
  return out;
}

void mul(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
         uint64_t* scratch) {
  const size_t words = modulus.words;
  uint32_t* const t = reinterpret_cast<uint32_t*>(scratch);
  uint32_t* const space = t + 2 * words + 2;
  const uint32_t* const m = halves(space + 4 * words, modulus.m, words);
  montmul(t, halves(space, a, words), halves(space + 2 * words, b, words), m,
          static_cast<uint32_t>(modulus.m_prime), 2 * words);
  mont_subtract_if_not_below(t, m, 2 * words);
  for (size_t j = 0; j < words; ++j) out[j] = t[2 * j] | uint64_t{t[2 * j + 1]} << 32;
}

#endif

}  // namespace

constinit const MontKernel mont_portable = {{"portable", FeatureSet()}, mul, nullptr};

}  // namespace incore
