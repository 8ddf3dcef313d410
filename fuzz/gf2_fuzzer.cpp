// Any field and any operands: every gf2 kernel agrees with the definition, also in place; and the
// interface accepts just the polynomials that it says it takes.
#include <algorithm>
#include <cstring>
#include <vector>

#include "check.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/gf2/gf2_steps.h"
#include "incore/gf2.h"

using namespace incore;

namespace {

using Words = std::vector<uint64_t>;

// The input as words, one after the other; zeros behind its end.
struct Input {
  const uint8_t* data;
  size_t len;

  uint64_t word() {
    uint64_t w = 0;
    const size_t n = std::min(len, sizeof w);
    if (n != 0) std::memcpy(&w, data, n);
    data += n;
    len -= n;
    return w;
  }
  Words words(size_t n) {
    Words result(n);
    for (uint64_t& w : result) w = word();
    return result;
  }
};

void check_product(const Gf2Kernel& kernel, const Words& a, const Words& b) {
  Words expected(2 * a.size()), product(2 * a.size());
  gf2::multiply(a.data(), b.data(), a.size(), expected.data());
  kernel.multiply(a.data(), b.data(), a.size(), product.data());
  FUZZ_CHECK(product == expected);
}

void check_field(const Gf2Kernel& kernel, const Words& f, const Words& a, const Words& b) {
  const size_t f_bits = gf2::num_bits(f.data(), f.size());
  Gf2Field field;
  gf2_set_field(&kernel, f.data(), f_bits, &field);
  Words expected(2 * a.size());
  gf2::multiply(a.data(), b.data(), a.size(), expected.data());
  gf2::reduce(expected.data(), expected.size(), f.data(), f_bits);
  expected.resize(a.size());

  Words x = a;
  field.multiply(field, x.data(), b.data(), x.data());
  FUZZ_CHECK(x == expected);
  // Montgomery's form and back.
  Words y = b;
  field.montmul(field, b.data(), field.r2, y.data());
  field.montmul(field, a.data(), y.data(), y.data());
  FUZZ_CHECK(y == expected);
  field.square(field, a.data(), x.data());
  field.multiply(field, a.data(), a.data(), y.data());
  FUZZ_CHECK(x == y);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  Input input = {data, len};
  const uint64_t choice = input.word();
  Words f = input.words(choice % (kGf2MaxWords + 2));
  if ((choice >> 32 & 1) != 0 && !f.empty()) f[0] |= 1;
  const size_t f_bits = gf2::num_bits(f.data(), f.size());
  const bool right = f_bits >= 3 && f_bits <= kGf2MaxDegree + 1 && (f[0] & 1) != 0;
  incore_gf2_field field = {};
  const uint64_t none = 0;
  FUZZ_CHECK(incore_gf2_field_set_words(&field, f.empty() ? &none : f.data(), f.size()) ==
             (right ? INCORE_OK : INCORE_ERROR_RANGE));
  FUZZ_CHECK(incore_gf2_field_degree(&field) == (right ? f_bits - 1 : 0));

  const size_t words = right ? (f_bits - 1 + 63) / 64 : 1 + (choice >> 8) % 12;
  Words a = input.words(words), b = input.words(words);
  f.resize(kGf2MaxWords + 1);
  const FeatureSet features = detect_features();
  for (size_t i = 0; i < gf2_kernel_list.num_kernels; ++i) {
    if (!features.has_all(gf2_kernel_list.kernels[i]->needs)) continue;
    const auto& kernel = *reinterpret_cast<const Gf2Kernel*>(gf2_kernel_list.kernels[i]);
    check_product(kernel, a, b);
    if (!right) continue;
    const uint64_t mask = ~uint64_t{0} >> (64 * words - (f_bits - 1));
    a.back() &= mask;
    b.back() &= mask;
    check_field(kernel, f, a, b);
  }
  return 0;
}
