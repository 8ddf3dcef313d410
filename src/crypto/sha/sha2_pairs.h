// SHA-256 and SHA-512 for two blocks at a time: FIPS 180-4, sections 6.2 and 6.4, one text for both
// word sizes. The message schedules of both blocks are computed in 256-bit registers, one block in
// each half, beside the rounds of the first block; the rounds are scalar code with RORX and ANDN.
// For the kernels `avx2` and `avx512`, which define INCORE_SHA2_TARGET, the attribute of all
// functions, before they include this.
#pragma once

#include <immintrin.h>

#include <utility>

#include "base/wipe.h"
#include "crypto/sha/sha_steps.h"

#define INCORE_SHA2_INLINE INCORE_SHA2_TARGET [[gnu::always_inline]] inline

namespace incore {
namespace {

// The counts of RORX in Sigma0 and Sigma1.
template <class Word>
struct Sha2Rotations;
template <>
struct Sha2Rotations<uint32_t> {
  static constexpr int kSigma0[3] = {22, 13, 2}, kSigma1[3] = {25, 11, 6};
};
template <>
struct Sha2Rotations<uint64_t> {
  static constexpr int kSigma0[3] = {39, 34, 28}, kSigma1[3] = {41, 18, 14};
};

// The working variables between two rounds. What does not decide when the next round may begin is
// left pending: e lacks a, and a lacks maj and Sigma0 = sigma ^ sigma_last.
template <class Word>
struct Sha2Working {
  Word v[8];  // stay where they are, their names move by one each round
  Word maj = 0, sigma = 0, sigma_last = 0;
  Word b_xor_c;

  INCORE_SHA2_INLINE explicit Sha2Working(const Word* state) {
    for (size_t i = 0; i < 8; ++i) v[i] = state[i];
    b_xor_c = v[1] ^ v[2];
    v[4] -= v[0];
  }
  // After a multiple of 8 rounds.
  INCORE_SHA2_INLINE void add_to(Word* state) {
    v[4] += v[0];
    v[0] += maj + (sigma ^ sigma_last);
    for (size_t i = 0; i < 8; ++i) state[i] += v[i];
  }
};

// Round |t|; |wk| is W + K. The five registers beside the working variables take turns in what they
// hold. The order of the instructions matters: among random orders that compute the same, most need
// ten to twenty percent more time on Zen 4 than this one.
template <size_t t, class Word>
INCORE_SHA2_INLINE void sha2_round(Sha2Working<Word>& s, const Word& wk) {
  using Rotations = Sha2Rotations<Word>;
  Word& a = s.v[(16 - t) % 8];
  Word& e = s.v[(20 - t) % 8];
  Word& h = s.v[(23 - t) % 8];
  const Word b = s.v[(17 - t) % 8], f = s.v[(21 - t) % 8], g = s.v[(22 - t) % 8];
  Word free;
  __asm__(
      "add %[wk], %[h]\n\t"
      "add %[a], %[e]\n\t"  // pending
      "add %[maj], %[a]\n\t"
      "rorx %[S1a], %[e], %[maj]\n\t"
      "xor %[last], %[sigma]\n\t"
      "rorx %[S1b], %[e], %[last]\n\t"
      "add %[sigma], %[a]\n\t"
      "rorx %[S1c], %[e], %[free]\n\t"
      "xor %[last], %[maj]\n\t"
      "mov %[e], %[last]\n\t"
      "and %[f], %[last]\n\t"
      "andn %[g], %[e], %[sigma]\n\t"
      "add %[last], %[h]\n\t"  // Ch: its two terms have no bit in common
      "add %[sigma], %[h]\n\t"
      "mov %[a], %[sigma]\n\t"
      "xor %[b], %[sigma]\n\t"  // the next round's b ^ c
      "xor %[free], %[maj]\n\t"
      "rorx %[S0a], %[a], %[free]\n\t"
      "and %[sigma], %[bc]\n\t"
      "rorx %[S0b], %[a], %[last]\n\t"
      "add %[maj], %[h]\n\t"
      "xor %[last], %[free]\n\t"
      "xor %[b], %[bc]\n\t"  // Maj = ((a ^ b) & (b ^ c)) ^ b
      "rorx %[S0c], %[a], %[last]\n\t"
      : [a] "+r"(a), [e] "+r"(e), [h] "+r"(h), [maj] "+r"(s.maj), [sigma] "+r"(s.sigma),
        [last] "+r"(s.sigma_last), [bc] "+r"(s.b_xor_c), [free] "=&r"(free)
      : [b] "r"(b), [f] "r"(f), [g] "r"(g), [wk] "m"(wk), [S0a] "n"(Rotations::kSigma0[0]),
        [S0b] "n"(Rotations::kSigma0[1]), [S0c] "n"(Rotations::kSigma0[2]),
        [S1a] "n"(Rotations::kSigma1[0]), [S1b] "n"(Rotations::kSigma1[1]),
        [S1c] "n"(Rotations::kSigma1[2])
      : "cc");
  s.maj = s.b_xor_c;
  s.b_xor_c = s.sigma;
  s.sigma = free;
}

// W + K of two blocks, as the schedule leaves them: a vector's worth of words of the first block,
// then of the second. |block| 0 or 1.
template <size_t t, class Word>
INCORE_SHA2_INLINE const Word& sha2_wk(const Word* wk, size_t block) {
  constexpr size_t kPerBlock = 16 / sizeof(Word);
  return wk[t / kPerBlock * 2 * kPerBlock + block * kPerBlock + t % kPerBlock];
}

template <class Word, size_t... t>
INCORE_SHA2_INLINE void sha2_rounds(Sha2Working<Word>& s, const Word* wk, size_t block,
                                    std::index_sequence<t...>) {
  (sha2_round<t>(s, sha2_wk<t>(wk, block)), ...);
}

// The schedule: Schedule::Word, and static functions
//   load(block words of both, i)   the i-th 16 bytes of either block, as words
//   next<i>(W)                     W[i] for the 16 words that follow
// kVectors vectors hold 16 words of either block.
template <class Schedule>
struct Sha2Pairs {
  using Word = typename Schedule::Word;
  static constexpr size_t kPerBlock = 16 / sizeof(Word);
  static constexpr size_t kVectors = 16 / kPerBlock;
  static constexpr size_t kBlockLen = 16 * sizeof(Word);

