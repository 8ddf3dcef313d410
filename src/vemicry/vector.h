// What vector instructions share.
#pragma once

#include <algorithm>

#include "vemicry/insn.h"

namespace incore::vemicry {

inline constexpr Trap kReserved = {Exception::reserved_instruction};

// True if the vector registers of a word exist.
inline bool has_registers(const State& state, uint32_t a, uint32_t b = 0, uint32_t c = 0) {
  return std::max({a, b, c}) < state.config.q;
}

// The words that a count of |n| means: 0 stands for all, and none lies beyond the vector length.
inline uint32_t counted_words(const State& state, uint32_t n) {
  return n == 0 ? state.l : std::min(n, state.l);
}

inline uint32_t rotate_right(uint32_t x, uint32_t n) {
  return x >> (n & 31) | x << (-n & 31);
}

// A result that is made from words which it overwrites.
class Words {
 public:
  Words(const State& state, uint32_t vector) : len_(state.l) {
    std::copy_n(state.v[vector], len_, words_);
  }
  const uint32_t& operator[](uint32_t i) const { return words_[i]; }

 private:
  uint32_t len_;
  uint32_t words_[kMaxWords];
};

}  // namespace incore::vemicry
