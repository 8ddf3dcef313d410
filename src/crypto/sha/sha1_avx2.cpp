// SHA-1 with AVX2 and BMI2, for CPUs without the SHA extensions: FIPS 180-4, section 6.1, for two
// blocks at a time. The message schedules of both are computed in AVX2 registers, one block in each
// half, beside the rounds of the first block; the rounds are scalar code with RORX and ANDN.
#if defined(__x86_64__)

#include <immintrin.h>

#include <utility>

#include "base/wipe.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_steps.h"

#define INCORE_AVX2 [[gnu::target("avx2,bmi,bmi2")]]
#define INCORE_AVX2_INLINE INCORE_AVX2 [[gnu::always_inline]] inline

namespace incore {
namespace {

constexpr size_t kBlockLen = 64;
constexpr size_t kGroups = 20;  // of four rounds

// Round |t|; |wk| is W + K. The working variables stay where they are; their names move by one each
// round. a comes last to the sum, being the last to be known.
template <size_t t>
INCORE_AVX2_INLINE void round(uint32_t (&v)[5], uint32_t wk) {
  const uint32_t a = v[(80 - t) % 5], c = v[(82 - t) % 5], d = v[(83 - t) % 5];
  uint32_t& b = v[(81 - t) % 5];
  uint32_t& e = v[(84 - t) % 5];
  e += wk;
  if constexpr (t < 20) {
    e += b & c;  // Ch: its two terms have no bit in common, nor have those of Maj
    e += ~b & d;
  } else if constexpr (t >= 40 && t < 60) {
    e += c & d;
    e += b & (c ^ d);
  } else {
    e += sha::Parity(b, c, d);
  }
  __asm__("" : "+r"(e));  // the order of the sum
  e += sha::ROTL(5, a);
  b = sha::ROTL(30, b);
}

// W + K of two blocks: four words of the first, then of the second. |block| 0 or 1.
template <size_t kGroup, size_t... i>
INCORE_AVX2_INLINE void four_rounds(uint32_t (&v)[5], const uint32_t* wk, size_t block,
                                    std::index_sequence<i...>) {
  (round<4 * kGroup + i>(v, wk[8 * kGroup + 4 * block + i]), ...);
}

template <int kCount>
INCORE_AVX2_INLINE __m256i rotl(__m256i x) {
  return _mm256_or_si256(_mm256_slli_epi32(x, kCount), _mm256_srli_epi32(x, 32 - kCount));
}

// Words 4 * kGroup and the three that follow, of either block. The last of them needs the first.
template <size_t kGroup>
INCORE_AVX2_INLINE void schedule(__m256i (&W)[4], const uint8_t* first, const uint8_t* second,
                                 uint32_t* wk) {
  __m256i& w = W[kGroup % 4];
  if constexpr (kGroup < 4) {
    const __m256i swap_bytes =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first) + kGroup);
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(second) + kGroup);
    w = _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1),
                            swap_bytes);
  } else {
    const __m256i w3 = _mm256_srli_si256(W[(kGroup + 3) % 4], 4);
    const __m256i w14 = _mm256_alignr_epi8(W[(kGroup + 1) % 4], w, 8);
    const __m256i sum =
        _mm256_xor_si256(_mm256_xor_si256(w, w14), _mm256_xor_si256(W[(kGroup + 2) % 4], w3));
    const __m256i all_but_last = rotl<1>(sum);
    w = _mm256_xor_si256(all_but_last, rotl<2>(_mm256_slli_si256(sum, 12)));
  }
  const __m256i K = _mm256_set1_epi32(static_cast<int>(sha::kSha1K[kGroup / 5]));
  _mm256_store_si256(reinterpret_cast<__m256i*>(wk + 8 * kGroup), _mm256_add_epi32(w, K));
}

// The schedule runs four groups ahead of the rounds.
template <size_t... kGroup>
INCORE_AVX2_INLINE void both_blocks(uint32_t state[5], const uint8_t* first, const uint8_t* second,
                                    bool pair, uint32_t* wk, std::index_sequence<kGroup...>) {
  constexpr auto kFour = std::make_index_sequence<4>();
  __m256i W[4];
  schedule<0>(W, first, second, wk);
  schedule<1>(W, first, second, wk);
  schedule<2>(W, first, second, wk);
  schedule<3>(W, first, second, wk);
  uint32_t v[5];
  for (size_t i = 0; i < 5; ++i) v[i] = state[i];
  ((kGroup + 4 < kGroups ? schedule<(kGroup + 4) % kGroups>(W, first, second, wk) : void(),
    four_rounds<kGroup>(v, wk, 0, kFour)),
   ...);
  for (size_t i = 0; i < 5; ++i) v[i] = state[i] += v[i];
  if (!pair) return;
  (four_rounds<kGroup>(v, wk, 1, kFour), ...);
  for (size_t i = 0; i < 5; ++i) state[i] += v[i];
}

INCORE_AVX2 void compress(uint32_t state[5], const uint8_t* blocks, size_t num_blocks) {
  alignas(32) uint32_t wk[8 * kGroups];
  while (num_blocks != 0) {
    // A last block without another is scheduled beside itself.
    const bool pair = num_blocks > 1;
    both_blocks(state, blocks, pair ? blocks + kBlockLen : blocks, pair, wk,
                std::make_index_sequence<kGroups>());
    num_blocks -= pair ? 2 : 1;
    blocks += 2 * kBlockLen;
  }
  wipe(wk);
}

}  // namespace

constinit const Sha1Kernel sha1_avx2 = {
    {"avx2", FeatureSet(Feature::avx2, Feature::bmi1, Feature::bmi2)}, compress};

}  // namespace incore

#endif
