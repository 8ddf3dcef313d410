// GHASH arithmetic with vpmsumd (Power ISA 2.07B, Vector Polynomial Multiply-Sum), for the kernel
// `power8` and the GCM loop that has it. A number is a block as a big-endian image, so that the
// leftmost bit is the coefficient of x^0; of H the table has H^n / x, so that products need no
// shift.
#pragma once

#include "crypto/ghash/ghash_kernel.h"
#include "crypto/power8/vector.h"

namespace incore::power8 {
namespace {

constexpr size_t kNumPowers = 8;

// A number as the second operand of products. vpmsumd adds the product of the left halves and that
// of the right ones: zeros leave one of them alone, and exchanged halves give the sum of both that
// cross.
struct Factor {
  uint64x2_p8 right;      // 0 : right half
  uint64x2_p8 exchanged;  // right half : left half
  uint64x2_p8 left;       // left half : 0
};

POWER8_INLINE uint64x2_p8 exchange_halves(uint64x2_p8 x) {
  return vec_sld(x, x, 8);
}

POWER8_INLINE Factor make_factor(uint64x2_p8 x) {
  const uint64x2_p8 zero = {};
  const uint64x2_p8 exchanged = exchange_halves(x);
  return {vec_sld(zero, exchanged, 8), exchanged, vec_sld(exchanged, zero, 8)};
}

// storage: the factors H^8 / x, H^7 / x, ..., H / x.
constexpr size_t kFactorLen = 48;
static_assert(kFactorLen * kNumPowers <= GhashKey::kStorageLen);

POWER8_INLINE Factor load_power(const GhashKey& key, size_t n) {
  const uint8_t* const p = key.storage + kFactorLen * (kNumPowers - n);
  return {as_u64(vec_ld(0, p)), as_u64(vec_ld(16, p)), as_u64(vec_ld(32, p))};
}
POWER8_INLINE void store_power(GhashKey& key, size_t n, const Factor& factor) {
  uint8_t* const p = key.storage + kFactorLen * (kNumPowers - n);
  vec_st(as_u8(factor.right), 0, p);
  vec_st(as_u8(factor.exchanged), 16, p);
  vec_st(as_u8(factor.left), 32, p);
}

POWER8_INLINE uint64x2_p8 load_number(const uint8_t* p) {
  return as_u64(VectorLoadBE(p));
}
POWER8_INLINE void store_number(uint8_t* p, uint64x2_p8 x) {
  VectorStoreBE(as_u8(x), p);
}

// A sum of products that is not reduced yet: low + middle * 2^64 + high * 2^128, if the registers
// are read as integers.
struct Sum {
  uint64x2_p8 low, middle, high;
};

// quote: product
POWER8_INLINE Sum multiply(uint64x2_p8 x, const Factor& h) {
  return {vpmsumd(x, h.right), vpmsumd(x, h.exchanged), vpmsumd(x, h.left)};
}
// end of quote

POWER8_INLINE void add(Sum& sum, const Sum& s) {
  sum.low = vec_xor(sum.low, s.low);
  sum.middle = vec_xor(sum.middle, s.middle);
  sum.high = vec_xor(sum.high, s.high);
}

// 0 : x^6 + x + 1, which is (x^7 + x^2 + x) / x: products have one factor x too much.
POWER8_INLINE uint64x2_p8 modulus() {
  constexpr unsigned long long kModulus = 0xC200000000000000;
  return kLittleEndian ? uint64x2_p8{kModulus, 0} : uint64x2_p8{0, kModulus};
}

// quote: reduce
// Each of the two lowest words w is worth w x^128 = w (x^7 + x^2 + x + 1): in this order of bits, w
// times the constant one word to its left, and w itself two words to its left.
POWER8_INLINE uint64x2_p8 reduce(const Sum& s) {
  const uint64x2_p8 middle =
      vec_xor(s.middle, vec_xor(exchange_halves(s.low), vpmsumd(s.low, modulus())));
  return vec_xor(s.high, vec_xor(exchange_halves(middle), vpmsumd(middle, modulus())));
}
// end of quote

}  // namespace
}  // namespace incore::power8
