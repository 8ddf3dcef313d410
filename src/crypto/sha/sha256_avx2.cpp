// SHA-256 with AVX2 and BMI2, for CPUs without the SHA extensions: sha2_pairs.h, with four words of
// either block in a register.
#if defined(__x86_64__)

#define INCORE_SHA2_TARGET [[gnu::target("avx2,bmi,bmi2")]]

#include "crypto/sha/sha2_pairs.h"
#include "crypto/sha/sha_kernel.h"

namespace incore {
namespace {

struct Schedule {
  using Word = uint32_t;

  INCORE_SHA2_INLINE static __m256i swap_bytes() {
    return _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
  }
  INCORE_SHA2_INLINE static __m256i add(__m256i a, __m256i b) { return _mm256_add_epi32(a, b); }

  template <int kCount>
  INCORE_SHA2_INLINE static __m256i rotr(__m256i x) {
    return _mm256_or_si256(_mm256_srli_epi32(x, kCount), _mm256_slli_epi32(x, 32 - kCount));
  }
  INCORE_SHA2_INLINE static __m256i sigma0(__m256i x) {
    return _mm256_xor_si256(_mm256_xor_si256(rotr<7>(x), rotr<18>(x)), _mm256_srli_epi32(x, 3));
  }
  // Of the two words that stand doubled, {x1, x1, x0, x0} in either half, in the low half of each
  // 64-bit lane: a 64-bit shift then rotates.
  INCORE_SHA2_INLINE static __m256i sigma1_of_doubled(__m256i x) {
    return _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(x, 17), _mm256_srli_epi64(x, 19)),
                            _mm256_srli_epi32(x, 10));
  }

  // W[t] = sigma1(W[t - 2]) + W[t - 7] + sigma0(W[t - 15]) + W[t - 16]. The last two words need
  // sigma1 of the first two.
  template <size_t i>
  INCORE_SHA2_INLINE static __m256i next(const __m256i (&W)[4]) {
    const __m256i last = W[(i + 3) % 4];
    const __m256i w15 = _mm256_alignr_epi8(W[(i + 1) % 4], W[i], 4);
    const __m256i w7 = _mm256_alignr_epi8(last, W[(i + 2) % 4], 4);
    const __m256i sum = add(add(W[i], w7), sigma0(w15));
    // The two results move from the low words of their lanes to the lower or the upper half.
    const __m256i to_low = _mm256_broadcastsi128_si256(_mm_set_epi64x(-1, 0x0b0a090803020100));
    const __m256i to_high = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0b0a090803020100, -1));
    const __m256i low =
        add(sum, _mm256_shuffle_epi8(sigma1_of_doubled(_mm256_shuffle_epi32(last, 0xFA)), to_low));
    return add(low,
               _mm256_shuffle_epi8(sigma1_of_doubled(_mm256_shuffle_epi32(low, 0x50)), to_high));
  }
};

INCORE_SHA2_TARGET void compress(uint32_t state[8], const uint8_t* blocks, size_t num_blocks) {
  Sha2Pairs<Schedule>::compress<64>(state, blocks, num_blocks, sha::kSha256K.word);
}

}  // namespace

constinit const Sha256Kernel sha256_avx2 = {
    {"avx2", FeatureSet(Feature::avx2, Feature::bmi1, Feature::bmi2)}, compress};

}  // namespace incore

#endif
