// The constants with which kernels multiply carry-less, computed from the definition.
//
// Everything is reflected, as in crc_steps.h. In a vector of 128 bits, bit i is the coefficient of
// x^(127-i); so is it in the product of two words of 64 bits, except that the product lacks one
// factor x. Two uses:
//
//   fold     A vector stands |bits| bits before another: to move it there, multiply its low half by
//            x^(bits+64) and its high half by x^bits, both modulo P, and add the two products.
//
//   reduce   A word that has |bits| bits behind it adds word * x^(bits+32) to the CRC. With the
//            constant in the low half of its word, the product of 95 bits has bit i for
//            x^(94-i). The sum over all words of a message, S = A * x^32 + B, fills the bits 0 to
//            95; A is the low half. Barrett's reduction finds A * x^32 modulo P with two products.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/crc/crc_steps.h"

namespace incore::crc {

// x^n modulo P.
constexpr uint32_t power(uint32_t polynomial, size_t n) {
  return shift(polynomial, 0x80000000, n);
}

// a * b modulo P.
constexpr uint32_t multiply(uint32_t polynomial, uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (unsigned i = 0; i < 32; ++i) {  // Horner's rule, from the highest coefficient of b
    product = shift(polynomial, product, 1) ^ (a & (0 - (b >> i & 1)));
  }
  return product;
}

// The multipliers of the low and the high half of a vector.
struct alignas(16) Multipliers {
  uint64_t low, high;
};

constexpr Multipliers fold_by(uint32_t polynomial, size_t bytes) {
  return {uint64_t{power(polynomial, 8 * bytes + 63)} << 32,
          uint64_t{power(polynomial, 8 * bytes - 1)} << 32};
}

// For a vector that has |bytes| bytes behind it.
constexpr Multipliers reduce_before(uint32_t polynomial, size_t bytes) {
  return {power(polynomial, 8 * bytes + 95), power(polynomial, 8 * bytes + 31)};
}

// The same for |vectors| vectors in a row, with 0 to 16 * vectors bytes behind the last.
template <size_t vectors>
struct alignas(64) ReduceTable {
  Multipliers behind[16 * vectors + 1][vectors];
};

template <size_t vectors>
constexpr ReduceTable<vectors> make_reduce_table(uint32_t polynomial) {
  ReduceTable<vectors> table = {};
  for (size_t i = 0; i < vectors; ++i) {
    Multipliers m = reduce_before(polynomial, 16 * (vectors - 1 - i));
    for (Multipliers(&row)[vectors] : table.behind) {
      row[i] = m;
      m.low = shift(polynomial, static_cast<uint32_t>(m.low), 8);
      m.high = shift(polynomial, static_cast<uint32_t>(m.high), 8);
    }
  }
  return table;
}

// What brings the registers of streams that run beside a folding of |step| bytes a step to the
// front of the folded vectors, after 1 to max_steps steps. The streams, |stream_step| bytes a step
// each, lie before the folded bytes one behind the other; of the last one comes the first entry.
template <size_t streams, size_t max_steps>
struct StreamTable {
  uint32_t after[max_steps][streams];
};

template <size_t streams, size_t max_steps>
constexpr StreamTable<streams, max_steps> make_stream_table(uint32_t polynomial, size_t step,
                                                            size_t stream_step) {
  StreamTable<streams, max_steps> table = {};
  for (size_t i = 0; i < streams; ++i) {
    const uint32_t one_step = power(polynomial, 8 * (step + i * stream_step));
    uint32_t multiplier = power(polynomial, 8 * i * stream_step + 31);
    for (uint32_t(&row)[streams] : table.after) {
      row[i] = multiplier;
      multiplier = multiply(polynomial, multiplier, one_step);
    }
  }
  return table;
}

// The register's own multiplier, for 1 to max_bytes bytes that come after it: its product with the
// register is a part of S. Entry 0 is not used.
template <size_t max_bytes>
struct StateTable {
  uint64_t behind[max_bytes + 1];
};

template <size_t max_bytes>
constexpr StateTable<max_bytes> make_state_table(uint32_t polynomial) {
  StateTable<max_bytes> table = {};
  uint32_t multiplier = power(polynomial, 7);
  for (size_t i = 1; i <= max_bytes; ++i) {
    table.behind[i] = uint64_t{multiplier} << 32;
    multiplier = shift(polynomial, multiplier, 8);
  }
  return table;
}

// Barrett's two constants. With Q = A * quotient / x^64 (the low half of the product), the CRC
// stands in bits 64 to 95 of S + Q * polynomial.
struct alignas(16) Barrett {
  uint64_t quotient;    // x^96 / P without its lowest coefficient, which cannot reach Q
  uint64_t polynomial;  // P without x^32, moved by one to where S has its bits
};

constexpr Barrett make_barrett(uint32_t polynomial) {
  Barrett barrett = {0, uint64_t{polynomial} << 1};
  uint32_t remainder = power(polynomial, 31);
  for (unsigned i = 0; i < 64; ++i) {
    barrett.quotient |= uint64_t{remainder & 1} << i;
    remainder = shift(polynomial, remainder, 1);
  }
  return barrett;
}

}  // namespace incore::crc
