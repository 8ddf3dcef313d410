// GHASH with the VPCLMULQDQ instruction on ZMM registers (Intel SDM): 32 blocks times 32 powers of
// H, and one reduction for all of them.
#if defined(__x86_64__)

#include "crypto/ghash/ghash_vpclmul.h"

#include <cstring>

namespace incore {
namespace {

using namespace vpclmul;

VPCLMUL void set_key(const uint8_t* h, GhashKey* out_key) {
  std::memset(out_key->storage, 0, sizeof out_key->storage);
  __m128i x = reverse_bytes(_mm_loadu_si128(reinterpret_cast<const __m128i*>(h)));
  // H / x: a shift, and for the bit that falls out 1 / x = x^127 + x^6 + x + 1.
  const __m128i sign = _mm_srai_epi32(_mm_shuffle_epi32(x, 0xFF), 31);
  const __m128i carries = _mm_slli_si128(_mm_srli_epi64(x, 63), 8);
  x = _mm_or_si128(_mm_slli_epi64(x, 1), carries);
  x = _mm_xor_si128(x, _mm_and_si128(sign, _mm_set_epi32(static_cast<int>(0xC2000000), 0, 0, 1)));

  // The lowest four one by one, the others four by four from those.
  const __m512i h_1 = _mm512_zextsi128_si512(x);
  const __m512i h_1_folded = _mm512_xor_si512(h_1, swap_halves(h_1));
  __m512i h_n = h_1;
  uint8_t* const end = out_key->storage + kFoldedPowers;
  for (size_t n = 1; n <= kLanes; ++n) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(end - kGhashBlockLen * n),
                     _mm512_castsi512_si128(h_n));
    h_n = reduce(multiply(h_n, h_1, h_1_folded));
  }
  h_n = powers(*out_key, kLanes);
  const __m512i h_4 = _mm512_broadcast_i32x4(_mm512_castsi512_si128(h_n));
  const __m512i h_4_folded = _mm512_xor_si512(h_4, swap_halves(h_4));
  for (size_t n = kLanes; n <= kNumPowers; n += kLanes) {
    _mm512_storeu_si512(end - kGhashBlockLen * n, h_n);
    _mm512_storeu_si512(end + kFoldedPowers - kGhashBlockLen * n,
                        _mm512_xor_si512(h_n, swap_halves(h_n)));
    h_n = reduce(multiply(h_n, h_4, h_4_folded));
  }
  out_key->kernel = &ghash_vpclmul;
}

VPCLMUL void update(const GhashKey& key, uint8_t* state, const uint8_t* blocks, size_t num_blocks) {
  __m128i* const y = reinterpret_cast<__m128i*>(state);
  _mm_storeu_si128(
      y, reverse_bytes(hash_blocks(key, reverse_bytes(_mm_loadu_si128(y)), blocks, num_blocks)));
}

}  // namespace

constinit const GhashKernel ghash_vpclmul = {
    .info = {"vpclmul",
             FeatureSet(Feature::vpclmulqdq, Feature::pclmulqdq, Feature::avx512, Feature::avx2)},
    .set_key = set_key,
    .update = update,
};

}  // namespace incore

#endif
