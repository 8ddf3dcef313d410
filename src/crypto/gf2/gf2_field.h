// A field from its polynomial: what does not depend on the kernel.
#pragma once

#include "crypto/gf2/gf2_kernel.h"
#include "crypto/gf2/gf2_steps.h"

namespace incore::gf2 {

// The inverse of the odd polynomial f0 modulo x^64. As 1 + f0 * y = (1 + f0 * z)^2 for y = f0 *
// z^2, each round doubles the right bits.
constexpr uint64_t inverse_of_odd_word(uint64_t f0) {
  uint64_t z = 1;
  for (unsigned right_bits = 1; right_bits < 64; right_bits *= 2) {
    uint64_t square[2] = {}, product[2] = {};
    multiply(&z, &z, 1, square);
    multiply(&f0, square, 1, product);
    z = product[0];
  }
  return z;
}

// What the reduction may make use of.
constexpr void set_sparse(Gf2Field* field) {
  field->s = static_cast<unsigned>(64 * field->words - field->degree);
  const unsigned k = field->tail_degree;
  const bool is_short = 2 * (k + field->s) < 64 * field->words;
  field->folded = is_short && k + field->s < 64 ? field->tail[0] << field->s : 0;
  field->is_trinomial = is_short && k >= 64 && k + field->s < 128 && field->tail[0] == 1 &&
                        field->tail[1] == uint64_t{1} << (k - 64);
}

// The field of f, as gf2_set_field takes it, without kernel.
constexpr Gf2Field field_of(const uint64_t* f, size_t f_bits) {
  Gf2Field field = {};
  field.degree = static_cast<unsigned>(f_bits - 1);
  field.words = (field.degree + 63) / 64;
  for (size_t i = 0; i <= kGf2MaxWords; ++i) field.f[i] = field.tail[i] = f[i];
  flip(field.tail, field.degree);
  field.tail_degree = static_cast<unsigned>(num_bits(field.tail, kGf2MaxWords) - 1);
  field.f0_inverse = inverse_of_odd_word(f[0]);
  field.last_mask = ~uint64_t{0} >> (64 * field.words - field.degree);

  uint64_t power[kGf2MaxWords + 1] = {1};
  for (size_t i = 0; i < 128 * field.words; ++i) times_x(power, f, f_bits, kGf2MaxWords + 1);
  for (size_t i = 0; i < kGf2MaxWords; ++i) {
    field.r2[i] = power[i];
    power[i] = i == 0 ? 1 : 0;
  }
  for (size_t i = 0; i < 64 * field.words; ++i) over_x(power, f, kGf2MaxWords + 1);
  for (size_t i = 0; i < kGf2MaxWords; ++i) field.r_inverse[i] = power[i];
  set_sparse(&field);
  return field;
}

}  // namespace incore::gf2
