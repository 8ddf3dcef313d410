// A bit sequence epsilon of n bits, as SP 800-22 calls it: epsilon_1 is bit(0) here, the highest
// bit of the first word. Bits behind the end read as 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace incore::assess::sp800_22 {

class Sequence {
 public:
  // |num_bits| bits of |bytes|, beginning with bit |first| of them; bit 0 is the first byte's
  // highest.
  Sequence(std::span<const uint8_t> bytes, size_t first, size_t num_bits);
  // Of the characters '0' and '1'.
  explicit Sequence(std::string_view digits);

  size_t n() const { return n_; }
  unsigned bit(size_t i) const {
    return static_cast<unsigned>(words_[i / 64] >> (63 - i % 64) & 1);
  }

  // Bits i to i + 63, bit i on top; i <= n.
  uint64_t word_at(size_t i) const {
    const uint64_t high = words_[i / 64] << i % 64;
    return i % 64 == 0 ? high : high | words_[i / 64 + 1] >> (64 - i % 64);
  }
  // Bits i to i + count - 1 as a number, bit i on top; 1 <= count <= 64.
  uint64_t bits(size_t i, unsigned count) const { return word_at(i) >> (64 - count); }

  // 64 bits each, ceil(n / 64) of them.
  std::span<const uint64_t> words() const { return {words_.data(), (n_ + 63) / 64}; }

 private:
  void clear_behind_end();

  size_t n_;
  std::vector<uint64_t> words_;  // two more than words(), of zeros
};

// Calls |take|(value) for each of the |count| windows of |width| bits that begin at bit |first| and
// each later one; width <= 57. All of them lie inside the sequence.
template <class Take>
void for_each_window(const Sequence& epsilon, size_t first, size_t count, unsigned width,
                     Take take) {
  const unsigned shift = 64 - width;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const uint64_t word = epsilon.word_at(first + i);
    for (unsigned j = 0; j < 8; ++j) take(word << j >> shift);
  }
  for (; i < count; ++i) take(epsilon.bits(first + i, width));
}

}  // namespace incore::assess::sp800_22
