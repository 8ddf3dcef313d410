// Montgomery multiplication as REP MONTMUL does it: PadLock guide 1.66, section 5.1 and the sample
// MM of section 6.5. T = A * B * R^-1 mod M up to one extra M, with R = 2^(32 * words). Product and
// reduction are interleaved word by word (finely integrated operand scanning). Numbers are arrays
// of 32-bit words, lowest first. Time and addresses depend on |words| alone. Freestanding: no
// calls.
//
//   a, b  factors, a < R and b < R; T stays below a + m, thus below 2m for a reduced a
//   m     modulus, odd
//   t     partial product: |words| words, then the overflow word, which ends as 0 or 1
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore {

inline constexpr size_t kMontMinBits = 256;
inline constexpr size_t kMontMaxBits = 32768;
inline constexpr size_t kMontBitsStep = 128;
// What a number type reserves behind its words: 128 bits, of which the overflow word is the first.
inline constexpr size_t kMontSpareWords = 4;

// mZeroPrime: -1 / m0 modulo 2^32, for the lowest word of an odd modulus.
constexpr uint32_t mont_m_zero_prime(uint32_t m0) {
  uint32_t inverse = m0;  // right to 3 bits, as m0 * m0 = 1 modulo 8; each Newton step doubles them
  for (int bits = 3; bits < 32; bits *= 2) inverse *= 2 - m0 * inverse;
  return 0 - inverse;
}

// One pass of the outer loop, for the word |b_i|: t = (t + a * b_i + m * u) / 2^32. Between two
// passes, t and the number of passes done are the whole state. Writes t[0] to t[words].
inline void montmul_step(uint32_t* t, const uint32_t* a, uint32_t b_i, const uint32_t* m,
                         uint32_t m_zero_prime, size_t words) {
  // The two carries of one column make the 33 bits that the guide speaks of; kept apart, each fits
  // a word.
  uint64_t product = uint64_t{a[0]} * b_i + t[0];
  const uint32_t u = static_cast<uint32_t>(product) * m_zero_prime;
  uint64_t reduced = uint64_t{m[0]} * u + static_cast<uint32_t>(product);  // low word is 0
  for (size_t j = 1; j < words; ++j) {
    product = uint64_t{a[j]} * b_i + t[j] + (product >> 32);
    reduced = uint64_t{m[j]} * u + static_cast<uint32_t>(product) + (reduced >> 32);
    t[j - 1] = static_cast<uint32_t>(reduced);
  }
  const uint64_t top = (product >> 32) + (reduced >> 32) + t[words];
  t[words - 1] = static_cast<uint32_t>(top);
  t[words] = static_cast<uint32_t>(top >> 32);
}

// The whole product. Sets t[0] to t[words], which may not overlap the operands.
inline void montmul(uint32_t* t, const uint32_t* a, const uint32_t* b, const uint32_t* m,
                    uint32_t m_zero_prime, size_t words) {
  for (size_t j = 0; j <= words; ++j) t[j] = 0;
  for (size_t i = 0; i < words; ++i) montmul_step(t, a, b[i], m, m_zero_prime, words);
}

// Subtracts m from t (with its overflow word) if t >= m. MONTMUL leaves this to the program.
inline void mont_subtract_if_not_below(uint32_t* t, const uint32_t* m, size_t words) {
  uint32_t borrow = 0;
  for (size_t j = 0; j < words; ++j) borrow = (uint64_t{t[j]} - m[j] - borrow) >> 63;
  borrow = (uint64_t{t[words]} - borrow) >> 63;  // 1: t < m

  const uint32_t mask = borrow - 1;
  uint32_t carry = 0;
  for (size_t j = 0; j < words; ++j) {
    const uint64_t difference = uint64_t{t[j]} - (m[j] & mask) - carry;
    t[j] = static_cast<uint32_t>(difference);
    carry = difference >> 63;
  }
  t[words] -= carry;
}

}  // namespace incore
