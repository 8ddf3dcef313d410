// The plain model of a Montgomery multiplier that the sample MM describes (PadLock guide, 6.5):
// words of 16 bits, product and reduction in one pass (FIOS), a subtraction at the end if it is
// needed.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/base/number.h"

namespace incore::tools {

class MontModel {
 public:
  // An odd |modulus| of at most |num_words| words of 16 bits.
  MontModel(const Bytes& modulus, size_t num_words);

  struct Product {
    Bytes value;        // a * b * R^-1 mod m, with R = 2^(16 * num_words)
    Bytes unreduced;    // before the subtraction
    size_t loop_words;  // length of the inner loop at the end: one more if T overflowed
    bool subtracted;
  };
  // |a| and |b| are below the modulus.
  Product multiply(const Bytes& a, const Bytes& b) const;

  uint16_t zero_prime() const { return zero_prime_; }  // -m^-1 mod 2^16
  Bytes r_squared() const;                             // R^2 mod m, by doubling

 private:
  using Words = std::vector<uint16_t>;  // lowest first
  Words words(const Bytes& number) const;
  bool subtract_if_not_below(Words* inout_t) const;

  size_t num_words_;
  Words m_;  // two words longer
  uint16_t zero_prime_;
};

}  // namespace incore::tools
