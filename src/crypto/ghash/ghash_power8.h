// GHASH arithmetic with vpmsumd (Power ISA 2.07B, Vector Polynomial Multiply-Sum), for the kernel
// `power8` and the GCM loop that has it. A number is a block as a big-endian image, so that the
// leftmost bit is the coefficient of x^0; of H the table has H^n / x, so that products need no
// shift. Peculiar: vpmsumd adds two products of 64 bits. So the blocks come in pairs, the left
// halves of both in one register and the right halves in another.
#pragma once

#include "crypto/ghash/ghash_kernel.h"
#include "crypto/power8/vector.h"

namespace incore::power8 {
namespace {

constexpr size_t kNumPowers = 12;  // whose pairs fit the registers beside all else

// Two numbers a and b.
struct Pair {
  uint64x2_p8 left;   // left half of a : left half of b
  uint64x2_p8 right;  // right half of a : right half of b
};

POWER8_INLINE uint64x2_p8 exchange_halves(uint64x2_p8 x) {
  return VectorRotateLeftBE<8>(x);
}
POWER8_INLINE Pair make_pair(uint64x2_p8 a, uint64x2_p8 b) {
  return {VectorShiftLeftBE<8>(exchange_halves(a), b), VectorShiftLeftBE<8>(a, exchange_halves(b))};
}

// Two blocks, one behind the other. The permutes that order the bytes on little-endian, where each
// half comes with its bytes reversed, also bring the halves to their places.
POWER8_INLINE Pair load_pair(const uint8_t* p) {
  constexpr uint64_t kOrder = kLittleEndian ? 0x0707070707070707 : 0;
  const uint64x2_p8 a = VectorLoadDoublewords(p), b = VectorLoadDoublewords(p, 16);
  const uint64x2_p8 left = VectorFrom64BE(0x0001020304050607 ^ kOrder, 0x1011121314151617 ^ kOrder);
  const uint64x2_p8 right =
      VectorFrom64BE(0x08090A0B0C0D0E0F ^ kOrder, 0x18191A1B1C1D1E1F ^ kOrder);
  return {VectorPermuteBE(a, b, as_u8(left)), VectorPermuteBE(a, b, as_u8(right))};
}

// The same with |y| added to the first.
POWER8_INLINE Pair load_pair(const uint8_t* p, uint64x2_p8 y) {
  const uint64x2_p8 zero = {};
  const Pair x = load_pair(p), first = make_pair(y, zero);
  return {vec_xor(x.left, first.left), vec_xor(x.right, first.right)};
}

// storage: the pairs H^12 / x, H^11 / x; H^10 / x, H^9 / x; ...; H^2 / x, H / x.
constexpr size_t kPairLen = 32;
static_assert(kPairLen * kNumPowers / 2 <= GhashKey::kStorageLen);

// The powers n and n - 1; n is even.
POWER8_INLINE Pair load_powers(const GhashKey& key, size_t n) {
  const uint8_t* const p = key.storage + kPairLen * ((kNumPowers - n) / 2);
  return {as_u64(VectorLoad(p)), as_u64(VectorLoad(p, 16))};
}

POWER8_INLINE void store_powers(GhashKey* key, size_t n, const Pair& powers) {
  uint8_t* const p = key->storage + kPairLen * ((kNumPowers - n) / 2);
  VectorStore(as_u8(powers.left), p);
  VectorStore(as_u8(powers.right), p, 16);
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

// quote: products
// One product: vpmsumd is left times left plus right times right. With a zero for one half, it is
// one of these alone; with the halves exchanged, the sum of the two products that cross.
POWER8_INLINE Sum multiply(uint64x2_p8 x, uint64x2_p8 h) {
  const uint64x2_p8 zero = {}, exchanged = exchange_halves(h);
  return {vpmsumd(x, VectorShiftLeftBE<8>(zero, exchanged)), vpmsumd(x, exchanged),
          vpmsumd(x, VectorShiftLeftBE<8>(exchanged, zero))};
}

// The sum of two products: four multiplications, as no operand needs a zero.
POWER8_INLINE void add_products(Sum& sum, const Pair& x, const Pair& h) {
  sum.low = vec_xor(sum.low, vpmsumd(x.right, h.right));
  sum.middle = vec_xor(sum.middle, vec_xor(vpmsumd(x.left, h.right), vpmsumd(x.right, h.left)));
  sum.high = vec_xor(sum.high, vpmsumd(x.left, h.left));
}
// end of quote

// quote: reduce
// Each of the two lowest words w is worth w x^128 = w (x^7 + x^2 + x + 1): in this order of bits, w
// times the constant one word to its left, and w itself two words to its left. The constant is
// (x^7 + x^2 + x) / x, as products have one factor x too much.
POWER8_INLINE uint64x2_p8 reduce(const Sum& s) {
  const uint64x2_p8 modulus = VectorFrom64BE(0, 0xC200000000000000);
  const uint64x2_p8 middle =
      vec_xor(vec_xor(s.middle, exchange_halves(s.low)), vpmsumd(s.low, modulus));
  return vec_xor(vec_xor(s.high, exchange_halves(middle)), vpmsumd(middle, modulus));
}
// end of quote

}  // namespace
}  // namespace incore::power8
