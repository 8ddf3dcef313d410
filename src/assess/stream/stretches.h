// The stream's ones over time: of each bit position of a byte in each of up to 256 equal stretches.
// When there are 256, neighbours become one, and stretches twice as long from there on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace incore::assess {

struct Stretch {
  uint64_t len = 0;                   // bytes
  std::array<uint64_t, 8> ones = {};  // index 0: the lowest bit of each byte

  uint64_t all_ones() const;
  void add(const Stretch& other);
};

class Stretches {
 public:
  void update(std::span<const uint8_t> data);
  // The last one may be shorter than the others.
  const std::vector<Stretch>& all() const { return stretches_; }
  Stretch sum() const;

 private:
  static constexpr size_t kMost = 256;
  uint64_t stretch_len_ = 64;
  std::vector<Stretch> stretches_;
};

}  // namespace incore::assess
