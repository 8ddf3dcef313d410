// Powers by fixed windows, whatever form a kernel computes in. With 5 bits a window a power costs
// one multiplication in 6; which entry of the table it takes is secret, so all entries are read.
//
// A |Form| has
//   size_t stride;  words of one number, or of two side by side
//   void mul(uint64_t* out, const uint64_t* a, const uint64_t* b) const;  in place too
//   void select(uint64_t* out, const uint64_t* table, size_t num_entries, const uint64_t* index)
//     const;  index[p] is that of power p
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/mont/mont_kernel.h"

namespace incore {

inline constexpr size_t kMontTableEntries = 32;

// Bits |bit| and |width| - 1 above it; those beyond the exponent are 0. width <= 8.
inline uint64_t mont_exponent_window(const MontPower& power, size_t bit, unsigned width) {
  const size_t low = bit / 8;
  unsigned bits = low < power.exponent_len ? power.exponent[power.exponent_len - 1 - low] : 0;
  if (low + 1 < power.exponent_len)
    bits |= static_cast<unsigned>(power.exponent[power.exponent_len - 2 - low]) << 8;
  return bits >> (bit % 8) & ((1u << width) - 1);
}

inline unsigned mont_window_width(size_t exponent_bits) {
  return exponent_bits > 240 ? 5 : exponent_bits > 70 ? 4 : exponent_bits > 20 ? 3 : 1;
}

// The power whose exponent is public: square for every bit, multiply for those that are set.
template <class Form>
void mont_public_power(const Form& form, const MontPower& power, const uint64_t* table,
                       uint64_t* out) {
  const uint64_t* const base = table + form.stride;
  bool begun = false;
  for (size_t bit = 8 * power.exponent_len; bit-- != 0;) {
    if (begun) form.mul(out, out, out);
    if (mont_exponent_window(power, bit, 1) == 0) continue;
    if (begun) {
      form.mul(out, out, base);
    } else {
      for (size_t i = 0; i < form.stride; ++i) out[i] = base[i];
      begun = true;
    }
  }
  if (!begun)
    for (size_t i = 0; i < form.stride; ++i) out[i] = table[i];
}

// |table| has room for kMontTableEntries numbers, of which the first two are there: 1 and the base.
// Sets |out|; |selected| is scratch. All in the form.
template <class Form>
void mont_powers_in_form(const Form& form, const MontPower* powers, size_t num_powers,
                         uint64_t* table, uint64_t* selected, uint64_t* out) {
  size_t bits = 8 * powers[0].exponent_len;
  if (num_powers == 2 && bits < 8 * powers[1].exponent_len) bits = 8 * powers[1].exponent_len;
  if (num_powers == 1 && powers[0].public_exponent && bits <= 64)
    return mont_public_power(form, powers[0], table, out);

  const unsigned width = mont_window_width(bits);
  const size_t num_entries = size_t{1} << width, stride = form.stride;
  for (size_t i = 2; i < num_entries; ++i)
    form.mul(table + i * stride, table + (i / 2) * stride, table + (i - i / 2) * stride);

  const auto select_at = [&](uint64_t* entry, size_t bit) {
    uint64_t index[2] = {mont_exponent_window(powers[0], bit, width), 0};
    if (num_powers == 2) index[1] = mont_exponent_window(powers[1], bit, width);
    form.select(entry, table, num_entries, index);
  };
  size_t bit = bits == 0 ? 0 : (bits - 1) / width * width;
  select_at(out, bit);
  while (bit != 0) {
    bit -= width;
    for (unsigned i = 0; i < width; ++i) form.mul(out, out, out);
    select_at(selected, bit);
    form.mul(out, out, selected);
  }
}

}  // namespace incore
