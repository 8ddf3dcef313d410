// The vector instructions, written down once more as plainly as can be: numbers and polynomials are
// lists of bits. What the fast ones are compared with.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vemicry/rig.h"

namespace incore::vemicry::test {

using Bits = std::vector<bool>;  // the least significant one first

inline Bits bits_of(const Words& words) {
  Bits bits;
  for (const uint32_t word : words)
    for (uint32_t k = 0; k < 32; ++k) bits.push_back((word >> k & 1) != 0);
  return bits;
}
// |num| words from bit 32 * |first| on; bits beyond the end are 0.
inline Words words_of(const Bits& bits, size_t first, size_t num) {
  Words words(num);
  for (size_t i = 0; i < 32 * num; ++i)
    if (32 * first + i < bits.size() && bits[32 * first + i])
      words[i / 32] |= uint32_t{1} << (i % 32);
  return words;
}

inline Bits add(const Bits& a, const Bits& b) {
  Bits sum;
  bool carry = false;
  for (size_t i = 0; i < std::max(a.size(), b.size()) + 1; ++i) {
    const bool x = i < a.size() && a[i], y = i < b.size() && b[i];
    sum.push_back(x != (y != carry));
    carry = (x && y) || (carry && (x || y));
  }
  return sum;
}
inline Bits exclusive_or(const Bits& a, const Bits& b) {
  Bits out;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    out.push_back((i < a.size() && a[i]) != (i < b.size() && b[i]));
  return out;
}
// The sum of |a| << i over the bits i of |factor|, by |plus|.
inline Bits product(const Bits& a, uint32_t factor, Bits (*plus)(const Bits&, const Bits&)) {
  Bits sum;
  for (size_t i = 0; i < 32; ++i)
    if ((factor >> i & 1) != 0) {
      Bits term(i, false);
      term.insert(term.end(), a.begin(), a.end());
      sum = plus(sum, term);
    }
  return sum;
}

struct Result {
  Words d;
  std::optional<uint32_t> car;  // empty: unchanged
};

// What an instruction with function number |funct| makes of registers of |a|.size() words; |old| is
// what the destination held.
inline Result oracle(uint32_t funct, const Words& old, const Words& a, const Words& b,
                     uint32_t scalar, uint32_t n, uint32_t vcr, uint32_t car) {
  const size_t p = a.size();
  Result result = {Words(p), std::nullopt};
  Words& d = result.d;
  switch (funct) {
    case 0x00:
      for (size_t i = 0; i < p; ++i) d[i] = a[i] ^ b[i];
      break;
    case 0x01:
      for (size_t i = 0; i < p; ++i) {
        const bool rotates = (vcr >> (i % 32) & 1) != 0;
        const Bits bits = bits_of({a[i]});
        for (size_t k = 0; k < 32; ++k)
          if (bits[rotates ? (k + n) % 32 : k]) d[i] |= uint32_t{1} << k;
      }
      break;
    case 0x02:
      for (size_t i = 0; i < p; ++i)
        for (size_t k = 0; k < 32; k += 8) {
          uint32_t byte = (a[i] >> k & 0xFF) * 2;
          if (byte > 0xFF) byte = (byte ^ vcr) & 0xFF;
          d[i] |= byte << k;
        }
      break;
    case 0x03:
      result.car = 0;
      for (size_t i = 0; i < p; ++i) {
        const uint64_t sum = uint64_t{a[i]} + scalar;
        d[i] = static_cast<uint32_t>(sum);
        if (sum >> 32 != 0 && i < 32) *result.car |= uint32_t{1} << i;
      }
      break;
    case 0x10: {
      const Bits sum = add(bits_of(a), bits_of(b));
      d = words_of(sum, 0, p);
      result.car = car + words_of(sum, p, 1)[0];
      break;
    }
    case 0x11:
    case 0x12: {
      const Bits all = product(bits_of(a), scalar, funct == 0x11 ? exclusive_or : add);
      d = words_of(all, 0, p);
      result.car = words_of(all, p, 1)[0];
      break;
    }
    case 0x13: {
      if (n == 0) {
        d = a;
        break;
      }
      const size_t w = p / 4;
      for (size_t row = 0; row < 4; ++row)
        for (size_t k = 0; k < w; ++k)
          for (size_t column = 0; column < 4; ++column) {
            const uint32_t byte = a[4 * k + column] >> (24 - 8 * row) & 0xFF;
            d[row % n + n * (w * (row / n) + k)] |= byte << (24 - 8 * column);
          }
      break;
    }
    case 0x14: {
      Words shifted(n, 0);
      shifted.insert(shifted.end(), a.begin(), a.end());
      d.assign(shifted.begin(), shifted.begin() + static_cast<ptrdiff_t>(p));
      if (n > 0) result.car = n > p ? 0 : shifted[p];
      break;
    }
    case 0x15: {
      Words all = a;
      all.push_back(car);
      for (size_t i = 0; i < p; ++i) d[i] = n == 0 ? a[i] : i + n < all.size() ? all[i + n] : 0;
      break;
    }
    case 0x30:
      for (size_t i = 0; i < p; ++i) d[i] = n == 0 || i < n ? scalar : old[i];
      break;
    default:
      ADD_FAILURE() << "no oracle for function " << funct;
  }
  return result;
}

}  // namespace incore::vemicry::test
