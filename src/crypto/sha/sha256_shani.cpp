// SHA-256 with the x86 SHA extensions. Bound by SHA256RNDS2, two rounds each, 32 of them in a
// chain: the message schedule runs beside it, up to three more messages too. Intel SDM volume 2:
// SHA256RNDS2, SHA256MSG1, SHA256MSG2. Lanes of a register, highest first: the working variables
// stand as ABEF and CDGH; M is {W3, W2, W1, W0}.
#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#include <utility>

#include "base/wipe.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many_kernel.h"
#include "crypto/sha/sha_steps.h"

#define INCORE_SHANI [[gnu::target("sha,sse4.1,ssse3")]]
#define INCORE_SHANI_INLINE INCORE_SHANI [[gnu::always_inline]] inline

namespace incore {
namespace {

struct Message {
  const uint8_t* block;
  __m128i abef, cdgh;  // between blocks the hash value
  __m128i M[4];        // the last 16 words of the message schedule

  INCORE_SHANI_INLINE void load(const uint32_t H[8]) {
    const __m128i* const words = reinterpret_cast<const __m128i*>(H);
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xB1);  // lanes {c, d, a, b}
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1B);
    abef = _mm_alignr_epi8(badc, efgh, 8);
    cdgh = _mm_blend_epi16(efgh, badc, 0xF0);
  }
  INCORE_SHANI_INLINE void store(uint32_t H[8]) const {
    __m128i* const words = reinterpret_cast<__m128i*>(H);
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
  }
};

// Rounds 4 * kGroup and the three that follow.
template <size_t kGroup>
INCORE_SHANI_INLINE void four_rounds(Message& s, __m128i swap_bytes) {
  __m128i& m = s.M[kGroup % 4];
  if constexpr (kGroup < 4) {
    const __m128i* source = reinterpret_cast<const __m128i*>(s.block) + kGroup;
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

template <size_t kGroup, size_t... i>
INCORE_SHANI_INLINE void four_rounds_of_all(Message* messages, __m128i swap_bytes,
                                            std::index_sequence<i...>) {
  (four_rounds<kGroup>(messages[i], swap_bytes), ...);
}

template <size_t kNum, size_t... kGroup>
INCORE_SHANI_INLINE void sixty_four_rounds(Message* messages, __m128i swap_bytes,
                                           std::index_sequence<kGroup...>) {
  (four_rounds_of_all<kGroup>(messages, swap_bytes, std::make_index_sequence<kNum>()), ...);
}

template <size_t kNum>
INCORE_SHANI_INLINE void compress_blocks(Message (&messages)[kNum], size_t num_blocks) {
  const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (; num_blocks != 0; --num_blocks) {
    __m128i abef[kNum], cdgh[kNum];
    for (size_t i = 0; i < kNum; ++i) abef[i] = messages[i].abef, cdgh[i] = messages[i].cdgh;
    sixty_four_rounds<kNum>(messages, swap_bytes, std::make_index_sequence<16>());
    for (size_t i = 0; i < kNum; ++i) {
      messages[i].abef = _mm_add_epi32(messages[i].abef, abef[i]);
      messages[i].cdgh = _mm_add_epi32(messages[i].cdgh, cdgh[i]);
      messages[i].block += 64;
    }
  }
}

constexpr size_t kWords = 8;

}  // namespace
}  // namespace incore

#include "crypto/sha/sha_shani.h"

namespace incore {

constinit const Sha256Kernel sha256_shani = {{"shani", kNeeds}, compress};
constinit const Sha256ManyKernel sha256_many_shani = {{"shani", kNeeds}, 4, 290, compress_many};

}  // namespace incore

#endif
