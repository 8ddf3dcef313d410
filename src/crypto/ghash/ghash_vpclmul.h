// GHASH arithmetic with VPCLMULQDQ on ZMM registers, four blocks in each, for the kernel `vpclmul`
// and the GCM loop that has it. Numbers are those of ghash_pclmul.h: a block with its bytes
// reversed, and H^n / x.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"  // GCC 12 warns of its own header (PR 105593)
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

#include "crypto/ghash/ghash_kernel.h"

#define VPCLMUL_TARGET "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq,pclmul"
#define VPCLMUL __attribute__((target(VPCLMUL_TARGET)))
#define VPCLMUL_INLINE VPCLMUL __attribute__((always_inline)) inline

namespace incore::vpclmul {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kBatch = 32;      // blocks that are reduced at once
constexpr size_t kNumPowers = 36;  // so that a rest of less than a batch and the lengths are, too

// storage: H^36 / x, H^35 / x, ..., H / x; then of each the xor of its halves, in both halves; then
// zeros, as the powers of the last lanes of a register are read even where the lanes are empty.
constexpr size_t kFoldedPowers = kGhashBlockLen * kNumPowers;
static_assert(2 * kFoldedPowers + kGhashBlockLen * (kLanes - 1) <= GhashKey::kStorageLen);

// The powers n, n - 1, n - 2 and n - 3.
VPCLMUL_INLINE __m512i powers(const GhashKey& key, size_t n) {
  return _mm512_loadu_si512(key.storage + kGhashBlockLen * (kNumPowers - n));
}
VPCLMUL_INLINE __m512i folded_powers(const GhashKey& key, size_t n) {
  return _mm512_loadu_si512(key.storage + kFoldedPowers + kGhashBlockLen * (kNumPowers - n));
}

VPCLMUL_INLINE __m512i reverse_bytes(__m512i x) {
  return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                                                    10, 11, 12, 13, 14, 15)));
}
VPCLMUL_INLINE __m128i reverse_bytes(__m128i x) {
  return _mm_shuffle_epi8(x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}
VPCLMUL_INLINE __m512i swap_halves(__m512i x) {
  return _mm512_shuffle_epi32(x, static_cast<_MM_PERM_ENUM>(0x4E));
}
VPCLMUL_INLINE __m512i xor3(__m512i a, __m512i b, __m512i c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

// A sum of products that is not reduced yet, by Karatsuba's method: |middle| also has low and high
// in it.
struct Sum {
  __m512i low, middle, high;
};

VPCLMUL_INLINE Sum multiply(__m512i x, __m512i h, __m512i h_folded) {
  const __m512i x_folded = _mm512_xor_si512(x, swap_halves(x));
  return {_mm512_clmulepi64_epi128(x, h, 0x00), _mm512_clmulepi64_epi128(x_folded, h_folded, 0x00),
          _mm512_clmulepi64_epi128(x, h, 0x11)};
}
// Four blocks times the powers n to n - 3.
VPCLMUL_INLINE Sum multiply(const GhashKey& key, __m512i x, size_t n) {
  return multiply(x, powers(key, n), folded_powers(key, n));
}

VPCLMUL_INLINE Sum add(const Sum& a, const Sum& b) {
  return {_mm512_xor_si512(a.low, b.low), _mm512_xor_si512(a.middle, b.middle),
          _mm512_xor_si512(a.high, b.high)};
}
VPCLMUL_INLINE Sum add(const Sum& a, const Sum& b, const Sum& c) {
  return {xor3(a.low, b.low, c.low), xor3(a.middle, b.middle, c.middle),
          xor3(a.high, b.high, c.high)};
}

// Reduces each lane: each low word w is worth w x^128 = w (x^7 + x^2 + x + 1), in this order of
// bits w times the constant one word above it, and w itself two words above it.
VPCLMUL_INLINE __m512i reduce(const Sum& s) {
  const __m512i modulus = _mm512_set1_epi64(static_cast<long long>(0xC200000000000000));
  __m512i middle = xor3(s.middle, s.low, s.high);
  middle = xor3(middle, swap_halves(s.low), _mm512_clmulepi64_epi128(s.low, modulus, 0x00));
  return xor3(s.high, swap_halves(middle), _mm512_clmulepi64_epi128(middle, modulus, 0x00));
}

VPCLMUL_INLINE __m128i sum_of_lanes(__m512i x) {
  const __m256i pairs =
      _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
}

// Up to four whole blocks; zeros in the other lanes, whose memory is not touched.
VPCLMUL_INLINE __m512i load_blocks(const uint8_t* p, size_t num_blocks) {
  const unsigned words = num_blocks < kLanes ? (1u << 2 * num_blocks) - 1 : 0xFF;
  return _mm512_maskz_loadu_epi64(static_cast<__mmask8>(words), p);
}

// GHASH over |num_blocks| blocks, going on from |y|.
VPCLMUL_INLINE __m128i hash_blocks(const GhashKey& key, __m128i y, const uint8_t* blocks,
                                   size_t num_blocks) {
  for (; num_blocks >= kBatch; num_blocks -= kBatch) {
    Sum sum = {};
#pragma GCC unroll 4
    for (size_t i = 0; i < kBatch; i += 2 * kLanes) {
      __m512i x = reverse_bytes(_mm512_loadu_si512(blocks + kGhashBlockLen * i));
      if (i == 0) x = _mm512_xor_si512(x, _mm512_zextsi128_si512(y));
      const __m512i next =
          reverse_bytes(_mm512_loadu_si512(blocks + kGhashBlockLen * (i + kLanes)));
      sum = add(sum, multiply(key, x, kBatch - i), multiply(key, next, kBatch - i - kLanes));
    }
    y = sum_of_lanes(reduce(sum));
    blocks += kGhashBlockLen * kBatch;
  }
  if (num_blocks == 0) return y;
  Sum sum = {};
  for (size_t n = num_blocks;; n -= kLanes, blocks += kGhashBlockLen * kLanes) {
    __m512i x = reverse_bytes(load_blocks(blocks, n));
    if (n == num_blocks) x = _mm512_xor_si512(x, _mm512_zextsi128_si512(y));
    sum = add(sum, multiply(key, x, n));
    if (n <= kLanes) return sum_of_lanes(reduce(sum));
  }
}

}  // namespace
}  // namespace incore::vpclmul
