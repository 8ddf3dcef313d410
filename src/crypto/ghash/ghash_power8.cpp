// GHASH with vpmsumd (Power ISA 2.07B): twelve blocks times twelve powers of H, and one reduction
// for all of them.
#if defined(__powerpc64__)

#include "crypto/ghash/ghash_power8.h"

namespace incore {
namespace {

using namespace power8;

// The number over x: a shift, and for the bit that falls out 1 / x = x^127 + x^6 + x + 1.
POWER8_INLINE uint64x2_p8 over_x(uint8x16_p8 x) {
  const uint8x16_p8 inverse = as_u8(VectorFrom64BE(0xC200000000000000, 1));
  const uint8x16_p8 leftmost = vec_splat(x, kLittleEndian ? 15 : 0);
  const uint8x16_p8 carry = (uint8x16_p8)vec_sra((__vector signed char)leftmost, vec_splat_u8(7));
  return as_u64(vec_xor(vec_sll(x, vec_splat_u8(1)), vec_and(inverse, carry)));
}

void set_key(const uint8_t* h, GhashKey* out_key) {
  const uint64x2_p8 first = over_x(VectorLoadBE(h));
  uint64x2_p8 odd = first;
  for (size_t n = 2; n <= kNumPowers; n += 2) {
    const uint64x2_p8 even = reduce(multiply(odd, first));
    store_powers(out_key, n, make_pair(even, odd));
    odd = reduce(multiply(even, first));
  }
  out_key->kernel = &ghash_power8;
}

// Hashes |num_blocks| blocks, an even number up to kNumPowers: |first|, the first two with the
// state added, and the others at |rest|.
POWER8_INLINE uint64x2_p8 hash_batch(const GhashKey& key, const Pair& first, const uint8_t* rest,
                                     size_t num_blocks) {
  Sum sum = {};
#pragma GCC unroll 6
  for (size_t n = num_blocks - 2; n != 0; n -= 2, rest += 2 * kGhashBlockLen)
    add_products(sum, load_pair(rest), load_powers(key, n));
  add_products(sum, first, load_powers(key, num_blocks));  // last, as it waits for the state
  return reduce(sum);
}

POWER8_INLINE uint64x2_p8 hash_batch(const GhashKey& key, uint64x2_p8 y, const uint8_t* blocks,
                                     size_t num_blocks) {
  return hash_batch(key, load_pair(blocks, y), blocks + 2 * kGhashBlockLen, num_blocks);
}

// Apart from the rest, which would else save and restore all the registers that are needed here.
[[gnu::noinline]] uint64x2_p8 hash_batches(const GhashKey& key, uint64x2_p8 y,
                                           const uint8_t* blocks, size_t num_batches) {
  for (; num_batches != 0; --num_batches, blocks += kGhashBlockLen * kNumPowers)
    y = hash_batch(key, y, blocks, kNumPowers);
  return y;
}

void update(const GhashKey& key, uint8_t* state, const uint8_t* blocks, size_t num_blocks) {
  uint64x2_p8 y = load_number(state);
  if (num_blocks % 2 != 0) {  // as if a block of zeros stood before
    const uint64x2_p8 zero = {}, x = vec_xor(y, load_number(blocks));
    y = hash_batch(key, make_pair(zero, x), blocks + kGhashBlockLen, num_blocks % kNumPowers + 1);
  } else if (num_blocks % kNumPowers != 0) {
    y = hash_batch(key, y, blocks, num_blocks % kNumPowers);
  }
  blocks += kGhashBlockLen * (num_blocks % kNumPowers);
  if (num_blocks >= kNumPowers) y = hash_batches(key, y, blocks, num_blocks / kNumPowers);
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
