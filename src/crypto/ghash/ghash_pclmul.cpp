// GHASH with the PCLMULQDQ instruction (Intel SDM): eight blocks times eight powers of H, and one
// reduction for all of them. The encodings are those without VEX, so that the code runs where the
// system does not save AVX registers.
#if defined(__x86_64__) || defined(__i386__)

#include "crypto/ghash/ghash_pclmul.h"

namespace incore {
namespace {

using namespace pclmul;

PCLMUL void set_key(const uint8_t* h, GhashKey* out_key) {
  __m128i* const powers = reinterpret_cast<__m128i*>(out_key->storage);
  __m128i x = load_number(h);
  // H / x: a shift, and for the bit that falls out 1 / x = x^127 + x^6 + x + 1.
  const __m128i sign = _mm_srai_epi32(_mm_shuffle_epi32(x, 0xFF), 31);
  const __m128i carries = _mm_slli_si128(_mm_srli_epi64(x, 63), 8);
  x = _mm_or_si128(_mm_slli_epi64(x, 1), carries);
  x = _mm_xor_si128(x, _mm_and_si128(sign, _mm_set_epi32(static_cast<int>(0xC2000000), 0, 0, 1)));
  __m128i h_n = x;
  for (size_t n = 1; n <= kNumPowers; ++n) {
    const __m128i folded = _mm_xor_si128(h_n, swap_halves(h_n));
    _mm_store_si128(powers + kNumPowers - n, h_n);
    _mm_store_si128(powers + 2 * kNumPowers - n, folded);
    h_n = reduce(multiply(x, h_n, folded));
  }
  out_key->kernel = &ghash_pclmul;
}

PCLMUL void update(const GhashKey& key, uint8_t* state, const uint8_t* blocks, size_t num_blocks) {
  __m128i y = load_number(state);
  while (num_blocks != 0) {
    const size_t n = num_blocks < kNumPowers ? num_blocks : kNumPowers;
    Sum sum = multiply(_mm_xor_si128(y, load_number(blocks)), power(key, n), folded_power(key, n));
    for (size_t i = 1; i < n; ++i)
      add(sum, multiply(load_number(blocks + kGhashBlockLen * i), power(key, n - i),
                        folded_power(key, n - i)));
    y = reduce(sum);
    blocks += kGhashBlockLen * n, num_blocks -= n;
  }
  store_number(state, y);
}

}  // namespace

constinit const GhashKernel ghash_pclmul = {
    .info = {"pclmul", FeatureSet(Feature::pclmulqdq, Feature::sse4_1, Feature::ssse3)},
    .set_key = set_key,
    .update = update,
};

}  // namespace incore

#endif
