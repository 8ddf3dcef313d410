// Registers of four blocks for aes_x86_modes.h: ZMM, AVX-512 F, BW, DQ and VL.
#pragma once

#include "crypto/aes/aes_x86.h"

namespace incore {
namespace {

typedef long long Vector __attribute__((vector_size(64)));
constexpr size_t kLanes = 4;

INLINE Vector shuffle_bytes(Vector x, Vector from) {
  return (Vector)_mm512_shuffle_epi8((__m512i)x, (__m512i)from);
}
INLINE Vector broadcast(Block x) {
  return (Vector)_mm512_maskz_broadcast_i32x4(0xFFFF, (__m128i)x);
}
INLINE Vector shift_in(Block before, Vector x) {
  return __builtin_shufflevector(broadcast(before), x, 6, 7, 8, 9, 10, 11, 12, 13);
}
INLINE Vector join(const Block (&x)[4]) {
  const __m256i low = _mm256_set_m128i((__m128i)x[1], (__m128i)x[0]);
  const __m256i high = _mm256_set_m128i((__m128i)x[3], (__m128i)x[2]);
  return (Vector)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
INLINE void transpose(Vector (&x)[4]) {
  const __m512i low01 = _mm512_shuffle_i64x2((__m512i)x[0], (__m512i)x[1], 0x44);
  const __m512i low23 = _mm512_shuffle_i64x2((__m512i)x[2], (__m512i)x[3], 0x44);
  const __m512i high01 = _mm512_shuffle_i64x2((__m512i)x[0], (__m512i)x[1], 0xEE);
  const __m512i high23 = _mm512_shuffle_i64x2((__m512i)x[2], (__m512i)x[3], 0xEE);
  x[0] = (Vector)_mm512_shuffle_i64x2(low01, low23, 0x88);
  x[1] = (Vector)_mm512_shuffle_i64x2(low01, low23, 0xDD);
  x[2] = (Vector)_mm512_shuffle_i64x2(high01, high23, 0x88);
  x[3] = (Vector)_mm512_shuffle_i64x2(high01, high23, 0xDD);
}

}  // namespace
}  // namespace incore
