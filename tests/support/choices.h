// Where random tests and fuzzers take their decisions from, so that both build the same cases: a
// seeded generator, or the bytes that a fuzzer made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace incore::test {

class Choices {
 public:
  virtual ~Choices() = default;
  virtual uint64_t next() = 0;  // 64 bits

  uint64_t below(uint64_t limit) { return next() % limit; }
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  template <class Container>
  auto& pick(Container& from) {
    return from[below(std::size(from))];
  }
  std::vector<uint8_t> bytes(size_t len) {
    std::vector<uint8_t> bytes(len);
    uint64_t bits = 0;
    for (size_t i = 0; i < len; ++i, bits >>= 8) {
      if (i % 8 == 0) bits = next();
      bytes[i] = static_cast<uint8_t>(bits);
    }
    return bytes;
  }
};

class SeededChoices final : public Choices {
 public:
  explicit SeededChoices(uint64_t seed) : generator_(seed) {}
  uint64_t next() override { return generator_(); }

 private:
  std::mt19937_64 generator_;
};

// The first decisions are the fuzzer's bytes, those after their end follow from them: each input
// gives a whole case, and a small change of the input a small change of the case.
class FuzzedChoices final : public Choices {
 public:
  FuzzedChoices(const uint8_t* data, size_t len) : data_(data), len_(len) {}
  uint64_t next() override {
    if (len_ == 0) return state_ = state_ * 6364136223846793005u + 1442695040888963407u, mixed();
    const size_t taken = len_ < 2 ? len_ : 2;
    uint64_t value = 0;
    for (size_t i = 0; i < taken; ++i) value = value << 8 | data_[i];
    data_ += taken;
    len_ -= taken;
    state_ = (state_ ^ value) * 0x9E3779B97F4A7C15u;
    return value;
  }

 private:
  uint64_t mixed() const { return state_ ^ state_ >> 29; }

  const uint8_t* data_;
  size_t len_;
  uint64_t state_ = 1;
};

}  // namespace incore::test
