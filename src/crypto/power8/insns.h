// The POWER8 crypto instructions (Power ISA 2.07B, Vector.AES, Vector.SHA2, Vector.RAID and the
// vpmsum family) as functions, and the vector types. All that GCC and Clang call differently stands
// here and nowhere else.
//
// Instructions see a register as big-endian: element 0 of the manual is the leftmost. The file that
// includes this is compiled with -mcpu=power8, which altivec.h asks for; all functions are inlined,
// so that no code for POWER8 can serve the rest of the program.
#pragma once

#if !defined(__powerpc64__) || !defined(__ALTIVEC__) || !defined(__CRYPTO__)
#error "compile this file with -mcpu=power8"
#endif

#include <altivec.h>
#undef vector
#undef pixel
#undef bool

#include <cstddef>
#include <cstdint>

#define POWER8_INLINE [[gnu::always_inline]] static inline

namespace incore::power8 {

using uint8x16_p8 = __vector unsigned char;
using uint16x8_p8 = __vector unsigned short;
using uint32x4_p8 = __vector unsigned int;
using uint64x2_p8 = __vector unsigned long long;  // the spelling that both compilers take

#if defined(__LITTLE_ENDIAN__) && __LITTLE_ENDIAN__
constexpr bool kLittleEndian = true;
#else
constexpr bool kLittleEndian = false;
#endif

// The cast between vector types; no instruction.
template <class Vector>
POWER8_INLINE uint8x16_p8 as_u8(Vector x) {
  return reinterpret_cast<uint8x16_p8>(x);
}
template <class Vector>
POWER8_INLINE uint32x4_p8 as_u32(Vector x) {
  return reinterpret_cast<uint32x4_p8>(x);
}
template <class Vector>
POWER8_INLINE uint64x2_p8 as_u64(Vector x) {
  return reinterpret_cast<uint64x2_p8>(x);
}

// Of GCC's built-ins, those that take bytes: with doublewords, GCC 12 copies the states of a loop
// from register to register in each turn. Clang 14 has only those for doublewords.

// One round: SubBytes, ShiftRows, MixColumns, AddRoundKey.
POWER8_INLINE uint8x16_p8 vcipher(uint8x16_p8 state, uint8x16_p8 round_key) {
#if defined(__clang__)
  return as_u8(__builtin_crypto_vcipher(as_u64(state), as_u64(round_key)));
#else
  return __builtin_crypto_vcipher_be(state, round_key);
#endif
}
// The last round: SubBytes, ShiftRows, AddRoundKey.
POWER8_INLINE uint8x16_p8 vcipherlast(uint8x16_p8 state, uint8x16_p8 round_key) {
#if defined(__clang__)
  return as_u8(__builtin_crypto_vcipherlast(as_u64(state), as_u64(round_key)));
#else
  return __builtin_crypto_vcipherlast_be(state, round_key);
#endif
}
// One round back: InvShiftRows, InvSubBytes, AddRoundKey, InvMixColumns. So it takes the round keys
// of encryption as they are.
POWER8_INLINE uint8x16_p8 vncipher(uint8x16_p8 state, uint8x16_p8 round_key) {
#if defined(__clang__)
  return as_u8(__builtin_crypto_vncipher(as_u64(state), as_u64(round_key)));
#else
  return __builtin_crypto_vncipher_be(state, round_key);
#endif
}
// The last round back: InvShiftRows, InvSubBytes, AddRoundKey.
POWER8_INLINE uint8x16_p8 vncipherlast(uint8x16_p8 state, uint8x16_p8 round_key) {
#if defined(__clang__)
  return as_u8(__builtin_crypto_vncipherlast(as_u64(state), as_u64(round_key)));
#else
  return __builtin_crypto_vncipherlast_be(state, round_key);
#endif
}
// SubBytes.
POWER8_INLINE uint8x16_p8 vsbox(uint8x16_p8 state) {
  return as_u8(__builtin_crypto_vsbox(as_u64(state)));
}

// The sum of two numbers of 128 bits. Clang 14 would make some of the built-in's sums in general
// registers; GCC 12 places a built-in well among the others, and the assembler's text badly.
POWER8_INLINE uint8x16_p8 vadduqm(uint8x16_p8 a, uint8x16_p8 b) {
#if defined(__clang__)
  uint8x16_p8 sum;
  __asm__("vadduqm %0,%1,%2" : "=v"(sum) : "v"(a), "v"(b));
  return sum;
#else
  __extension__ typedef __vector unsigned __int128 Number;
  return as_u8(vec_add(reinterpret_cast<Number>(a), reinterpret_cast<Number>(b)));
#endif
}

// The two compilers' names of one built-in for each element: b, h, w, d.
#if defined(__clang__)
#define POWER8_VPMSUM(element) __builtin_altivec_crypto_vpmsum##element
#else
#define POWER8_VPMSUM(element) __builtin_crypto_vpmsum##element
#endif

// Carry-less products of all pairs of elements; the products of an even element and the odd one to
// its right are added (xor), and stand in the place of both.
POWER8_INLINE uint8x16_p8 vpmsumb(uint8x16_p8 a, uint8x16_p8 b) {
  return POWER8_VPMSUM(b)(a, b);
}
POWER8_INLINE uint16x8_p8 vpmsumh(uint16x8_p8 a, uint16x8_p8 b) {
  return POWER8_VPMSUM(h)(a, b);
}
POWER8_INLINE uint32x4_p8 vpmsumw(uint32x4_p8 a, uint32x4_p8 b) {
  return POWER8_VPMSUM(w)(a, b);
}
POWER8_INLINE uint64x2_p8 vpmsumd(uint64x2_p8 a, uint64x2_p8 b) {
  return POWER8_VPMSUM(d)(a, b);
}
#undef POWER8_VPMSUM

// The sigma functions of FIPS 180-4, section 4.1.2 and 4.1.3. |upper|: 0 for the lower-case sigmas,
// 1 for the upper-case; |which|: 0 or 15 for number 0 or 1 in all elements. Other values of |which|
// mix the two, and GCC 12 gets them wrong on little-endian (its pass that removes swaps takes the
// instruction for one that treats all elements alike).
template <int upper, int which>
POWER8_INLINE uint32x4_p8 vshasigmaw(uint32x4_p8 x) {
  static_assert((upper == 0 || upper == 1) && (which == 0 || which == 15));
  return __builtin_crypto_vshasigmaw(x, upper, which);
}
template <int upper, int which>
POWER8_INLINE uint64x2_p8 vshasigmad(uint64x2_p8 x) {
  static_assert((upper == 0 || upper == 1) && (which == 0 || which == 15));
  return __builtin_crypto_vshasigmad(x, upper, which);
}

// Byte i is the byte of |a| that the high nibble of indices[i] names, xor that of |b| by the low
// nibble; bytes count from the left of the register.
POWER8_INLINE uint8x16_p8 vpermxor(uint8x16_p8 a, uint8x16_p8 b, uint8x16_p8 indices) {
  uint8x16_p8 r;
  __asm__("vpermxor %0,%1,%2,%3" : "=v"(r) : "v"(a), "v"(b), "v"(indices));
  return r;
}

}  // namespace incore::power8
