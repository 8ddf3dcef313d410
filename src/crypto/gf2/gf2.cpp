// The list of the gf2 kernels, best first; fields, and what all kernels do in the same way.
#include "base/wipe.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/gf2/gf2_steps.h"

namespace incore {
namespace {

constexpr const KernelInfo* kKernels[] = {
#define X(kernel) &gf2_##kernel.info,
#include "crypto/gf2/gf2_kernels.def"
#undef X
};

constinit ChosenKernel<Gf2Kernel> chosen(gf2_kernel_list);

// The inverse of the odd polynomial f0 modulo x^64. As 1 + f0 * y = (1 + f0 * z)^2 for y = f0 *
// z^2, each round doubles the right bits.
uint64_t inverse_of_odd_word(uint64_t f0) {
  uint64_t z = 1;
  for (unsigned right_bits = 1; right_bits < 64; right_bits *= 2) {
    uint64_t square[2], product[2];
    gf2::multiply(&z, &z, 1, square);
    gf2::multiply(&f0, square, 1, product);
    z = product[0];
  }
  return z;
}

// What the reduction may make use of.
void set_sparse(Gf2Field* field) {
  field->s = static_cast<unsigned>(64 * field->words - field->degree);
  const unsigned k = field->tail_degree;
  const bool is_short = 2 * (k + field->s) < 64 * field->words;
  field->folded = is_short && k + field->s < 64 ? field->tail[0] << field->s : 0;
  field->is_trinomial = is_short && k >= 64 && k + field->s < 128 && field->tail[0] == 1 &&
                        field->tail[1] == uint64_t{1} << (k - 64);
}

}  // namespace

constinit const KernelList gf2_kernel_list = {"gf2", kKernels,
                                              sizeof kKernels / sizeof kKernels[0]};

const Gf2Kernel* gf2_kernel() {
  return chosen.kernel();
}

void gf2_set_field(const Gf2Kernel* kernel, const uint64_t* f, size_t f_bits, Gf2Field* out_field) {
  Gf2Field& field = *out_field;
  field.degree = static_cast<unsigned>(f_bits - 1);
  field.words = (field.degree + 63) / 64;
  for (size_t i = 0; i <= kGf2MaxWords; ++i) field.f[i] = field.tail[i] = f[i];
  gf2::flip(field.tail, field.degree);
  field.tail_degree = static_cast<unsigned>(gf2::num_bits(field.tail, kGf2MaxWords) - 1);
  field.f0_inverse = inverse_of_odd_word(f[0]);
  field.last_mask = ~uint64_t{0} >> (64 * field.words - field.degree);

  uint64_t power[kGf2MaxWords + 1] = {1};
  for (size_t i = 0; i < 128 * field.words; ++i) gf2::times_x(power, f, f_bits, kGf2MaxWords + 1);
  for (size_t i = 0; i < kGf2MaxWords; ++i) {
    field.r2[i] = power[i];
    power[i] = i == 0 ? 1 : 0;
  }
  for (size_t i = 0; i < 64 * field.words; ++i) gf2::over_x(power, f, kGf2MaxWords + 1);
  for (size_t i = 0; i < kGf2MaxWords; ++i) field.r_inverse[i] = power[i];

  set_sparse(&field);
  field.kernel = kernel;
  kernel->choose(&field);
}

// Itoh and Tsujii: with b(k) = a^(2^k - 1), b(2k) = b(k)^(2^k) * b(k) and b(k + 1) = b(k)^2 * a;
// the result is b(degree - 1)^2.
void gf2_inverse(const Gf2Field& field, const uint64_t* a, uint64_t* out) {
  uint64_t b[kGf2MaxWords], power[kGf2MaxWords];
  const size_t len = field.words * sizeof *a;
  std::memcpy(b, a, len);
  const unsigned target = field.degree - 1;
  unsigned bit = 31;
  while ((target >> bit & 1) == 0) --bit;
  unsigned k = 1;
  while (bit-- > 0) {
    std::memcpy(power, b, len);
    for (unsigned i = 0; i < k; ++i) field.square(field, power, power);
    field.multiply(field, power, b, b);
    k *= 2;
    if ((target >> bit & 1) != 0) {
      field.square(field, b, b);
      field.multiply(field, b, a, b);
      ++k;
    }
  }
  field.square(field, b, out);
  wipe(b);
  wipe(power);
}

}  // namespace incore
