// Registers of two blocks for aes_x86_modes.h: YMM, AVX2.
#pragma once

#include "crypto/aes/aes_x86.h"

namespace incore {
namespace {

typedef long long Vector __attribute__((vector_size(32)));
constexpr size_t kLanes = 2;

INLINE Vector shuffle_bytes(Vector x, Vector from) {
  return (Vector)_mm256_shuffle_epi8((__m256i)x, (__m256i)from);
}
INLINE Vector broadcast(Block x) {
  return (Vector)_mm256_broadcastsi128_si256((__m128i)x);
}
INLINE Vector shift_in(Block before, Vector x) {
  return __builtin_shufflevector(broadcast(before), x, 2, 3, 4, 5);
}
INLINE Vector join(const Block (&x)[2]) {
  return (Vector)_mm256_set_m128i((__m128i)x[1], (__m128i)x[0]);
}
INLINE void transpose(Vector (&x)[2]) {
  const __m256i x0 = (__m256i)x[0], x1 = (__m256i)x[1];
  x[0] = (Vector)_mm256_permute2x128_si256(x0, x1, 0x20);
  x[1] = (Vector)_mm256_permute2x128_si256(x0, x1, 0x31);
}

}  // namespace
}  // namespace incore
