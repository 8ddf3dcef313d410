// Vector helpers for POWER8: loads and stores, shifts, permutes (POWER8 guide, chapter 2). Names
// are the guide's.
//
// Vectors come in two orders. In native order, element i of the vector is element i in memory. As a
// big-endian image, the first byte in memory is the leftmost of the register: what the crypto
// instructions need, and on big-endian machines the same as native order. Functions whose names end
// in BE make and take the image; what is "left" below is left in the register.
#pragma once

#include "crypto/power8/insns.h"

namespace incore::power8 {

// The 16 bytes at |p|, of any alignment, as a big-endian image. On little-endian: a load and one
// permute.
POWER8_INLINE uint8x16_p8 VectorLoadBE(const uint8_t* p) {
  return vec_xl_be(0, const_cast<uint8_t*>(p));
}
POWER8_INLINE void VectorStoreBE(uint8x16_p8 x, uint8_t* p) {
  vec_xst_be(x, 0, p);
}

// The 16 bytes at |p|, of any alignment, in native order.
POWER8_INLINE uint8x16_p8 VectorLoadu(const uint8_t* p) {
  return vec_xl(0, const_cast<uint8_t*>(p));
}
POWER8_INLINE void VectorStoreu(uint8x16_p8 x, uint8_t* p) {
  vec_xst(x, 0, p);
}

// |x| with its bytes in the opposite order: from native order to the big-endian image and back on a
// little-endian machine.
POWER8_INLINE uint8x16_p8 VectorReverse(uint8x16_p8 x) {
  return vec_reve(x);
}

}  // namespace incore::power8
