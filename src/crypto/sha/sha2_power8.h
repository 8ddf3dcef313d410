// SHA-256 and SHA-512 with the sigma instructions of POWER8: FIPS 180-4, sections 6.2 and 6.4,
// after the strategy of the POWER8 guide, chapter 5, in one text for both word sizes. All work is
// done in vector registers. Each working variable has one to itself, of which only the leftmost
// word matters. The 16 words of the message schedule stand side by side in their vectors, so that
// one instruction expands four of them (two of SHA-512); they are shifted out one by one for the
// rounds.
#pragma once

#include <utility>

#include "crypto/power8/vector.h"

namespace incore {
namespace {

using power8::uint32x4_p8;
using power8::uint64x2_p8;
using power8::VectorShiftLeftBE;

POWER8_INLINE uint32x4_p8 Sigma0(uint32x4_p8 x) {
  return power8::vshasigmaw<1, 0>(x);
}
POWER8_INLINE uint32x4_p8 Sigma1(uint32x4_p8 x) {
  return power8::vshasigmaw<1, 15>(x);
}
POWER8_INLINE uint32x4_p8 sigma0(uint32x4_p8 x) {
  return power8::vshasigmaw<0, 0>(x);
}
POWER8_INLINE uint32x4_p8 sigma1(uint32x4_p8 x) {
  return power8::vshasigmaw<0, 15>(x);
}
POWER8_INLINE uint64x2_p8 Sigma0(uint64x2_p8 x) {
  return power8::vshasigmad<1, 0>(x);
}
POWER8_INLINE uint64x2_p8 Sigma1(uint64x2_p8 x) {
  return power8::vshasigmad<1, 15>(x);
}
POWER8_INLINE uint64x2_p8 sigma0(uint64x2_p8 x) {
  return power8::vshasigmad<0, 0>(x);
}
POWER8_INLINE uint64x2_p8 sigma1(uint64x2_p8 x) {
  return power8::vshasigmad<0, 15>(x);
}

// Bits of y where |mask| is 1, of x where it is 0. Clang makes three instructions of vec_sel.
template <class Vector>
POWER8_INLINE Vector VectorSelect(Vector x, Vector y, Vector mask) {
#if defined(__clang__)
  Vector r;
  __asm__("vsel %0,%1,%2,%3" : "=v"(r) : "v"(x), "v"(y), "v"(mask));
  return r;
#else
  return vec_sel(x, y, mask);
#endif
}

// Bits of y where x is 1, of z where x is 0.
template <class Vector>
POWER8_INLINE Vector VectorCh(Vector x, Vector y, Vector z) {
  return VectorSelect(z, y, x);
}
// Where x and y differ, z decides; where they agree, they do.
template <class Vector>
POWER8_INLINE Vector VectorMaj(Vector x, Vector y, Vector z) {
  return VectorSelect(y, z, vec_xor(x, y));
}

// |x| with its word |i|, counted from the left, leftmost.
template <unsigned i, class Vector>
POWER8_INLINE Vector VectorWord(Vector x) {
  return power8::VectorRotateLeftBE<sizeof x[0] * i>(x);
}

// A vector of words in the host's byte order, at any address, the first word leftmost. For words,
// unlike bytes, this is one instruction on both kinds of machines.
POWER8_INLINE uint32x4_p8 load_words(const uint32_t* p) {
  return vec_xl_be(0, const_cast<uint32_t*>(p));
}
POWER8_INLINE uint64x2_p8 load_words(const uint64_t* p) {
  return vec_xl_be(0, reinterpret_cast<unsigned long long*>(const_cast<uint64_t*>(p)));
}
POWER8_INLINE void store_words(uint32x4_p8 x, uint32_t* p) {
  vec_xst_be(x, 0, p);
}
POWER8_INLINE void store_words(uint64x2_p8 x, uint64_t* p) {
  vec_xst_be(x, 0, reinterpret_cast<unsigned long long*>(p));
}

// One message's variables at a time: a word in each of |out_words|, leftmost, and back.
POWER8_INLINE void load_state(const uint32_t state[8], uint32x4_p8 (&out_words)[8]) {
  for (size_t i = 0; i < 8; i += 4) {
    const uint32x4_p8 four = load_words(state + i);
    out_words[i] = four;
    out_words[i + 1] = VectorWord<1>(four);
    out_words[i + 2] = VectorWord<2>(four);
    out_words[i + 3] = VectorWord<3>(four);
  }
}
POWER8_INLINE void load_state(const uint64_t state[8], uint64x2_p8 (&out_words)[8]) {
  for (size_t i = 0; i < 8; i += 2) {
    const uint64x2_p8 two = load_words(state + i);
    out_words[i] = two;
    out_words[i + 1] = VectorWord<1>(two);
  }
}
POWER8_INLINE void store_state(const uint32x4_p8 (&words)[8], uint32_t out_state[8]) {
  for (size_t i = 0; i < 8; i += 4) {
    uint32x4_p8 four = words[i];  // each step moves in a word from the right
    for (size_t j = 0; j < 4; ++j) four = VectorShiftLeftBE<4>(four, words[i + j]);
    store_words(four, out_state + i);
  }
}
POWER8_INLINE void store_state(const uint64x2_p8 (&words)[8], uint64_t out_state[8]) {
  for (size_t i = 0; i < 8; i += 2) {
    const uint64x2_p8 first = VectorWord<1>(words[i]);
    store_words(VectorShiftLeftBE<8>(first, words[i + 1]), out_state + i);
  }
}

// quote: round
// Round |t| of 16; |wk| is the word of the schedule plus the round's constant. The working
// variables stay where they are, their names move by one each round. T1 is never written down: d
// and h each get its two halves, so that the way from e to the next e is short.
template <size_t t, class Vector>
POWER8_INLINE void sha2_round(Vector (&v)[8], Vector wk) {
  const Vector a = v[(16 - t) % 8], b = v[(17 - t) % 8], c = v[(18 - t) % 8];
  const Vector e = v[(20 - t) % 8], f = v[(21 - t) % 8], g = v[(22 - t) % 8];
  Vector& d = v[(19 - t) % 8];
  Vector& h = v[(23 - t) % 8];
  const Vector early = h + wk;
  const Vector late = Sigma1(e) + VectorCh(e, f, g);
  d = (d + early) + late;
  h = ((early + late) + Sigma0(a)) + VectorMaj(a, b, c);
}
// end of quote

// Words |t| to |t| + 3 (or + 1) of the next 16 in place of those before: word t gains sigma0 of
// word t + 1, word t + 9, and sigma1 of word t + 14. Of four, the last two need the first two.
template <size_t t>
POWER8_INLINE void expand(uint32x4_p8 (&W)[4]) {
  constexpr size_t i = t / 4;
  const uint32x4_p8 next = W[(i + 1) % 4], w8 = W[(i + 2) % 4], w12 = W[(i + 3) % 4];
  const uint32x4_p8 zero = {};  // sigma1 of it is 0
  uint32x4_p8& w = W[i];
  w += sigma0(VectorShiftLeftBE<4>(w, next));
  w += VectorShiftLeftBE<4>(w8, w12);
  w += sigma1(VectorShiftLeftBE<8>(w12, zero));
  w += sigma1(VectorShiftLeftBE<8>(zero, w));
}
template <size_t t>
POWER8_INLINE void expand(uint64x2_p8 (&W)[8]) {
  constexpr size_t i = t / 2;
  uint64x2_p8& w = W[i];
  w += sigma0(VectorShiftLeftBE<8>(w, W[(i + 1) % 8]));
  w += VectorShiftLeftBE<8>(W[(i + 4) % 8], W[(i + 5) % 8]);
  w += sigma1(W[(i + 7) % 8]);
}

// The rounds of one vector of the schedule, from |t| of 16 on; the vector is expanded if |kExpand|.
template <size_t t, bool kExpand>
POWER8_INLINE void sha2_rounds(uint32x4_p8 (&v)[8], uint32x4_p8 (&W)[4], const uint32_t* K) {
  const uint32x4_p8 wk = W[t / 4] + load_words(K + t);
  sha2_round<t>(v, wk);
  if constexpr (kExpand) expand<t>(W);
  sha2_round<t + 1>(v, VectorWord<1>(wk));
  sha2_round<t + 2>(v, VectorWord<2>(wk));
  sha2_round<t + 3>(v, VectorWord<3>(wk));
}
template <size_t t, bool kExpand>
POWER8_INLINE void sha2_rounds(uint64x2_p8 (&v)[8], uint64x2_p8 (&W)[8], const uint64_t* K) {
  const uint64x2_p8 wk = W[t / 2] + load_words(K + t);
  sha2_round<t>(v, wk);
  if constexpr (kExpand) expand<t>(W);
  sha2_round<t + 1>(v, VectorWord<1>(wk));
}
template <bool kExpand, size_t kNum, class Vector, class Word, size_t... i>
POWER8_INLINE void sha2_16_rounds(Vector (&v)[8], Vector (&W)[kNum], const Word* K,
                                  std::index_sequence<i...>) {
  (sha2_rounds<16 / kNum * i, kExpand>(v, W, K), ...);
}

// The constants of FIPS 180-4 at an address that suits vectors. A copy for the kernel alone:
// objects compiled for POWER8 may not define anything that the rest of the program shares.
template <class Word, size_t kRounds>
struct RoundConstants {
  alignas(16) Word word[kRounds] = {};
  template <class Source>
  constexpr explicit RoundConstants(const Source& source) {
    for (size_t t = 0; t < kRounds; ++t) word[t] = source[t];
  }
};

template <class Vector, class Word, size_t kRounds>
POWER8_INLINE void sha2_compress(Word state[8], const uint8_t* blocks, size_t num_blocks,
                                 const RoundConstants<Word, kRounds>& K) {
  constexpr std::make_index_sequence<sizeof(Word)> kVectors;  // of the 16 words
  Vector H[8];
  load_state(state, H);
  for (; num_blocks != 0; --num_blocks, blocks += 16 * sizeof(Word)) {
    Vector W[sizeof(Word)], v[8];
    for (size_t i = 0; i < sizeof(Word); ++i)
      W[i] = reinterpret_cast<Vector>(power8::VectorLoadBE(blocks + 16 * i));
    for (size_t i = 0; i < 8; ++i) v[i] = H[i];
    const Word* const last = K.word + kRounds - 16;
    for (const Word* k = K.word; k != last; k += 16) sha2_16_rounds<true>(v, W, k, kVectors);
    sha2_16_rounds<false>(v, W, last, kVectors);
    for (size_t i = 0; i < 8; ++i) H[i] += v[i];
  }
  store_state(H, state);
}

}  // namespace
}  // namespace incore
