// GHASH for any CPU, in constant time where multiplication is: no table, no branch on data. Numbers
// hold a block with its bytes reversed, so that bit 127 is the coefficient of x^0. H is kept as H /
// x: then a product of two such numbers needs no shift. Bits that are to be multiplied without
// carries stand four apart, so that an integer product's carries end in the three zeros between
// them, which are masked away (a method known from BearSSL).
#include <new>

#include "base/bytes.h"
#include "crypto/ghash/ghash_kernel.h"

namespace incore {
namespace {

struct Number {
  uint64_t low, high;
};

Number load(const uint8_t* p) {
  return {load_be64(p + 8), load_be64(p)};
}
void store(uint8_t* p, const Number& x) {
  store_be64(p, x.high);
  store_be64(p + 8, x.low);
}

uint64_t reverse_bits(uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
  return __builtin_bswap64(x);
}

// The low half of the product without carries. In each integer product at most 16 bits add up in
// one place, and what carries out of four places falls out at the upper end.
uint64_t multiply_low(uint64_t x, uint64_t y) {
  constexpr uint64_t kEveryFourth = 0x1111111111111111;
  uint64_t product = 0;
  for (unsigned place = 0; place < 4; ++place) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < 4; ++i)
      sum ^= (x & kEveryFourth << i) * (y & kEveryFourth << (place - i) % 4);
    product |= sum & kEveryFourth << place;
  }
  return product;
}

// Half of H with what its products need: its mirror image.
struct Factor {
  uint64_t bits, mirrored;
};
Factor factor(uint64_t bits) {
  return {bits, reverse_bits(bits)};
}

// The product without carries: its high half is the mirror image of the mirror images' low half.
Number multiply(uint64_t x, const Factor& y) {
  return {multiply_low(x, y.bits), reverse_bits(multiply_low(reverse_bits(x), y.mirrored)) >> 1};
}

struct Key {
  Factor low, high, both;  // of H / x; both: low xor high, for Karatsuba's method
};
static_assert(sizeof(Key) <= GhashKey::kStorageLen);

// x times H, reduced: each of the two low words w is worth w x^128 = w (x^7 + x^2 + x + 1), which
// in this order of bits lies above it.
Number multiply(const Number& x, const Key& h) {
  const Number low = multiply(x.low, h.low);
  const Number high = multiply(x.high, h.high);
  Number middle = multiply(x.low ^ x.high, h.both);
  middle.low ^= low.low ^ high.low;
  middle.high ^= low.high ^ high.high;
  uint64_t words[4] = {low.low, low.high ^ middle.low, high.low ^ middle.high, high.high};
  for (unsigned i = 0; i < 2; ++i) {
    const uint64_t w = words[i];
    words[i + 1] ^= w << 63 ^ w << 62 ^ w << 57;
    words[i + 2] ^= w ^ w >> 1 ^ w >> 2 ^ w >> 7;
  }
  return {words[2], words[3]};
}

void set_key(const uint8_t* h, GhashKey* out_key) {
  const Number x = load(h);
  const uint64_t carry = 0 - (x.high >> 63);  // 1 / x = x^127 + x^6 + x + 1
  const uint64_t low = x.low << 1 ^ (carry & 1);
  const uint64_t high = (x.high << 1 | x.low >> 63) ^ (carry & 0xC200000000000000);
  new (out_key->storage) Key{factor(low), factor(high), factor(low ^ high)};
  out_key->kernel = &ghash_portable;
}

void update(const GhashKey& key, uint8_t* state, const uint8_t* blocks, size_t num_blocks) {
  const Key& h = *std::launder(reinterpret_cast<const Key*>(key.storage));
  Number y = load(state);
  for (; num_blocks != 0; --num_blocks, blocks += kGhashBlockLen) {
    const Number x = load(blocks);
    y = multiply({y.low ^ x.low, y.high ^ x.high}, h);
  }
  store(state, y);
}

}  // namespace

constinit const GhashKernel ghash_portable = {
    .info = {"portable", FeatureSet()},
    .set_key = set_key,
    .update = update,
};

}  // namespace incore
