// Polynomials over GF(2) by their definition, bit by bit: kernels are checked against it.
// Coefficients are bits, those of x^0 to x^63 in the first word. Nothing here is fast or hides its
// operands from a clock.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::gf2 {

constexpr unsigned bit(const uint64_t* p, size_t i) {
  return p[i / 64] >> (i % 64) & 1;
}
constexpr void flip(uint64_t* p, size_t i) {
  p[i / 64] ^= uint64_t{1} << (i % 64);
}

// The number of bits without leading zeros: the degree plus 1, or 0 for the polynomial 0.
constexpr size_t num_bits(const uint64_t* p, size_t words) {
  size_t n = 64 * words;
  while (n != 0 && bit(p, n - 1) == 0) --n;
  return n;
}

// out = out + p * x^shift, where no set bit falls outside.
constexpr void add_shifted(uint64_t* out, const uint64_t* p, size_t words, size_t shift) {
  const size_t at = shift / 64, bits = shift % 64;
  for (size_t i = 0; i < words; ++i) {
    if (p[i] << bits != 0) out[at + i] ^= p[i] << bits;
    if (bits != 0 && p[i] >> (64 - bits) != 0) out[at + i + 1] ^= p[i] >> (64 - bits);
  }
}

// out = a * b, 2 * |words| words, which may not overlap the operands.
constexpr void multiply(const uint64_t* a, const uint64_t* b, size_t words, uint64_t* out) {
  for (size_t i = 0; i < 2 * words; ++i) out[i] = 0;
  for (size_t i = 0; i < 64 * words; ++i)
    if (bit(a, i) != 0) add_shifted(out, b, words, i);
}

// p modulo f, in place, by long division. f is |f_bits| bits, the highest of which is set.
constexpr void reduce(uint64_t* p, size_t words, const uint64_t* f, size_t f_bits) {
  for (size_t i = 64 * words; i-- >= f_bits;)
    if (bit(p, i) != 0) add_shifted(p, f, (f_bits + 63) / 64, i + 1 - f_bits);
}

// p = p * x modulo f, and p = p / x modulo f; p is reduced, and f has the coefficient x^0. Both
// take |words| words, in which f has its place too.
constexpr void times_x(uint64_t* p, const uint64_t* f, size_t f_bits, size_t words) {
  for (size_t i = words; i-- > 0;) p[i] = p[i] << 1 | (i == 0 ? 0 : p[i - 1] >> 63);
  if (bit(p, f_bits - 1) != 0)
    for (size_t i = 0; i < words; ++i) p[i] ^= f[i];
}
constexpr void over_x(uint64_t* p, const uint64_t* f, size_t words) {
  if ((p[0] & 1) != 0)
    for (size_t i = 0; i < words; ++i) p[i] ^= f[i];
  for (size_t i = 0; i < words; ++i) p[i] = p[i] >> 1 | (i + 1 == words ? 0 : p[i + 1] << 63);
}

}  // namespace incore::gf2
