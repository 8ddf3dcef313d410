// The list of the gf2 kernels, best first; fields, and what all kernels do in the same way.
#include "base/wipe.h"
#include "crypto/gf2/gf2_field.h"

namespace incore {
namespace {

constexpr const KernelInfo* kKernels[] = {
#define X(kernel) &gf2_##kernel.info,
#include "crypto/gf2/gf2_kernels.def"
#undef X
};

constinit ChosenKernel<Gf2Kernel> chosen(gf2_kernel_list);

constinit TestedKernels tested;

}  // namespace

constinit const KernelList gf2_kernel_list =
    kernel_list_of("gf2", kKernels, gf2_self_test, &tested);

const Gf2Kernel* gf2_kernel() {
  return chosen.kernel();
}

void gf2_set_field(const Gf2Kernel* kernel, const uint64_t* f, size_t f_bits, Gf2Field* out_field) {
  *out_field = gf2::field_of(f, f_bits);
  out_field->kernel = kernel;
  kernel->choose(out_field);
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
