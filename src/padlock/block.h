// A block of 128 bits, as the modes of SP 800-38A work on it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::padlock {

struct Block {
  uint8_t bytes[16];

  friend Block operator^(Block a, const Block& b) {
    for (size_t i = 0; i < sizeof a.bytes; ++i) a.bytes[i] ^= b.bytes[i];
    return a;
  }
};

}  // namespace incore::padlock
