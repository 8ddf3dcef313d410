// SHA-256 and SHA-512 without special instructions: FIPS 180-4, sections 6.2 and 6.4, one text for
// both word sizes. The message schedule is kept in 16 words. For the kernels `portable` only.
#pragma once

#include <utility>

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/sha/sha_steps.h"

namespace incore {

// Round |t| of 16; the working variables stay where they are, their names move by one each round.
template <bool kFirst, size_t t, class Word>
[[gnu::always_inline]] inline void sha2_round(Word (&v)[8], Word (&W)[16], const uint8_t* block,
                                              Word K) {
  Word& w = W[t];
  if constexpr (kFirst) {
    if constexpr (sizeof(Word) == 4)
      w = load_be32(block + 4 * t);
    else
      w = load_be64(block + 8 * t);
  } else {
    w += sha::sigma1(W[(t + 14) % 16]) + W[(t + 9) % 16] + sha::sigma0(W[(t + 1) % 16]);
  }
  const Word a = v[(16 - t) % 8], b = v[(17 - t) % 8], c = v[(18 - t) % 8];
  const Word e = v[(20 - t) % 8], f = v[(21 - t) % 8], g = v[(22 - t) % 8];
  Word& d = v[(19 - t) % 8];
  Word& h = v[(23 - t) % 8];
  h += K + w + sha::Sigma1(e) + (g ^ (e & (f ^ g)));  // T1, with Ch
  d += h;
  h += sha::Sigma0(a) + ((a & b) | (c & (a | b)));  // T2, with Maj
}

template <bool kFirst, class Word, class Constants, size_t... t>
[[gnu::always_inline]] inline void sha2_16_rounds(Word (&v)[8], Word (&W)[16], const uint8_t* block,
                                                  const Constants& K, size_t first,
                                                  std::index_sequence<t...>) {
  (sha2_round<kFirst, t>(v, W, block, K[first + t]), ...);
}

template <size_t kRounds, class Word, class Constants>
[[gnu::always_inline]] inline void sha2_compress(Word* state, const uint8_t* blocks,
                                                 size_t num_blocks, const Constants& K) {
  constexpr auto kSixteen = std::make_index_sequence<16>();
  Word W[16];
  for (; num_blocks != 0; --num_blocks, blocks += sizeof W) {
    Word v[8];
    for (size_t i = 0; i < 8; ++i) v[i] = state[i];
    sha2_16_rounds<true>(v, W, blocks, K, 0, kSixteen);
    for (size_t first = 16; first < kRounds; first += 16)
      sha2_16_rounds<false>(v, W, blocks, K, first, kSixteen);
    for (size_t i = 0; i < 8; ++i) state[i] += v[i];
  }
  wipe(W);
}

}  // namespace incore