  INCORE_SHA2_INLINE static void store_wk(__m256i w, const Word* K, Word* wk) {
    const __m256i k =
        _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(K)));
    _mm256_store_si256(reinterpret_cast<__m256i*>(wk), Schedule::add(w, k));
  }

  INCORE_SHA2_INLINE static __m256i load_halves(const uint8_t* low, const uint8_t* high) {
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))),
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
  }

  template <size_t... i>
  INCORE_SHA2_INLINE static void first_words(__m256i (&W)[kVectors], const uint8_t* first,
                                             const uint8_t* second, const Word* K, Word* wk,
                                             std::index_sequence<i...>) {
    ((W[i] =
          _mm256_shuffle_epi8(load_halves(first + 16 * i, second + 16 * i), Schedule::swap_bytes()),
      store_wk(W[i], K + kPerBlock * i, wk + 2 * kPerBlock * i)),
     ...);
  }

  // Rounds of the first block from |wk|, and beside them the words of the next rounds.
  template <size_t i, size_t... j>
  INCORE_SHA2_INLINE static void rounds_and_words(Sha2Working<Word>& s, __m256i (&W)[kVectors],
                                                  const Word* K, Word* wk,
                                                  std::index_sequence<j...>) {
    W[i] = Schedule::template next<i>(W);
    (sha2_round<kPerBlock * i + j>(s, sha2_wk<kPerBlock * i + j>(wk, 0)), ...);
    store_wk(W[i], K + kPerBlock * i, wk + 32 + 2 * kPerBlock * i);
  }
  template <size_t... i>
  INCORE_SHA2_INLINE static void sixteen_rounds_and_words(Sha2Working<Word>& s,
                                                          __m256i (&W)[kVectors], const Word* K,
                                                          Word* wk, std::index_sequence<i...>) {
    (rounds_and_words<i>(s, W, K, wk, std::make_index_sequence<kPerBlock>()), ...);
  }

  template <size_t kRounds>
  INCORE_SHA2_INLINE static void compress(Word* state, const uint8_t* blocks, size_t num_blocks,
                                          const Word* K) {
    constexpr auto kSixteen = std::make_index_sequence<16>();
    constexpr auto kEach = std::make_index_sequence<kVectors>();
    alignas(32) Word wk[2 * kRounds];
    while (num_blocks != 0) {
      // A last block without another is scheduled beside itself.
      const bool pair = num_blocks > 1;
      __m256i W[kVectors];
      first_words(W, blocks, pair ? blocks + kBlockLen : blocks, K, wk, kEach);
      Sha2Working<Word> s(state);
      size_t first = 0;
      for (; first < kRounds - 16; first += 16)
        sixteen_rounds_and_words(s, W, K + first + 16, wk + 2 * first, kEach);
      sha2_rounds(s, wk + 2 * first, 0, kSixteen);
      s.add_to(state);
      if (!pair) break;
      Sha2Working<Word> second(state);
      for (first = 0; first < kRounds; first += 16)
        sha2_rounds(second, wk + 2 * first, 1, kSixteen);
      second.add_to(state);
      num_blocks -= 2;
      blocks += 2 * kBlockLen;
    }
    wipe(wk);
  }
};

}  // namespace
}  // namespace incore
