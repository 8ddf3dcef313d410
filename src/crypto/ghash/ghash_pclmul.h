// GHASH arithmetic with PCLMULQDQ on XMM registers, for the kernel `pclmul` and the GCM loop that
// has it. A number is a block with its bytes reversed, so that bit 127 is the coefficient of x^0;
// of H the table has H^n / x, so that products need no shift.
#pragma once

#include <smmintrin.h>
#include <wmmintrin.h>

#include "crypto/ghash/ghash_kernel.h"

#define PCLMUL __attribute__((target("pclmul,sse4.1")))
#define PCLMUL_INLINE PCLMUL __attribute__((always_inline)) inline

namespace incore::pclmul {
namespace {

constexpr size_t kNumPowers = 8;

// storage: H^8 / x, H^7 / x, ..., H / x; then of each the xor of its halves, in both halves.
PCLMUL_INLINE __m128i power(const GhashKey& key, size_t n) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(key.storage) + kNumPowers - n);
}
PCLMUL_INLINE __m128i folded_power(const GhashKey& key, size_t n) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(key.storage) + 2 * kNumPowers - n);
}

PCLMUL_INLINE __m128i load_number(const uint8_t* p) {
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)),
                          _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}
PCLMUL_INLINE void store_number(uint8_t* p, __m128i x) {
  x = _mm_shuffle_epi8(x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), x);
}
PCLMUL_INLINE __m128i swap_halves(__m128i x) {
  return _mm_shuffle_epi32(x, 0x4E);
}

// A sum of products that is not reduced yet, by Karatsuba's method: |middle| also has low and high
// in it.
struct Sum {
  __m128i low, middle, high;
};

PCLMUL_INLINE Sum multiply(__m128i x, __m128i h, __m128i h_folded) {
  const __m128i x_folded = _mm_xor_si128(x, swap_halves(x));
  return {_mm_clmulepi64_si128(x, h, 0x00), _mm_clmulepi64_si128(x_folded, h_folded, 0x00),
          _mm_clmulepi64_si128(x, h, 0x11)};
}

PCLMUL_INLINE void add(Sum& sum, const Sum& s) {
  sum.low = _mm_xor_si128(sum.low, s.low);
  sum.middle = _mm_xor_si128(sum.middle, s.middle);
  sum.high = _mm_xor_si128(sum.high, s.high);
}

// Each low word w is worth w x^128 = w (x^7 + x^2 + x + 1): in this order of bits, w times the
// constant one word above it, and w itself two words above it.
PCLMUL_INLINE __m128i reduce(const Sum& s) {
  const __m128i modulus = _mm_set1_epi64x(static_cast<long long>(0xC200000000000000));
  __m128i middle = _mm_xor_si128(_mm_xor_si128(s.middle, s.low), s.high);
  middle = _mm_xor_si128(
      middle, _mm_xor_si128(swap_halves(s.low), _mm_clmulepi64_si128(s.low, modulus, 0x00)));
  return _mm_xor_si128(
      s.high, _mm_xor_si128(swap_halves(middle), _mm_clmulepi64_si128(middle, modulus, 0x00)));
}

}  // namespace
}  // namespace incore::pclmul
