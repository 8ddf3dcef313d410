// Runs the gf2 kernels on operands that memcheck takes for undefined: see CMakeLists.txt. The field
// is not secret.
#include <valgrind/memcheck.h>

#include <cstdio>
#include <cstring>

#include "crypto/gf2/gf2_kernel.h"
#include "crypto/gf2/gf2_steps.h"

namespace {

using namespace incore;

void run_field(const Gf2Kernel& kernel, std::initializer_list<unsigned> exponents) {
  uint64_t f[kGf2MaxWords + 1] = {};
  for (unsigned e : exponents) gf2::flip(f, e);
  Gf2Field field;
  gf2_set_field(&kernel, f, gf2::num_bits(f, kGf2MaxWords + 1), &field);
  uint64_t a[kGf2MaxWords] = {2}, b[kGf2MaxWords] = {3};
  VALGRIND_MAKE_MEM_UNDEFINED(a, sizeof a);
  VALGRIND_MAKE_MEM_UNDEFINED(b, sizeof b);
  field.multiply(field, a, b, a);
  field.square(field, a, b);
  field.montmul(field, a, b, b);
  if (field.degree < 300) gf2_inverse(field, b, a);  // longer ones take the same way
}

void run_kernel(const Gf2Kernel& kernel) {
  for (size_t words = 1; words <= kGf2MaxWords + 1; ++words) {
    uint64_t a[kGf2MaxWords + 1] = {}, b[kGf2MaxWords + 1] = {}, c[2 * kGf2MaxWords + 2];
    VALGRIND_MAKE_MEM_UNDEFINED(a, sizeof a);
    VALGRIND_MAKE_MEM_UNDEFINED(b, sizeof b);
    kernel.multiply(a, b, words, c);
  }
  run_field(kernel, {8, 4, 3, 1, 0});
  run_field(kernel, {64, 4, 3, 1, 0});
  run_field(kernel, {127, 63, 0});
  run_field(kernel, {163, 7, 6, 3, 0});
  run_field(kernel, {191, 9, 0});
  run_field(kernel, {233, 74, 0});
  run_field(kernel, {283, 12, 7, 5, 0});
  run_field(kernel, {283, 282, 0});
  run_field(kernel, {409, 87, 0});
  run_field(kernel, {571, 10, 5, 2, 0});
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc == 2 ? argv[1] : "all";
  const FeatureSet features = detect_features();
  for (size_t i = 0; i < gf2_kernel_list.num_kernels; ++i) {
    const KernelInfo* info = gf2_kernel_list.kernels[i];
    if (std::strcmp(name, "all") != 0 && std::strcmp(name, info->name) != 0) continue;
    if (!features.has_all(info->needs)) {
      std::printf("gf2:%s skipped: valgrind or this CPU lacks its features\n", info->name);
      continue;
    }
    run_kernel(*reinterpret_cast<const Gf2Kernel*>(info));
    std::printf("gf2:%s ran\n", info->name);
  }
  return 0;
}
