// What every x86 kernel of AES is written with: blocks, how they are loaded and stored, and the
// attributes of functions. A kernel's file defines INCORE_AES_TARGET, the attribute of all its
// functions, and then includes this.
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
namespace {

typedef long long Block __attribute__((vector_size(16)));

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
