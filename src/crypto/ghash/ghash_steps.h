// GHASH as plain steps, in the words of SP 800-38D: the oracle of the tests. NOT constant-time: it
// branches on data. Kernels are what secrets should meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "crypto/ghash/ghash_kernel.h"

namespace incore::ghash_steps {

// Section 6.3, algorithm 1: Z = X Y. The leftmost bit of a block is the coefficient of x^0. |out_z|
// may be one of the others.
inline void multiply(const uint8_t* x, const uint8_t* y, uint8_t* out_z) {
  uint8_t z[kGhashBlockLen] = {}, v[kGhashBlockLen];
  std::memcpy(v, y, sizeof v);
  for (unsigned i = 0; i < 128; ++i) {
    if (x[i / 8] >> (7 - i % 8) & 1)
      for (size_t j = 0; j < sizeof z; ++j) z[j] ^= v[j];
    const bool lsb = v[15] & 1;
    for (size_t j = sizeof v - 1; j > 0; --j)
      v[j] = static_cast<uint8_t>(v[j] >> 1 | v[j - 1] << 7);
    v[0] = static_cast<uint8_t>(v[0] >> 1 ^ (lsb ? 0xE1 : 0));  // R = 11100001 || 0^120
  }
  std::memcpy(out_z, z, sizeof z);
}

// Section 6.4, algorithm 2, going on from |state|.
inline void ghash(const uint8_t* h, uint8_t* state, const uint8_t* blocks, size_t num_blocks) {
  for (size_t i = 0; i < num_blocks; ++i) {
    for (size_t j = 0; j < kGhashBlockLen; ++j) state[j] ^= blocks[kGhashBlockLen * i + j];
    multiply(state, h, state);
  }
}

}  // namespace incore::ghash_steps
