// SHA-1, SHA-256 and SHA-512 of many messages with AVX-512: sixteen lanes of 32 bits, eight of 64.
// FIPS 180-4, sections 6.1, 6.2 and 6.4; a vector holds the same word of all messages, so every
// step is the standard's. VPROL and VPROR rotate, VPTERNLOG computes Ch, Maj, Parity and sums of
// three.
//
// A round is one piece of assembler, because the order of its instructions matters: Zen 4 issues
// two of them in a cycle with the orders here, which were found by trying random ones, and in most
// others that a compiler chooses 1.6 to 1.8.
#if defined(__x86_64__)

#include <immintrin.h>

#include <utility>

#include "crypto/sha/sha_many_kernel.h"
#include "crypto/sha/sha_steps.h"

#if !defined(__clang__)  // GCC 12 finds fault with its own intrinsics
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define INCORE_AVX512 [[gnu::target("avx512f,avx512bw")]]
#define INCORE_AVX512_INLINE INCORE_AVX512 [[gnu::always_inline]] inline

namespace incore {
namespace {

constexpr auto kSixteen = std::make_index_sequence<16>();

// Truth tables of VPTERNLOG.
#define XOR "$0x96"
#define CH "$0xCA"   // of e, f, g, into e
#define MAJ "$0xE8"  // of a, b, c, into a

// One round of SHA-1, with f (Ch, Parity or Maj) by its truth table. NEXT is w1 ^= w3, the first
// step of the next round's word.
#define INCORE_SHA1_ROUND(F, WORD, NEXT)                                    \
  __asm__(                                                                  \
      "vmovdqa64 %[b], %[f]\n\t"                                            \
      "vpternlogd " F                                                       \
      ", %[d], %[c], %[f]\n\t"                                              \
      "vpaddd %[f], %[e], %[e]\n\t"                                         \
      "vprold $5, %[a], %[rotated]\n\t" WORD NEXT                           \
      "vpaddd %[w], %[K], %[wk]\n\t"                                        \
      "vpaddd %[wk], %[e], %[e]\n\t"                                        \
      "vpaddd %[rotated], %[e], %[e]\n\t"                                   \
      "vprold $30, %[b], %[b]\n\t"                                          \
      : [e] "+v"(e), [b] "+v"(b), [w] "+v"(w), [w1] "+v"(w1), [f] "=&v"(f), \
        [rotated] "=&v"(rotated), [wk] "=&v"(wk)                            \
      :                                                                     \
      [a] "v"(a), [c] "v"(c), [d] "v"(d), [w3] "v"(w3), [w8] "v"(w8), [w13] "v"(w13), [K] "v"(K))
#define INCORE_SHA1_WORD      \
  "vpternlogd " XOR           \
  ", %[w13], %[w8], %[w]\n\t" \
  "vprold $1, %[w], %[w]\n\t"
#define INCORE_SHA1_NEXT "vpxord %[w3], %[w1], %[w1]\n\t"

// Round |t|. The working variables stay where they are; their names move by one each round.
template <size_t t>
INCORE_AVX512_INLINE void sha1_round(__m512i (&v)[5], __m512i (&W)[16], __m512i K) {
  const __m512i a = v[(80 - t) % 5], c = v[(82 - t) % 5], d = v[(83 - t) % 5];
  const __m512i w3 = W[(t + 3) % 16], w8 = W[(t + 8) % 16], w13 = W[(t + 13) % 16];
  __m512i& b = v[(81 - t) % 5];
  __m512i& e = v[(84 - t) % 5];
  __m512i& w = W[t % 16];
  __m512i& w1 = W[(t + 1) % 16];
  __m512i f, rotated, wk;
  if constexpr (t < 15)
    INCORE_SHA1_ROUND(CH, "", "");
  else if constexpr (t == 15)
    INCORE_SHA1_ROUND(CH, "", INCORE_SHA1_NEXT);
  else if constexpr (t < 20)
    INCORE_SHA1_ROUND(CH, INCORE_SHA1_WORD, INCORE_SHA1_NEXT);
  else if constexpr (t >= 40 && t < 60)
    INCORE_SHA1_ROUND(MAJ, INCORE_SHA1_WORD, INCORE_SHA1_NEXT);
  else if constexpr (t < 79)
    INCORE_SHA1_ROUND(XOR, INCORE_SHA1_WORD, INCORE_SHA1_NEXT);
  else
    INCORE_SHA1_ROUND(XOR, INCORE_SHA1_WORD, "");
}

template <size_t kFirst, size_t... t>
INCORE_AVX512_INLINE void sha1_twenty_rounds(__m512i (&v)[5], __m512i (&W)[16],
                                             std::index_sequence<t...>) {
  const __m512i K = _mm512_set1_epi32(static_cast<int>(sha::kSha1K[kFirst / 20]));
  (sha1_round<kFirst + t>(v, W, K), ...);
}

// One round of SHA-2. D is the suffix of instructions on words, BROADCAST that of a memory operand;
// then the counts of Sigma1 and Sigma0. The parts of the word for this round stand between: W1 to
// W4 are empty for the first sixteen.
#define INCORE_SHA2_ROUND(D, BROADCAST, S1A, S1B, S1C, S0A, S0B, S0C, W1, W2, W3, W4)         \
  __asm__(                                                                                    \
      "vmovdqa64 %[e], %[t0]\n\t"                                                             \
      "vpror" D " $" S0A ", %[a], %[t1]\n\t" W1 "vpror" D " $" S1B                            \
      ", %[e], %[t2]\n\t"                                                                     \
      "vpror" D " $" S1C ", %[e], %[t3]\n\t" W2                                               \
      "vmovdqa64 %[a], %[t5]\n\t"                                                             \
      "vpternlog" D " " CH                                                                    \
      ", %[g], %[f], %[t0]\n\t"                                                               \
      "vpternlog" D " " MAJ                                                                   \
      ", %[c], %[b], %[t5]\n\t"                                                               \
      "vpror" D " $" S1A                                                                      \
      ", %[e], %[t6]\n\t"                                                                     \
      "vpadd" D                                                                               \
      " %[t0], %[h], %[h]\n\t"                                                                \
      "vpror" D " $" S0B                                                                      \
      ", %[a], %[t0]\n\t"                                                                     \
      "vpternlog" D " " XOR                                                                   \
      ", %[t3], %[t2], %[t6]\n\t"                                                             \
      "vpadd" D                                                                               \
      " %[t6], %[h], %[h]\n\t"                                                                \
      "vpror" D " $" S0C ", %[a], %[t2]\n\t" W3 "vpternlog" D " " XOR                         \
      ", %[t2], %[t0], %[t1]\n\t" W4 "vpadd" D " %[K]" BROADCAST                              \
      ", %[w], %[t2]\n\t"                                                                     \
      "vpadd" D                                                                               \
      " %[t2], %[h], %[h]\n\t"                                                                \
      "vpadd" D                                                                               \
      " %[h], %[d], %[d]\n\t"                                                                 \
      "vpadd" D                                                                               \
      " %[t1], %[h], %[h]\n\t"                                                                \
      "vpadd" D " %[t5], %[h], %[h]\n\t"                                                      \
      : [d] "+v"(d), [h] "+v"(h), [w] "+v"(w), [t0] "=&v"(temp[0]), [t1] "=&v"(temp[1]),      \
        [t2] "=&v"(temp[2]), [t3] "=&v"(temp[3]), [t4] "=&v"(temp[4]), [t5] "=&v"(temp[5]),   \
        [t6] "=&v"(temp[6])                                                                   \
      : [a] "v"(a), [b] "v"(b), [c] "v"(c), [e] "v"(e), [f] "v"(f), [g] "v"(g), [w1] "v"(w1), \
        [w9] "v"(w9), [w14] "v"(w14), [K] "m"(K))
// sigma0 and sigma1 shift by their third count.
#define INCORE_SHA2_W1(D) "vpadd" D " %[w9], %[w], %[w]\n\t"
#define INCORE_SHA2_W2(D, S0B) "vpror" D " $" S0B ", %[w1], %[t4]\n\t"
#define INCORE_SHA2_W3(D, S0A, S0C, S1A, S1B) \
  "vpsrl" D " $" S0C                          \
  ", %[w1], %[t3]\n\t"                        \
  "vpror" D " $" S0A                          \
  ", %[w1], %[t6]\n\t"                        \
  "vpternlog" D " " XOR                       \
  ", %[t3], %[t4], %[t6]\n\t"                 \
  "vpadd" D                                   \
  " %[t6], %[w], %[w]\n\t"                    \
  "vpror" D " $" S1A                          \
  ", %[w14], %[t3]\n\t"                       \
  "vpror" D " $" S1B ", %[w14], %[t4]\n\t"
#define INCORE_SHA2_W4(D, S1C) \
  "vpsrl" D " $" S1C           \
  ", %[w14], %[t0]\n\t"        \
  "vpternlog" D " " XOR        \
  ", %[t0], %[t4], %[t3]\n\t"  \
  "vpadd" D " %[t3], %[w], %[w]\n\t"

// Round |t| of 16; |K| is its constant.
template <bool kFirst, size_t t, class Word>
INCORE_AVX512_INLINE void sha2_round(__m512i (&v)[8], __m512i (&W)[16], const Word& K) {
  const __m512i a = v[(16 - t) % 8], b = v[(17 - t) % 8], c = v[(18 - t) % 8];
  const __m512i e = v[(20 - t) % 8], f = v[(21 - t) % 8], g = v[(22 - t) % 8];
  const __m512i w1 = W[(t + 1) % 16], w9 = W[(t + 9) % 16], w14 = W[(t + 14) % 16];
  __m512i& d = v[(19 - t) % 8];
  __m512i& h = v[(23 - t) % 8];
  __m512i& w = W[t];
  __m512i temp[7];
  if constexpr (sizeof(Word) == 4) {
    if constexpr (kFirst)
      INCORE_SHA2_ROUND("d", "%{1to16%}", "6", "11", "25", "2", "13", "22", "", "", "", "");
    else
      INCORE_SHA2_ROUND("d", "%{1to16%}", "6", "11", "25", "2", "13", "22", INCORE_SHA2_W1("d"),
                        INCORE_SHA2_W2("d", "18"), INCORE_SHA2_W3("d", "7", "3", "17", "19"),
                        INCORE_SHA2_W4("d", "10"));
  } else {
    if constexpr (kFirst)
      INCORE_SHA2_ROUND("q", "%{1to8%}", "14", "18", "41", "28", "34", "39", "", "", "", "");
    else
      INCORE_SHA2_ROUND("q", "%{1to8%}", "14", "18", "41", "28", "34", "39", INCORE_SHA2_W1("q"),
                        INCORE_SHA2_W2("q", "8"), INCORE_SHA2_W3("q", "1", "7", "19", "61"),
                        INCORE_SHA2_W4("q", "6"));
  }
}

template <bool kFirst, class Word, size_t... t>
INCORE_AVX512_INLINE void sha2_16_rounds(__m512i (&v)[8], __m512i (&W)[16], const Word* K,
                                         std::index_sequence<t...>) {
  (sha2_round<kFirst, t>(v, W, K[t]), ...);
}

// Rows to columns of pieces of 128 bits: |x| comes from four groups of four rows.
INCORE_AVX512_INLINE void transpose_128(__m512i x0, __m512i x1, __m512i x2, __m512i x3,
                                        __m512i& out0, __m512i& out1, __m512i& out2,
                                        __m512i& out3) {
  const __m512i even01 = _mm512_shuffle_i32x4(x0, x1, 0x88);
  const __m512i odd01 = _mm512_shuffle_i32x4(x0, x1, 0xDD);
  const __m512i even23 = _mm512_shuffle_i32x4(x2, x3, 0x88);
  const __m512i odd23 = _mm512_shuffle_i32x4(x2, x3, 0xDD);
  out0 = _mm512_shuffle_i32x4(even01, even23, 0x88);
  out1 = _mm512_shuffle_i32x4(odd01, odd23, 0x88);
  out2 = _mm512_shuffle_i32x4(even01, even23, 0xDD);
  out3 = _mm512_shuffle_i32x4(odd01, odd23, 0xDD);
}

INCORE_AVX512_INLINE __m512i load_swapped(const uint8_t* p, __m128i order) {
  return _mm512_shuffle_epi8(_mm512_loadu_si512(p), _mm512_broadcast_i32x4(order));
}

// The next block of each lane as the first 16 words of the schedule: 16 lanes of 16 words.
INCORE_AVX512_INLINE void load_block(const uint8_t* const (&data)[16], size_t offset,
                                     __m512i (&W)[16]) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
#pragma GCC unroll 4
  for (size_t i = 0; i < 16; i += 4) {
    const __m512i r0 = load_swapped(data[i] + offset, order);
    const __m512i r1 = load_swapped(data[i + 1] + offset, order);
    const __m512i r2 = load_swapped(data[i + 2] + offset, order);
    const __m512i r3 = load_swapped(data[i + 3] + offset, order);
    const __m512i low01 = _mm512_unpacklo_epi32(r0, r1), high01 = _mm512_unpackhi_epi32(r0, r1);
    const __m512i low23 = _mm512_unpacklo_epi32(r2, r3), high23 = _mm512_unpackhi_epi32(r2, r3);
    W[i] = _mm512_unpacklo_epi64(low01, low23);
    W[i + 1] = _mm512_unpackhi_epi64(low01, low23);
    W[i + 2] = _mm512_unpacklo_epi64(high01, high23);
    W[i + 3] = _mm512_unpackhi_epi64(high01, high23);
  }
#pragma GCC unroll 4
  for (size_t j = 0; j < 4; ++j)
    transpose_128(W[j], W[4 + j], W[8 + j], W[12 + j], W[j], W[4 + j], W[8 + j], W[12 + j]);
}
// 8 lanes of 16 words.
INCORE_AVX512_INLINE void load_block(const uint8_t* const (&data)[8], size_t offset,
                                     __m512i (&W)[16]) {
  const __m128i order = _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607);
#pragma GCC unroll 2
  for (size_t half = 0; half < 16; half += 8) {
    __m512i* const w = W + half;
#pragma GCC unroll 4
    for (size_t i = 0; i < 8; i += 2) {
      const __m512i r0 = load_swapped(data[i] + offset + 8 * half, order);
      const __m512i r1 = load_swapped(data[i + 1] + offset + 8 * half, order);
      w[i] = _mm512_unpacklo_epi64(r0, r1);
      w[i + 1] = _mm512_unpackhi_epi64(r0, r1);
    }
#pragma GCC unroll 2
    for (size_t j = 0; j < 2; ++j)
      transpose_128(w[j], w[2 + j], w[4 + j], w[6 + j], w[j], w[2 + j], w[4 + j], w[6 + j]);
  }
}

