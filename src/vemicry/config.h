// The parameters of a VeMICry (VeMICry paper, section 4.2), and options of the simulator.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace incore::vemicry {

inline constexpr uint32_t kMaxRegisters = 16;  // the encoding has four bits for a vector register
inline constexpr uint32_t kMaxWords = 256;     // of a vector register, in this simulator

struct Config {
  uint32_t q = 8;  // vector registers
  uint32_t p = 8;  // words of 32 bits in a vector register
  uint32_t r = 8;  // lanes, at most p; results do not depend on it
  uint32_t l = 0;  // vector length at reset, at most p; 0: p
  // Timing only: cycles that the banks of the lanes, and the scalar data memory, need beyond one;
  // banks, a power of two (0: no fewer than lanes); ports of a bank, 1 or 2 (one is the scalar
  // core's).
  uint32_t memory_latency = 0;
  uint32_t banks = 0;
  uint32_t ports = 2;
  bool little_endian = false;
  bool load_delay = false;  // MIPS-I hardware: the instruction behind a load sees the old value
  bool banked = false;      // VBYTELD reads the bank of its lane, see bank.h
  // CAR accumulates: VSPMULT and VSAMULT add their word to it (by XOR, or modulo 2^32), and VWSHR
  // clears it. The paper's text has it overwritten.
  bool car_accumulates = false;
  bool junk = false;  // registers and stack hold junk at reset, made from the seed
  uint64_t junk_seed = 1;

  uint32_t length() const { return l == 0 ? p : l; }
  uint32_t num_banks() const { return banks == 0 ? std::bit_ceil(r) : banks; }
  // What is wrong with it, in words; empty if nothing is.
  std::string mistake() const;
};

}  // namespace incore::vemicry
