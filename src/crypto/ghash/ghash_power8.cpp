// GHASH with vpmsumd (Power ISA 2.07B): eight blocks times eight powers of H, and one reduction for
// all of them.
#if defined(__powerpc64__)

#include "crypto/ghash/ghash_power8.h"

namespace incore {
namespace {

using namespace power8;

// x / x^1: a shift, and for the bit that falls out 1 / x = x^127 + x^6 + x + 1.
POWER8_INLINE uint64x2_p8 over_x(uint8x16_p8 x) {
  constexpr uint8_t kLeft = 0xC2, kRight = 0x01;
  const uint8x16_p8 inverse =
      kLittleEndian ? uint8x16_p8{kRight, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kLeft}
                    : uint8x16_p8{kLeft, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kRight};
  const uint8x16_p8 leftmost = vec_splat(x, kLittleEndian ? 15 : 0);
  const uint8x16_p8 carry = (uint8x16_p8)vec_sra((__vector signed char)leftmost, vec_splat_u8(7));
  return as_u64(vec_xor(vec_sll(x, vec_splat_u8(1)), vec_and(inverse, carry)));
}

void set_key(const uint8_t* h, GhashKey* out_key) {
  const Factor factor = make_factor(over_x(VectorLoadBE(h)));
  uint64x2_p8 power = exchange_halves(factor.exchanged);
  store_power(*out_key, 1, factor);
  for (size_t n = 2; n <= kNumPowers; ++n) {
    power = reduce(multiply(power, factor));
    store_power(*out_key, n, make_factor(power));
  }
  out_key->kernel = &ghash_power8;
}

// Up to kNumPowers blocks.
POWER8_INLINE uint64x2_p8 hash_batch(const GhashKey& key, uint64x2_p8 y, const uint8_t* blocks,
                                     size_t num_blocks) {
  Sum sum = {};
#pragma GCC unroll 8
  for (size_t i = 1; i < num_blocks; ++i)
    add(sum, multiply(load_number(blocks + kGhashBlockLen * i), load_power(key, num_blocks - i)));
  // The block that has to wait for the batch before comes last.
  add(sum, multiply(vec_xor(y, load_number(blocks)), load_power(key, num_blocks)));
  return reduce(sum);
}

void update(const GhashKey& key, uint8_t* state, const uint8_t* blocks, size_t num_blocks) {
  uint64x2_p8 y = load_number(state);
  for (; num_blocks >= kNumPowers; num_blocks -= kNumPowers, blocks += kGhashBlockLen * kNumPowers)
    y = hash_batch(key, y, blocks, kNumPowers);
  if (num_blocks != 0) y = hash_batch(key, y, blocks, num_blocks);
  store_number(state, y);
}

}  // namespace

constinit const GhashKernel ghash_power8 = {
    .info = {"power8", FeatureSet(Feature::vcrypto)},
    .set_key = set_key,
    .update = update,
};

}  // namespace incore

#endif
