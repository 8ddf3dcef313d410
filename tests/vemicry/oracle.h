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

// What |insn| makes of registers of |a|.size() words; |old| is what the destination held. An
// instruction that computes in vector registers has its lines here.
inline Result oracle(const Insn& insn, const Words& old, const Words& a, const Words& b,
                     uint32_t scalar, uint32_t n, uint32_t vcr, uint32_t car) {
  const size_t p = a.size();
  Result result = {Words(p), std::nullopt};
  Words& d = result.d;
  const auto is = [&](const Insn& other) { return &insn == &other; };
  if (is(vemicry::vxor)) {
    for (size_t i = 0; i < p; ++i) d[i] = a[i] ^ b[i];
  } else if (is(vemicry::vbcrotr)) {
    for (size_t i = 0; i < p; ++i) {
      const bool rotates = (vcr >> (i % 32) & 1) != 0;
      const Bits bits = bits_of({a[i]});
      for (size_t k = 0; k < 32; ++k)
        if (bits[rotates ? (k + n) % 32 : k]) d[i] |= uint32_t{1} << k;
    }
  } else if (is(vemicry::vmpmul)) {
    for (size_t i = 0; i < p; ++i)
      for (size_t k = 0; k < 32; k += 8) {
        uint32_t byte = (a[i] >> k & 0xFF) * 2;
        if (byte > 0xFF) byte = (byte ^ vcr) & 0xFF;
        d[i] |= byte << k;
      }
  } else if (is(vemicry::vsaddu)) {
    result.car = 0;
    for (size_t i = 0; i < p; ++i) {
      const uint64_t sum = uint64_t{a[i]} + scalar;
      d[i] = static_cast<uint32_t>(sum);
      if (sum >> 32 != 0 && i < 32) *result.car |= uint32_t{1} << i;
    }
  } else if (is(vemicry::vaddu)) {
    const Bits sum = add(bits_of(a), bits_of(b));
    d = words_of(sum, 0, p);
    result.car = car + words_of(sum, p, 1)[0];
  } else if (is(vemicry::vspmult) || is(vemicry::vsamult)) {
    const Bits all = product(bits_of(a), scalar, is(vemicry::vspmult) ? exclusive_or : add);
    d = words_of(all, 0, p);
    result.car = words_of(all, p, 1)[0];
  } else if (is(vemicry::vtransp)) {
    if (n == 0) return {a, std::nullopt};
    const size_t w = p / 4;
    for (size_t row = 0; row < 4; ++row)
      for (size_t k = 0; k < w; ++k)
        for (size_t column = 0; column < 4; ++column) {
          const uint32_t byte = a[4 * k + column] >> (24 - 8 * row) & 0xFF;
          d[row % n + n * (w * (row / n) + k)] |= byte << (24 - 8 * column);
        }
  } else if (is(vemicry::vwshl)) {
    Words shifted(n, 0);
    shifted.insert(shifted.end(), a.begin(), a.end());
    d.assign(shifted.begin(), shifted.begin() + static_cast<ptrdiff_t>(p));
    if (n > 0) result.car = n > p ? 0 : shifted[p];
  } else if (is(vemicry::vwshr)) {
    Words all = a;
    all.push_back(car);
    for (size_t i = 0; i < p; ++i) d[i] = n == 0 ? a[i] : i + n < all.size() ? all[i + n] : 0;
  } else if (is(vemicry::vsmove)) {
    for (size_t i = 0; i < p; ++i) d[i] = n == 0 || i < n ? scalar : old[i];
  } else {
    ADD_FAILURE() << "oracle() of tests/vemicry/oracle.h does not say what " << insn.mnemonic
                  << " computes: write it there";
  }
  return result;
}

}  // namespace incore::vemicry::test
