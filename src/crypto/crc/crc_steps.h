// CRC-32 and CRC-32C by their definition, bit by bit: kernels are checked against it. Bits are
// reflected: the lowest bit of a byte comes first, and bit 31 of register and polynomial is the
// coefficient of x^0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::crc {

// The polynomials without x^32. IEEE 802.3, clause 3.2.9; RFC 3720, section 12.1 (0x11EDC6F41
// before reflection).
inline constexpr uint32_t kCrc32Polynomial = 0xEDB88320;
inline constexpr uint32_t kCrc32cPolynomial = 0x82F63B78;

// The register after |bits| zero bits: multiplication by x^bits modulo the polynomial.
constexpr uint32_t shift(uint32_t polynomial, uint32_t state, size_t bits) {
  for (; bits != 0; --bits) state = state >> 1 ^ (polynomial & (0 - (state & 1)));
  return state;
}

constexpr uint32_t update(uint32_t polynomial, uint32_t state, const uint8_t* data, size_t len) {
  for (size_t i = 0; i < len; ++i) state = shift(polynomial, state ^ data[i], 8);
  return state;
}

}  // namespace incore::crc