// The data of the lanes at work; the others repeat the first, and what they compute is lost.
template <class Word>
struct Inputs {
  const uint8_t* data[ShaLanes<Word>::kNum];
  INCORE_AVX512_INLINE Inputs(const ShaLanes<Word>& lanes, size_t num_lanes) {
    for (size_t i = 0; i < ShaLanes<Word>::kNum; ++i) data[i] = lanes.data[i < num_lanes ? i : 0];
  }
};

INCORE_AVX512 void sha1_compress(ShaLanes<uint32_t>* lanes, size_t, size_t num_lanes,
                                 size_t num_blocks) {
  constexpr auto kTwenty = std::make_index_sequence<20>();
  const Inputs<uint32_t> inputs(*lanes, num_lanes);
  for (size_t offset = 0; offset < 64 * num_blocks; offset += 64) {
    __m512i W[16], v[5];
    load_block(inputs.data, offset, W);
    for (size_t i = 0; i < 5; ++i) v[i] = _mm512_load_si512(lanes->state[i]);
    sha1_twenty_rounds<0>(v, W, kTwenty);
    sha1_twenty_rounds<20>(v, W, kTwenty);
    sha1_twenty_rounds<40>(v, W, kTwenty);
    sha1_twenty_rounds<60>(v, W, kTwenty);
#pragma GCC unroll 5
    for (size_t i = 0; i < 5; ++i)
      _mm512_store_si512(lanes->state[i],
                         _mm512_add_epi32(v[i], _mm512_load_si512(lanes->state[i])));
  }
}

