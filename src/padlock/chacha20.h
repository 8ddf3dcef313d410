// The ChaCha20 block function (RFC 8439, section 2.3): what drives the seeded noise. Plain steps;
// it makes repeatable numbers and keeps no secret.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace incore::padlock {

inline constexpr unsigned kChacha20BlockLen = 64;

inline void chacha20_block(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3],
                           uint8_t out[kChacha20BlockLen]) {
  const uint32_t start[16] = {0x61707865, 0x3320646E, 0x79622D32, 0x6B206574,  // "expand 32-byte k"
                              key[0],     key[1],     key[2],     key[3],     key[4],   key[5],
                              key[6],     key[7],     counter,    nonce[0],   nonce[1], nonce[2]};
  uint32_t x[16];
  for (unsigned i = 0; i < 16; ++i) x[i] = start[i];
  const auto mix = [&x](unsigned a, unsigned b, unsigned d, unsigned distance) {
    x[a] += x[b];
    x[d] ^= x[a];
    x[d] = x[d] << distance | x[d] >> (32 - distance);
  };
  const auto quarter_round = [&mix](unsigned a, unsigned b, unsigned c, unsigned d) {
    mix(a, b, d, 16);
    mix(c, d, b, 12);
    mix(a, b, d, 8);
    mix(c, d, b, 7);
  };
  for (unsigned double_round = 0; double_round < 10; ++double_round) {
    for (unsigned i = 0; i < 4; ++i) quarter_round(i, 4 + i, 8 + i, 12 + i);
    for (unsigned i = 0; i < 4; ++i)
      quarter_round(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  for (unsigned i = 0; i < 16; ++i) store_le32(out + 4 * i, x[i] + start[i]);
}

}  // namespace incore::padlock
