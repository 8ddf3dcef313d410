// What the x86 kernels of AES share beyond their modes (aes_x86_modes.h): the key schedules, which
// AES-NI makes for all of them, and the instructions on single blocks (Intel SDM, AESENC and its
// like). A kernel's file defines INCORE_AES_TARGET, the attribute of all its functions, and then
// includes this.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "crypto/aes/aes_kernel.h"

#define TARGET INCORE_AES_TARGET
#define INLINE TARGET __attribute__((always_inline)) inline
// Loops over registers are unrolled before anything else is done to them: else they would be
// arrays.
#define UNROLL _Pragma("GCC unroll 16")

namespace incore {

void aes_x86_expand_key(const uint8_t* key, size_t key_len, unsigned rounds,
                        AesRoundKeys* out_forward);
void aes_x86_invert_key(const AesRoundKeys& forward, AesRoundKeys* out_inverse);

namespace {

typedef long long Block __attribute__((vector_size(16)));

INLINE Block encrypt_round(Block x, Block k) {
  return (Block)_mm_aesenc_si128((__m128i)x, (__m128i)k);
}
INLINE Block encrypt_last(Block x, Block k) {
  return (Block)_mm_aesenclast_si128((__m128i)x, (__m128i)k);
}
INLINE Block decrypt_round(Block x, Block k) {
  return (Block)_mm_aesdec_si128((__m128i)x, (__m128i)k);
}
INLINE Block decrypt_last(Block x, Block k) {
  return (Block)_mm_aesdeclast_si128((__m128i)x, (__m128i)k);
}
INLINE Block shuffle_bytes(Block x, Block from) {
  return (Block)_mm_shuffle_epi8((__m128i)x, (__m128i)from);
}

template <class V>
INLINE V load(const uint8_t* p) {
  typedef V Unaligned __attribute__((aligned(1), may_alias));
  return *reinterpret_cast<const Unaligned*>(p);
}
template <class V>
INLINE void store(uint8_t* p, V x) {
  typedef V Unaligned __attribute__((aligned(1), may_alias));
  *reinterpret_cast<Unaligned*>(p) = x;
}

}  // namespace
}  // namespace incore
