// xoshiro256** (Blackman and Vigna), the generator of permutations. Its state is filled by
// SplitMix64, so that any two seeds and streams give unrelated sequences.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

namespace incore::assess::sp800_90b {

class Xoshiro {
 public:
  Xoshiro(uint64_t seed, uint64_t stream) {
    uint64_t x = mix(seed) ^ stream;
    for (uint64_t& word : state_) word = mix(x += 0x9e3779b97f4a7c15);
  }

  uint64_t operator()() {
    const uint64_t out = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return out;
  }

  // Fisher and Yates. One draw serves two indices; a bound below 2^32 times 32 random bits favours
  // no index by more than one part in 2^32 / bound.
  void shuffle(std::span<uint8_t> data) {
    for (size_t i = data.size(); i > 1;) {
      uint64_t draw = operator()();
      for (int half = 0; half < 2 && i > 1; ++half, --i, draw >>= 32)
        std::swap(data[i - 1], data[(draw & 0xffffffff) * i >> 32]);
    }
  }

 private:
  static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
  }

  std::array<uint64_t, 4> state_;
};

}  // namespace incore::assess::sp800_90b