INCORE_AVX512_INLINE __m512i add_words(const uint32_t*, __m512i a, __m512i b) {
  return _mm512_add_epi32(a, b);
}
INCORE_AVX512_INLINE __m512i add_words(const uint64_t*, __m512i a, __m512i b) {
  return _mm512_add_epi64(a, b);
}

template <size_t kRounds, class Word>
INCORE_AVX512_INLINE void sha2_compress(ShaLanes<Word>* lanes, size_t num_lanes, size_t num_blocks,
                                        const Word* K) {
  constexpr size_t kBlockLen = ShaLanes<Word>::kBlockLen;
  const Inputs<Word> inputs(*lanes, num_lanes);
  for (size_t offset = 0; offset < kBlockLen * num_blocks; offset += kBlockLen) {
    __m512i W[16], v[8];
    load_block(inputs.data, offset, W);
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; ++i) v[i] = _mm512_load_si512(lanes->state[i]);
    sha2_16_rounds<true>(v, W, K, kSixteen);
    for (size_t first = 16; first < kRounds; first += 16)
      sha2_16_rounds<false>(v, W, K + first, kSixteen);
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; ++i)
      _mm512_store_si512(lanes->state[i], add_words(K, v[i], _mm512_load_si512(lanes->state[i])));
  }
}

INCORE_AVX512 void sha256_compress(ShaLanes<uint32_t>* lanes, size_t, size_t num_lanes,
                                   size_t num_blocks) {
  sha2_compress<64>(lanes, num_lanes, num_blocks, sha::kSha256K.word);
}
INCORE_AVX512 void sha512_compress(ShaLanes<uint64_t>* lanes, size_t, size_t num_lanes,
                                   size_t num_blocks) {
  sha2_compress<80>(lanes, num_lanes, num_blocks, sha::kSha512K);
}

}  // namespace

constinit const Sha1ManyKernel sha1_many_avx512 = {
    {"avx512", FeatureSet(Feature::avx512)}, 16, 450, sha1_compress};
constinit const Sha256ManyKernel sha256_many_avx512 = {
    {"avx512", FeatureSet(Feature::avx512)}, 16, 900, sha256_compress};
constinit const Sha512ManyKernel sha512_many_avx512 = {
    {"avx512", FeatureSet(Feature::avx512)}, 8, 1120, sha512_compress};

}  // namespace incore

#endif
