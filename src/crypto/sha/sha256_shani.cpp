// SHA-256 with the x86 SHA extensions. Bound by SHA256RNDS2, two rounds each, 32 of them in a
// chain: the message schedule runs beside it. Intel SDM volume 2: SHA256RNDS2, SHA256MSG1,
// SHA256MSG2. Lanes, highest first: the working variables stand as ABEF and CDGH; M is {W3, W2, W1,
// W0}.
#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#include <utility>

#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_steps.h"

#define INCORE_SHANI [[gnu::target("sha,sse4.1,ssse3")]]

namespace incore {
namespace {

struct Working {
  __m128i abef;
  __m128i cdgh;
  __m128i M[4];  // the last 16 words of the message schedule
};

// Rounds 4 * kGroup and the three that follow.
template <size_t kGroup>
INCORE_SHANI [[gnu::always_inline]] inline void four_rounds(Working& s, const uint8_t* block,
                                                            __m128i swap_bytes) {
  __m128i& m = s.M[kGroup % 4];
  if constexpr (kGroup < 4) {
    const __m128i* source = reinterpret_cast<const __m128i*>(block) + kGroup;
    m = _mm_shuffle_epi8(_mm_loadu_si128(source), swap_bytes);
  } else {
    const __m128i& last = s.M[(kGroup + 3) % 4];
    const __m128i w7 = _mm_alignr_epi8(last, s.M[(kGroup + 2) % 4], 4);
    const __m128i w15_w16 = _mm_sha256msg1_epu32(m, s.M[(kGroup + 1) % 4]);
    m = _mm_sha256msg2_epu32(_mm_add_epi32(w15_w16, w7), last);
  }
  const __m128i K = _mm_load_si128(reinterpret_cast<const __m128i*>(sha::kSha256K.word) + kGroup);
  const __m128i wk = _mm_add_epi32(m, K);
  s.cdgh = _mm_sha256rnds2_epu32(s.cdgh, s.abef, wk);
  s.abef = _mm_sha256rnds2_epu32(s.abef, s.cdgh, _mm_shuffle_epi32(wk, 0x0E));
}

template <size_t... kGroup>
INCORE_SHANI [[gnu::always_inline]] inline void sixty_four_rounds(Working& s, const uint8_t* block,
                                                                  __m128i swap_bytes,
                                                                  std::index_sequence<kGroup...>) {
  (four_rounds<kGroup>(s, block, swap_bytes), ...);
}

INCORE_SHANI void compress(uint32_t state[8], const uint8_t* blocks, size_t num_blocks) {
  const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i* const state_words = reinterpret_cast<__m128i*>(state);
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(state_words), 0xB1);  // lanes {c, d, a, b}
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(state_words + 1), 0x1B);
  Working s;
  s.abef = _mm_alignr_epi8(badc, efgh, 8);
  s.cdgh = _mm_blend_epi16(efgh, badc, 0xF0);
  for (; num_blocks != 0; --num_blocks, blocks += 64) {
    const __m128i abef = s.abef;
    const __m128i cdgh = s.cdgh;
    sixty_four_rounds(s, blocks, swap_bytes, std::make_index_sequence<16>());
    s.abef = _mm_add_epi32(s.abef, abef);
    s.cdgh = _mm_add_epi32(s.cdgh, cdgh);
  }
  const __m128i feba = _mm_shuffle_epi32(s.abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(s.cdgh, 0xB1);
  _mm_storeu_si128(state_words, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(state_words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

}  // namespace

constinit const Sha256Kernel sha256_shani = {
    {"shani", FeatureSet(Feature::sha_ni, Feature::ssse3, Feature::sse41)}, compress};

}  // namespace incore

#endif
