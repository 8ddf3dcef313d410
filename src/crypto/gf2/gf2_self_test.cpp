// What a gf2 kernel has to answer before it serves (crypto/self_test.h).
#include <initializer_list>

#include "crypto/gf2/gf2_field.h"
#include "crypto/self_test.h"

namespace incore {
namespace {

// x^degree + x^k + the polynomial |low|.
constexpr Gf2Field field(unsigned degree, unsigned k, uint64_t low) {
  uint64_t f[kGf2MaxWords + 1] = {low};
  gf2::flip(f, degree);
  gf2::flip(f, k);
  return gf2::field_of(f, degree + 1);
}

// One of each way of reduction, in narrow and in wide registers: short tails (163 is that of FIPS
// 186-4), trinomials (233 and 409 too), and a long tail, which goes word by word.
constexpr Gf2Field kFields[] = {field(163, 7, 0x49), field(233, 74, 1), field(409, 87, 1),
                                field(500, 5, 1), field(131, 120, 0x8000000000000103)};

}  // namespace

bool gf2_self_test(const KernelInfo& info) {
  const auto& kernel = reinterpret_cast<const Gf2Kernel&>(info);
  uint64_t a[kGf2MaxWords + 1], b[kGf2MaxWords + 1], product[2 * (kGf2MaxWords + 1)];
  self_test_fill(a, 1);
  self_test_fill(b, 2);
  SelfTestSum sum;
  for (size_t words = 1; words <= kGf2MaxWords + 1; ++words) {
    kernel.multiply(a, b, words, product);
    for (size_t i = 0; i < 2 * words; ++i) sum.add(product[i]);
  }
  for (Gf2Field f : kFields) {
    f.kernel = &kernel;
    kernel.choose(&f);
    const size_t last = f.words - 1;
    uint64_t x[kGf2MaxWords], y[kGf2MaxWords];
    self_test_fill(x, 3);
    self_test_fill(y, 4);
    x[last] &= f.last_mask, y[last] &= f.last_mask;
    for (Gf2Binary* const function : {f.multiply, f.montmul}) {
      function(f, x, y, y);
      f.square(f, x, x);
      for (size_t i = 0; i <= last; ++i) sum.add(x[i]), sum.add(y[i]);
    }
  }
  return sum.sum() == 0xD89F563D71B3763B;
}

}  // namespace incore
