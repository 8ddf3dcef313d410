// SHA-1 with the x86 SHA extensions. Bound by SHA1RNDS4, four rounds each, 20 of them in a chain:
// everything else runs beside it, up to three more messages too. Intel SDM volume 2: SHA1RNDS4,
// SHA1NEXTE, SHA1MSG1, SHA1MSG2. Lanes of a register: the highest holds the standard's first word,
// so abcd is {d, c, b, a} and M is {W3, W2, W1, W0}.
#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#include <utility>

#include "base/wipe.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many_kernel.h"

#define INCORE_SHANI [[gnu::target("sha,sse4.1,ssse3")]]
#define INCORE_SHANI_INLINE INCORE_SHANI [[gnu::always_inline]] inline

namespace incore {
namespace {

struct Message {
  const uint8_t* block;
  __m128i abcd;           // between blocks the hash value
  __m128i e;              // of the hash value
  __m128i previous_abcd;  // four rounds ago: rotated, its a is now e
  __m128i M[4];           // the last 16 words of the message schedule

  INCORE_SHANI_INLINE void load(const uint32_t H[5]) {
    abcd = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(H)), 0x1B);
    e = _mm_set_epi32(static_cast<int>(H[4]), 0, 0, 0);
  }
  INCORE_SHANI_INLINE void store(uint32_t H[5]) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(H), _mm_shuffle_epi32(abcd, 0x1B));
    H[4] = static_cast<uint32_t>(_mm_extract_epi32(e, 3));
  }
};

// Rounds 4 * kGroup and the three that follow.
template <size_t kGroup>
INCORE_SHANI_INLINE void four_rounds(Message& s, __m128i reverse_bytes) {
  __m128i& m = s.M[kGroup % 4];
  if constexpr (kGroup < 4) {
    const __m128i* source = reinterpret_cast<const __m128i*>(s.block) + kGroup;
    m = _mm_shuffle_epi8(_mm_loadu_si128(source), reverse_bytes);
  } else {
    const __m128i w8_w14_w16 =
        _mm_xor_si128(_mm_sha1msg1_epu32(m, s.M[(kGroup + 1) % 4]), s.M[(kGroup + 2) % 4]);
    m = _mm_sha1msg2_epu32(w8_w14_w16, s.M[(kGroup + 3) % 4]);
  }
  const __m128i e_plus_m =
      kGroup == 0 ? _mm_add_epi32(s.e, m) : _mm_sha1nexte_epu32(s.previous_abcd, m);
  s.previous_abcd = s.abcd;
  s.abcd = _mm_sha1rnds4_epu32(s.abcd, e_plus_m, kGroup / 5);
}

template <size_t kGroup, size_t... i>
INCORE_SHANI_INLINE void four_rounds_of_all(Message* messages, __m128i reverse_bytes,
                                            std::index_sequence<i...>) {
  (four_rounds<kGroup>(messages[i], reverse_bytes), ...);
}

template <size_t kNum, size_t... kGroup>
INCORE_SHANI_INLINE void eighty_rounds(Message* messages, __m128i reverse_bytes,
                                       std::index_sequence<kGroup...>) {
  (four_rounds_of_all<kGroup>(messages, reverse_bytes, std::make_index_sequence<kNum>()), ...);
}

template <size_t kNum>
INCORE_SHANI_INLINE void compress_blocks(Message (&messages)[kNum], size_t num_blocks) {
  const __m128i reverse_bytes = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  for (; num_blocks != 0; --num_blocks) {
    __m128i abcd[kNum];
    for (size_t i = 0; i < kNum; ++i) abcd[i] = messages[i].abcd;
    eighty_rounds<kNum>(messages, reverse_bytes, std::make_index_sequence<20>());
    for (size_t i = 0; i < kNum; ++i) {
      messages[i].e = _mm_sha1nexte_epu32(messages[i].previous_abcd, messages[i].e);
      messages[i].abcd = _mm_add_epi32(messages[i].abcd, abcd[i]);
      messages[i].block += 64;
    }
  }
}

constexpr size_t kWords = 5;

}  // namespace
}  // namespace incore

#include "crypto/sha/sha_shani.h"

namespace incore {

constinit const Sha1Kernel sha1_shani = {{"shani", kNeeds}, compress};
constinit const Sha1ManyKernel sha1_many_shani = {{"shani", kNeeds}, 4, 240, compress_many};

}  // namespace incore

#endif
