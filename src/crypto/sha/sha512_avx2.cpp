// SHA-512 with AVX2 and BMI2: sha2_pairs.h, with two words of either block in a register.
#if defined(__x86_64__)

#define INCORE_SHA2_TARGET [[gnu::target("avx2,bmi,bmi2")]]

#include "crypto/sha/sha2_pairs.h"
#include "crypto/sha/sha_kernel.h"

namespace incore {
namespace {

struct Schedule {
  using Word = uint64_t;

  INCORE_SHA2_INLINE static __m256i swap_bytes() {
    return _mm256_broadcastsi128_si256(_mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607));
  }
  INCORE_SHA2_INLINE static __m256i add(__m256i a, __m256i b) { return _mm256_add_epi64(a, b); }

  template <int kCount>
  INCORE_SHA2_INLINE static __m256i rotr(__m256i x) {
    return _mm256_or_si256(_mm256_srli_epi64(x, kCount), _mm256_slli_epi64(x, 64 - kCount));
  }
  INCORE_SHA2_INLINE static __m256i sigma0(__m256i x) {
    const __m256i rotate_by_8 =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x080f0e0d0c0b0a09, 0x0007060504030201));
    const __m256i rotr_8 = _mm256_shuffle_epi8(x, rotate_by_8);
    return _mm256_xor_si256(_mm256_xor_si256(rotr<1>(x), rotr_8), _mm256_srli_epi64(x, 7));
  }
  INCORE_SHA2_INLINE static __m256i sigma1(__m256i x) {
    return _mm256_xor_si256(_mm256_xor_si256(rotr<19>(x), rotr<61>(x)), _mm256_srli_epi64(x, 6));
  }

  // W[t] = sigma1(W[t - 2]) + W[t - 7] + sigma0(W[t - 15]) + W[t - 16]
  template <size_t i>
  INCORE_SHA2_INLINE static __m256i next(const __m256i (&W)[8]) {
    const __m256i w15 = _mm256_alignr_epi8(W[(i + 1) % 8], W[i], 8);
    const __m256i w7 = _mm256_alignr_epi8(W[(i + 5) % 8], W[(i + 4) % 8], 8);
    return add(add(W[i], w7), add(sigma0(w15), sigma1(W[(i + 7) % 8])));
  }
};

INCORE_SHA2_TARGET void compress(uint64_t state[8], const uint8_t* blocks, size_t num_blocks) {
  Sha2Pairs<Schedule>::compress<80>(state, blocks, num_blocks, sha::kSha512K);
}

}  // namespace

constinit const Sha512Kernel sha512_avx2 = {
    {"avx2", FeatureSet(Feature::avx2, Feature::bmi1, Feature::bmi2)}, compress};

}  // namespace incore

#endif
