// A bitstring in words of 64 bits: bit i % 64 of word i / 64 is its bit i.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace incore::assess::sp800_90b {

inline std::vector<uint64_t> bit_blocks(std::span<const uint8_t> bits) {
  std::vector<uint64_t> blocks((bits.size() + 63) / 64);
  for (size_t block = 0; block < blocks.size(); ++block) {
    const size_t len = std::min<size_t>(64, bits.size() - block * 64);
    for (size_t i = 0; i < len; ++i)
      blocks[block] |= static_cast<uint64_t>(bits[block * 64 + i]) << i;
  }
  return blocks;
}

}  // namespace incore::assess::sp800_90b
