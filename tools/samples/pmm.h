// Arithmetic modulo a number by PadLock's REP MONTMUL (PadLock guide, chapter 5), as the sample
// MMTEST does it (6.4).
#pragma once

#include "incore/padlock.h"
#include "tools/base/number.h"

namespace incore::tools {

class PmmModulus {
 public:
  // |modulus| is odd and has a multiple of 128 bits, 256 to 32768, leading zeros included. Throws
  // std::runtime_error if memory that 32-bit pointers reach is missing, or PadLock refuses.
  PmmModulus(incore_padlock* padlock, const Bytes& modulus);
  ~PmmModulus();
  PmmModulus(const PmmModulus&) = delete;

  // Operands are below the modulus; the exponent has any length. Left to right, a square for each
  // bit below the highest 1, a product for each 1 of them.
  Bytes power(const Bytes& base, const Bytes& exponent);

 private:
  struct Memory;
  using Words = std::vector<uint32_t>;  // lowest first

  // a b / R mod m, below m.
  Words montmul(const Words& a, const Words& b);
  Words to_words(const Bytes& number) const;

  incore_padlock* const padlock_;
  const size_t num_words_;
  Memory* memory_;
  Words modulus_, r_squared_;
};

// |len| bytes by REP XSTORE with quality factor 3. Throws std::runtime_error.
Bytes xstore_bytes(incore_padlock* padlock, size_t len);

}  // namespace incore::tools
