// SHA-1 with the x86 SHA extensions. Bound by SHA1RNDS4, four rounds each, 20 of them in a chain:
// everything else runs beside it. Intel SDM volume 2: SHA1RNDS4, SHA1NEXTE, SHA1MSG1, SHA1MSG2.
// Lanes: the highest holds the standard's first word, so abcd is {d, c, b, a} and M is {W3, W2, W1,
// W0}.
#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#include <utility>

#include "crypto/sha/sha_kernel.h"

#define INCORE_SHANI [[gnu::target("sha,sse4.1,ssse3")]]

namespace incore {
namespace {

struct Working {
  __m128i abcd;
  __m128i previous_abcd;  // four rounds ago: rotated, its a is now e
  __m128i M[4];           // the last 16 words of the message schedule
};

// Rounds 4 * kGroup and the three that follow.
template <size_t kGroup>
INCORE_SHANI [[gnu::always_inline]] inline void four_rounds(Working& s, __m128i e,
                                                            const uint8_t* block,
                                                            __m128i reverse_bytes) {
  __m128i& m = s.M[kGroup % 4];
  if constexpr (kGroup < 4) {
    const __m128i* source = reinterpret_cast<const __m128i*>(block) + kGroup;
    m = _mm_shuffle_epi8(_mm_loadu_si128(source), reverse_bytes);
  } else {
    const __m128i w8_w14_w16 =
        _mm_xor_si128(_mm_sha1msg1_epu32(m, s.M[(kGroup + 1) % 4]), s.M[(kGroup + 2) % 4]);
    m = _mm_sha1msg2_epu32(w8_w14_w16, s.M[(kGroup + 3) % 4]);
  }
  const __m128i e_plus_m =
      kGroup == 0 ? _mm_add_epi32(e, m) : _mm_sha1nexte_epu32(s.previous_abcd, m);
  s.previous_abcd = s.abcd;
  s.abcd = _mm_sha1rnds4_epu32(s.abcd, e_plus_m, kGroup / 5);
}

template <size_t... kGroup>
INCORE_SHANI [[gnu::always_inline]] inline void eighty_rounds(Working& s, __m128i e,
                                                              const uint8_t* block,
                                                              __m128i reverse_bytes,
                                                              std::index_sequence<kGroup...>) {
  (four_rounds<kGroup>(s, e, block, reverse_bytes), ...);
}

INCORE_SHANI void compress(uint32_t state[5], const uint8_t* blocks, size_t num_blocks) {
  const __m128i reverse_bytes = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  __m128i* const state_abcd = reinterpret_cast<__m128i*>(state);
  Working s;
  s.abcd = _mm_shuffle_epi32(_mm_loadu_si128(state_abcd), 0x1B);
  __m128i e = _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0);
  for (; num_blocks != 0; --num_blocks, blocks += 64) {
    const __m128i abcd = s.abcd;
    eighty_rounds(s, e, blocks, reverse_bytes, std::make_index_sequence<20>());
    e = _mm_sha1nexte_epu32(s.previous_abcd, e);
    s.abcd = _mm_add_epi32(s.abcd, abcd);
  }
  _mm_storeu_si128(state_abcd, _mm_shuffle_epi32(s.abcd, 0x1B));
  state[4] = static_cast<uint32_t>(_mm_extract_epi32(e, 3));
}

}  // namespace

constinit const Sha1Kernel sha1_shani = {
    {"shani", FeatureSet(Feature::sha_ni, Feature::ssse3, Feature::sse41)}, compress};

}  // namespace incore

#endif
