// The ChaCha20 block function (RFC 8439, section 2.3): what drives the seeded noise. Plain steps;
// it makes repeatable numbers and keeps no secret.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace incore::padlock {

inline constexpr unsigned kChacha20BlockLen = 64;

inline void chacha20_block(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3],
                           uint8_t out[kChacha20BlockLen]) {
  // The state's four rows. A round works on its columns; turned by 1, 2 and 3 words, the rows have
  // its diagonals as columns.
  using Row [[gnu::vector_size(16)]] = uint32_t;
  const Row start[4] = {{0x61707865, 0x3320646E, 0x79622D32, 0x6B206574},  // "expand 32-byte k"
                        {key[0], key[1], key[2], key[3]},
                        {key[4], key[5], key[6], key[7]},
                        {counter, nonce[0], nonce[1], nonce[2]}};
  Row a = start[0], b = start[1], c = start[2], d = start[3];
  const auto mix = [](Row& sum, const Row& term, Row& turned, unsigned distance) {
    sum += term;
    turned ^= sum;
    turned = turned << distance | turned >> (32 - distance);
  };
  const auto quarter_rounds = [&] {
    mix(a, b, d, 16);
    mix(c, d, b, 12);
    mix(a, b, d, 8);
    mix(c, d, b, 7);
  };
  for (unsigned double_round = 0; double_round < 10; ++double_round) {
    quarter_rounds();
    b = __builtin_shufflevector(b, b, 1, 2, 3, 0);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 3, 0, 1, 2);
    quarter_rounds();
    b = __builtin_shufflevector(b, b, 3, 0, 1, 2);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 1, 2, 3, 0);
  }
  const Row rows[4] = {a + start[0], b + start[1], c + start[2], d + start[3]};
  for (unsigned i = 0; i < 16; ++i) store_le32(out + 4 * i, rows[i / 4][i % 4]);
}

}  // namespace incore::padlock
