// Generators of bytes for the tests of judgement: a good one, and bad ones of the kinds that are
// met. All are a function of the seed, on every machine. Good is AES-256 in counter mode, with the
// seed as the key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/hex.h"

namespace incore::test {

// |len| bytes that nothing should find fault with.
Bytes good_bytes(uint64_t seed, size_t len);

// The same stream, drawn piece by piece.
class GoodSource {
 public:
  explicit GoodSource(uint64_t seed) : seed_(seed) {}
  uint64_t word();   // 64 bits
  double uniform();  // at least 0, below 1
  bool chance(double p) { return uniform() < p; }
  uint64_t below(uint64_t bound) { return word() % bound; }  // bound is far below 2^64

 private:
  uint64_t seed_, chunk_ = 0;
  Bytes words_;
  size_t next_ = 0;
};

// One symbol in each byte: independent, with these weights.
Bytes symbols_by_weight(uint64_t seed, size_t len, std::span<const double> weights);

struct BadGenerator {
  const char* name;
  const char* suite;  // of those by default, one that must find fault
  size_t len;         // with so many bytes
  Bytes (*make)(uint64_t seed, size_t len);
};
std::span<const BadGenerator> bad_generators();

}  // namespace incore::test
