// The steps of SM3 as GB/T 32905-2016 (and ISO/IEC 10118-3:2018) writes them, in its words. Padding
// is that of SHA-256. No branch and no address depends on the message.
//
//   V  chaining value A to H     B  message block     W, W'  expanded message     T  constants
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace incore::sm3 {

inline constexpr size_t kBlockLen = 64;
inline constexpr size_t kNumWords = 8;

// 4.1: the initial value.
inline constexpr uint32_t kIv[kNumWords] = {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600,
                                            0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e};

// 4.2 to 4.4: constants, Boolean functions and permutations.
constexpr uint32_t T(unsigned j) {
  return j < 16 ? 0x79cc4519 : 0x7a879d8a;
}
constexpr uint32_t FF(unsigned j, uint32_t X, uint32_t Y, uint32_t Z) {
  return j < 16 ? X ^ Y ^ Z : (X & Y) | (X & Z) | (Y & Z);
}
constexpr uint32_t GG(unsigned j, uint32_t X, uint32_t Y, uint32_t Z) {
  return j < 16 ? X ^ Y ^ Z : (X & Y) | (~X & Z);
}
constexpr uint32_t P0(uint32_t X) {
  return X ^ std::rotl(X, 9) ^ std::rotl(X, 17);
}
constexpr uint32_t P1(uint32_t X) {
  return X ^ std::rotl(X, 15) ^ std::rotl(X, 23);
}

// 5.3: message expansion and the compression function CF, V = CF(V, B).
inline void compress_block(uint32_t (&V)[kNumWords], const uint8_t* block) {
  uint32_t W[68];
  for (unsigned j = 0; j < 16; ++j) W[j] = load_be32(block + 4 * j);
  for (unsigned j = 16; j < 68; ++j)
    W[j] = P1(W[j - 16] ^ W[j - 9] ^ std::rotl(W[j - 3], 15)) ^ std::rotl(W[j - 13], 7) ^ W[j - 6];

  uint32_t A = V[0], B = V[1], C = V[2], D = V[3], E = V[4], F = V[5], G = V[6], H = V[7];
  for (unsigned j = 0; j < 64; ++j) {
    const uint32_t SS1 =
        std::rotl(std::rotl(A, 12) + E + std::rotl(T(j), static_cast<int>(j % 32)), 7);
    const uint32_t SS2 = SS1 ^ std::rotl(A, 12);
    const uint32_t TT1 = FF(j, A, B, C) + D + SS2 + (W[j] ^ W[j + 4]);  // W'j
    const uint32_t TT2 = GG(j, E, F, G) + H + SS1 + W[j];
    D = C, C = std::rotl(B, 9), B = A, A = TT1;
    H = G, G = std::rotl(F, 19), F = E, E = P0(TT2);
  }
  V[0] ^= A, V[1] ^= B, V[2] ^= C, V[3] ^= D, V[4] ^= E, V[5] ^= F, V[6] ^= G, V[7] ^= H;
}

}  // namespace incore::sm3
