// Vector helpers for POWER8: loads and stores, shifts, permutes (POWER8 guide, chapter 2). Names
// are the guide's.
//
// Vectors come in two orders. In native order, element i of the vector is element i in memory. As a
// big-endian image, the first byte in memory is the leftmost of the register: what the crypto
// instructions need, and on big-endian machines the same as native order. Functions whose names end
// in BE make and take the image; "left" is left in the register. Addresses are p + offset bytes.
#pragma once

#include <cassert>

#include "crypto/power8/insns.h"

namespace incore::power8 {

// The 16 bytes at an address that is a multiple of 16, in native order. For tables of our own: the
// instruction drops the low four bits of any other address without a word, so that debug builds
// check it.
struct RegisterBytes {
  uint8_t bytes[16];
};
POWER8_INLINE uint8x16_p8 VectorLoad(const void* p, ptrdiff_t offset = 0) {
  assert((reinterpret_cast<uintptr_t>(p) + static_cast<uintptr_t>(offset)) % 16 == 0);
  const uint8_t* const at = static_cast<const uint8_t*>(p) + offset;
  uint8x16_p8 x;  // of the built-in, GCC 12 makes up to four instructions
  __asm__("lvx %0,%y1" : "=v"(x) : "Z"(*reinterpret_cast<const RegisterBytes*>(at)));
  return x;
}
POWER8_INLINE void VectorStore(uint8x16_p8 x, void* p, ptrdiff_t offset = 0) {
  assert((reinterpret_cast<uintptr_t>(p) + static_cast<uintptr_t>(offset)) % 16 == 0);
  vec_st(x, offset, static_cast<uint8_t*>(p));
}

// The 16 bytes at any address, in native order. On little-endian: a load and a swap of doublewords.
POWER8_INLINE uint8x16_p8 VectorLoadu(const void* p, ptrdiff_t offset = 0) {
  return vec_xl(offset, static_cast<uint8_t*>(const_cast<void*>(p)));
}
POWER8_INLINE void VectorStoreu(uint8x16_p8 x, void* p, ptrdiff_t offset = 0) {
  vec_xst(x, offset, static_cast<uint8_t*>(p));
}

// The 16 bytes at any address as a big-endian image. On little-endian: a load and one permute. Only
// the built-in for bytes does this: those for wider elements leave each element in native order.
POWER8_INLINE uint8x16_p8 VectorLoadBE(const void* p, ptrdiff_t offset = 0) {
  return vec_xl_be(offset, static_cast<uint8_t*>(const_cast<void*>(p)));
}
POWER8_INLINE void VectorStoreBE(uint8x16_p8 x, void* p, ptrdiff_t offset = 0) {
  vec_xst_be(x, offset, static_cast<uint8_t*>(p));
}

// |x| with its bytes in the opposite order: from native order to the big-endian image and back on a
// little-endian machine.
POWER8_INLINE uint8x16_p8 VectorReverse(uint8x16_p8 x) {
  return vec_reve(x);
}

// quote: shifts
// Bytes |num_bytes| to |num_bytes| + 15 of |a| followed by |b|, counted from the left: what vsldoi
// does.
template <unsigned num_bytes, class Vector>
POWER8_INLINE Vector VectorShiftLeftBE(Vector a, Vector b) {
  static_assert(num_bytes < 16, "vsldoi shifts by 0 to 15 bytes");
  return reinterpret_cast<Vector>(vec_sld(as_u8(a), as_u8(b), num_bytes));
}

// The same for vectors in native order, counted as in memory. A little-endian register has memory's
// last byte on the left, so that the operands change places and the count is 16's complement, which
// vsldoi has for all but 0.
template <unsigned num_bytes, class Vector>
POWER8_INLINE Vector VectorShiftLeft(Vector a, Vector b) {
  static_assert(num_bytes < 16, "16's complement would let it pass");
  if constexpr (!kLittleEndian || num_bytes == 0)
    return VectorShiftLeftBE<num_bytes>(a, b);
  else
    return VectorShiftLeftBE<16 - num_bytes>(b, a);
}
// end of quote

template <unsigned num_bytes, class Vector>
POWER8_INLINE Vector VectorRotateLeftBE(Vector x) {
  return VectorShiftLeftBE<num_bytes>(x, x);
}
template <unsigned num_bytes, class Vector>
POWER8_INLINE Vector VectorRotateLeft(Vector x) {
  return VectorShiftLeft<num_bytes>(x, x);
}

// Byte i of the result is the byte of |a| followed by |b| that the low five bits of mask[i] number;
// all three and the result in native order. On little-endian the compiler complements the mask,
// which costs an instruction unless the mask is a constant.
template <class Vector>
POWER8_INLINE Vector VectorPermute(Vector a, Vector b, uint8x16_p8 mask) {
  return reinterpret_cast<Vector>(vec_perm(as_u8(a), as_u8(b), mask));
}
// The same for big-endian images: the instruction vperm as it is.
template <class Vector>
POWER8_INLINE Vector VectorPermuteBE(Vector a, Vector b, uint8x16_p8 mask) {
  Vector r;
  __asm__("vperm %0,%1,%2,%3" : "=v"(r) : "v"(a), "v"(b), "v"(mask));
  return r;
}

// An image of two doublewords, and each of them.
POWER8_INLINE uint64x2_p8 VectorFrom64BE(uint64_t left, uint64_t right) {
  return kLittleEndian ? uint64x2_p8{right, left} : uint64x2_p8{left, right};
}
POWER8_INLINE uint64_t VectorLeft64BE(uint64x2_p8 x) {
  return x[kLittleEndian ? 1 : 0];
}
POWER8_INLINE uint64_t VectorRight64BE(uint64x2_p8 x) {
  return x[kLittleEndian ? 0 : 1];
}

// The 16 bytes at any address as two doublewords in the machine's byte order, the first on the
// left: one load or store for either endian, where a big-endian image costs a permute too. For data
// that are only added to others of this form.
POWER8_INLINE uint64x2_p8 VectorLoadDoublewords(const void* p, ptrdiff_t offset = 0) {
  return vec_xl_be(offset, static_cast<unsigned long long*>(const_cast<void*>(p)));
}
POWER8_INLINE void VectorStoreDoublewords(uint64x2_p8 x, void* p, ptrdiff_t offset = 0) {
  vec_xst_be(x, offset, static_cast<unsigned long long*>(p));
}
// From a big-endian image to that form.
POWER8_INLINE uint64x2_p8 VectorDoublewordsFromBE(uint8x16_p8 x) {
  if constexpr (!kLittleEndian) return as_u64(x);
  const uint64x2_p8 mask = VectorFrom64BE(0x0706050403020100, 0x0F0E0D0C0B0A0908);
  return as_u64(VectorPermuteBE(x, x, as_u8(mask)));
}

}  // namespace incore::power8
