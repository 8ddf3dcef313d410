// Ready-made runs of the other units (PHE, PMM, RNG), for tests of what all instructions have in
// common.
#pragma once

#include <cstdint>

#include "padlock/machine.h"

namespace incore::padlock::test {

// REP XSHA1 or XSHA256 over |message| with the initial constants of FIPS 180.
struct XshaJob {
  bool sha256 = false;
  Bytes message;
  uint64_t message_at = 0x60000, state_at = 0x70000;

  const Bytes& opcode() const { return sha256 ? kXsha256 : kXsha1; }
  void prepare(Machine& m) const;
  Bytes digest(const Machine& m) const;  // as it lies in memory
};

// REP MONTMUL over 256 bits: T = A * B / 2^256 mod 2^256 - 189, with A = 2^255 + 1.
struct MontmulJob {
  uint8_t b = 3;
  uint64_t context_at = 0x80000, a_at = 0x81000, b_at = 0x82000, t_at = 0x83000, m_at = 0x84000,
           scratch_at = 0x85000;

  void prepare(Machine& m) const;
  Bytes result(const Machine& m) const { return m.get(t_at, 32); }
};
// The guide's result for B = 3, low byte first.
extern const Bytes kMontmulOf3;

// Noise that is the same in every run and never dries up.
class PseudoNoise final : public NoiseSource {
 public:
  size_t raw_bits(unsigned which, unsigned bias, uint8_t* out_bits, size_t max_bits) override;
  void restart() override {}

 private:
  uint64_t state_ = 1;
};

}  // namespace incore::padlock::test
