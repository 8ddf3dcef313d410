// The sample that SP 800-90B's estimators and tests look at: symbols as they were fed, the same
// mapped down to the alphabet that occurs (the literal symbols), and their bits in a row (the
// bitstring).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace incore::assess::sp800_90b {

// A sequence of symbols, the standard's S, with values 0 to k - 1.
struct Symbols {
  std::span<const uint8_t> s;
  unsigned k = 0;
};

class Sample {
 public:
  // |width| is how many bits a symbol has; 0: the least width that holds them all, at least 1.
  // No symbol is wider than |width|.
  Sample(std::vector<uint8_t> raw, unsigned width);

  size_t size() const { return raw_.size(); }
  unsigned width() const { return width_; }
  std::span<const uint8_t> raw() const { return raw_; }

  // Values that do not occur are left out; the order of the others is kept.
  Symbols literal() const { return {literal_, k_}; }

  // Each raw symbol's width() bits, the highest first; a byte holds one bit.
  Symbols bitstring() const { return {bits_, 2}; }

 private:
  std::vector<uint8_t> raw_, literal_, bits_;
  unsigned width_, k_ = 0;
};

// Keeps the first symbols of a stream for a sample.
class SampleHead {
 public:
  explicit SampleHead(uint64_t wanted);
  void update(std::span<const uint8_t> symbols);
  uint64_t num_read() const { return kept_.size(); }
  std::vector<uint8_t> take() { return std::move(kept_); }

 private:
  size_t wanted_;
  std::vector<uint8_t> kept_;
};

}  // namespace incore::assess::sp800_90b
