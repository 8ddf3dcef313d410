// Every gf2 kernel: published products and curves, then comparison with the definition.
#include <gtest/gtest.h>

#include <algorithm>

#include "crypto/gf2/curves.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/gf2/gf2_steps.h"
#include "support/known_answers.h"
#include "support/property.h"

namespace incore {
namespace {

using test::Words;

class gf2_kernels : public testing::TestWithParam<const KernelInfo*> {
 protected:
  void SetUp() override {
    if (!detect_features().has_all(GetParam()->needs))
      GTEST_SKIP() << "this CPU cannot run the kernel " << GetParam()->name;
  }
  static void gave(const char* vectors, size_t num) {
    test::gave_answers("gf2", GetParam()->name, vectors, num);
  }
  static const Gf2Kernel& kernel() { return *reinterpret_cast<const Gf2Kernel*>(GetParam()); }
};

// A field, its polynomial, and the field's operations on vectors.
struct Field {
  Gf2Field field;
  Words f = Words(kGf2MaxWords + 1);
  size_t f_bits;

  Field(const Gf2Kernel& kernel, const Words& polynomial) {
    std::copy(polynomial.begin(), polynomial.end(), f.begin());
    f_bits = gf2::num_bits(f.data(), f.size());
    gf2_set_field(&kernel, f.data(), f_bits, &field);
  }
  static Words polynomial(const std::vector<unsigned>& exponents) {
    Words f(kGf2MaxWords + 1);
    for (unsigned e : exponents) gf2::flip(f.data(), e);
    return f;
  }
  Field(const Gf2Kernel& kernel, const std::vector<unsigned>& exponents)
      : Field(kernel, polynomial(exponents)) {}

  Words multiply(const Words& a, const Words& b) const {
    Words out(field.words);
    field.multiply(field, a.data(), b.data(), out.data());
    return out;
  }
  Words square(const Words& a) const {
    Words out(field.words);
    field.square(field, a.data(), out.data());
    return out;
  }
  Words montmul(const Words& a, const Words& b) const {
    Words out(field.words);
    field.montmul(field, a.data(), b.data(), out.data());
    return out;
  }
  Words inverse(const Words& a) const {
    Words out(field.words);
    gf2_inverse(field, a.data(), out.data());
    return out;
  }

  // By the definition.
  Words product(const Words& a, const Words& b) const {
    Words c(2 * field.words);
    gf2::multiply(a.data(), b.data(), field.words, c.data());
    gf2::reduce(c.data(), c.size(), f.data(), f_bits);
    c.resize(field.words);
    return c;
  }
  Words mont_product(const Words& a, const Words& b) const {
    Words c = product(a, b);
    c.resize(f.size());
    for (size_t i = 0; i < 64 * field.words; ++i) gf2::over_x(c.data(), f.data(), c.size());
    c.resize(field.words);
    return c;
  }

  Words random(uint64_t seed) const {
    Words a = test::random_words(field.words, seed);
    if (seed % 8 == 0) std::fill(a.begin(), a.end(), seed % 16 == 0 ? 0 : ~uint64_t{0});
    a.back() &= field.last_mask;
    return a;
  }
};

Words operator+(Words a, const Words& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] ^= b[i];
  return a;
}

// Intel's paper on the instruction, "Intel Carry-Less Multiplication Instruction and its Usage for
// Computing the GCM Mode", gives these four products.
TEST_P(gf2_kernels, published_products_of_words) {
  const uint64_t a[2] = {0x63746f725d53475d, 0x7b5b546573745665};
  const uint64_t b[2] = {0x5b477565726f6e5d, 0x4869285368617929};
  const char* const products[2][2] = {
      {"1d4d84c85c3440c0929633d5d36f0451", "1bd17c8d556ab5a17fa540ac2a281315"},
      {"1a2bf6db3a30862fbabf262df4b7d5c9", "1d1e1f2c592e7c45d66ee03e410fd4ed"}};
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 2; ++j) {
      Words product(2);
      kernel().multiply(&a[i], &b[j], 1, product.data());
      EXPECT_EQ(product, test::words_of_hex(products[i][j], 2)) << i << j;
    }
  gave("Intel's products", 4);
}

// FIPS 197, sections 4.2 and 4.2.1, and the S-box of {53}, which section 5.1.1 inverts to {ca}.
TEST_P(gf2_kernels, published_products_in_the_field_of_aes) {
  const Field aes(kernel(), std::vector<unsigned>{8, 4, 3, 1, 0});
  EXPECT_EQ(aes.multiply({0x57}, {0x83}), Words{0xc1});
  EXPECT_EQ(aes.multiply({0x57}, {0x13}), Words{0xfe});
  EXPECT_EQ(aes.inverse({0x53}), Words{0xca});
  gave("FIPS 197 products", 3);
}

TEST_P(gf2_kernels, generators_of_published_curves_lie_on_them) {
  for (const test::Curve& c : test::load_curves()) {
    const Field field(kernel(), c.exponents);
    const Words xx = field.square(c.x);
    EXPECT_EQ(field.square(c.y) + field.multiply(c.x, c.y),
              field.multiply(xx, c.x) + field.multiply(c.a, xx) + c.b)
        << c.name;
    // The same in Montgomery's form.
    const auto mont = [&](const Words& a) {
      return field.montmul(a, Words(field.field.r2, field.field.r2 + field.field.words));
    };
    const Words x = mont(c.x), y = mont(c.y);
    EXPECT_EQ(field.montmul(y, y) + field.montmul(x, y),
              field.montmul(field.montmul(x, x), x + mont(c.a)) + mont(c.b))
        << c.name;
  }
  gave("generators of curves", test::load_curves().size());
}

TEST_P(gf2_kernels, products_of_any_length_equal_the_steps) {
  test::for_each_seed(300, [&](uint64_t seed) {
    const size_t words = 1 + seed % 24;
    Words a = test::random_words(words, seed), b = test::random_words(words, seed + 1000000);
    if (seed % 5 == 0) std::fill(a.begin(), a.end(), ~uint64_t{0});
    if (seed % 10 == 0) b = a;
    Words expected(2 * words), product(2 * words, 0xA5A5A5A5A5A5A5A5);
    gf2::multiply(a.data(), b.data(), words, expected.data());
    kernel().multiply(a.data(), b.data(), words, product.data());
    EXPECT_EQ(product, expected) << words << " words";
  });
}

// Sums that leave no middle unseen: single bits, whose product is known.
TEST_P(gf2_kernels, products_of_single_bits_are_single_bits) {
  constexpr size_t kWords = kGf2MaxWords;
  for (size_t i = 0; i < 64 * kWords; i += 7)
    for (size_t j = 0; j < 64 * kWords; j += 11) {
      Words a(kWords), b(kWords), product(2 * kWords), expected(2 * kWords);
      gf2::flip(a.data(), i);
      gf2::flip(b.data(), j);
      gf2::flip(expected.data(), i + j);
      kernel().multiply(a.data(), b.data(), kWords, product.data());
      ASSERT_EQ(product, expected) << i << " " << j;
    }
}

void expect_field_equals_steps(const Field& field, uint64_t seed) {
  const Words a = field.random(seed), b = field.random(seed + 1000003);
  const std::string what = "degree " + std::to_string(field.field.degree);
  EXPECT_EQ(field.multiply(a, b), field.product(a, b)) << what;
  EXPECT_EQ(field.square(a), field.product(a, a)) << what;
  EXPECT_EQ(field.montmul(a, b), field.mont_product(a, b)) << what;
  Words in_place = a;
  field.field.multiply(field.field, in_place.data(), b.data(), in_place.data());
  EXPECT_EQ(in_place, field.product(a, b)) << what << ", out is a";
  in_place = b;
  field.field.multiply(field.field, a.data(), in_place.data(), in_place.data());
  EXPECT_EQ(in_place, field.product(a, b)) << what << ", out is b";
  in_place = a;
  field.field.square(field.field, in_place.data(), in_place.data());
  EXPECT_EQ(in_place, field.product(a, a)) << what << ", square in place";
  in_place = b;
  field.field.montmul(field.field, a.data(), in_place.data(), in_place.data());
  EXPECT_EQ(in_place, field.mont_product(a, b)) << what << ", montmul in place";
}

// Every degree, with the tails that decide how a kernel reduces: trinomials and pentanomials with a
// short tail, one as long as may be folded, one word longer, dense ones. Each kind also has degrees
// that fill the last word.
TEST_P(gf2_kernels, fields_of_every_degree_equal_the_steps) {
  for (unsigned m = 2; m <= kGf2MaxDegree; ++m) {
    Words f = Field::polynomial({m, 0});
    const uint64_t choice = test::random_words(1, m)[0];
    const unsigned spare = 64 * ((m + 63) / 64) - m;
    switch ((m + m / 64) % 4) {
      case 0:  // dense
        f = test::random_words(kGf2MaxWords + 1, m);
        for (size_t i = m + 1; i < 64 * f.size(); ++i)
          if (gf2::bit(f.data(), i) != 0) gf2::flip(f.data(), i);
        f[0] |= 1;
        if (gf2::bit(f.data(), m) == 0) gf2::flip(f.data(), m);
        break;
      case 1:  // any second exponent
        gf2::flip(f.data(), 1 + choice % (m - 1));
        break;
      case 2:  // a short tail, sometimes only x^m + 1
        for (uint64_t bits = choice & 0x7E; bits != 0; bits &= bits - 1)
          if (static_cast<unsigned>(__builtin_ctzll(bits)) < m)
            gf2::flip(f.data(), static_cast<size_t>(__builtin_ctzll(bits)));
        break;
      default: {  // where folding begins to reach too far
        const unsigned limit = std::min(128u, 32 * ((m + 63) / 64));
        const unsigned at = limit > spare ? limit - spare - (choice % 3) : 1;
        if (at >= 1 && at < m) gf2::flip(f.data(), at);
      }
    }
    const Field field(kernel(), f);
    for (uint64_t seed = 16 * m; seed < 16 * m + 2; ++seed) expect_field_equals_steps(field, seed);
    if (HasFailure()) return;
  }
}

TEST_P(gf2_kernels, fields_of_curves_equal_the_steps) {
  for (const test::Curve& c : test::load_curves()) {
    const Field field(kernel(), c.exponents);
    for (uint64_t seed = 0; seed < 20; ++seed) expect_field_equals_steps(field, seed);
    const Words one = [&] {
      Words w(field.field.words);
      w[0] = 1;
      return w;
    }();
    const Words a = field.random(7);
    EXPECT_EQ(field.multiply(a, field.inverse(a)), one) << c.name;
  }
}

std::vector<const KernelInfo*> kernels() {
  return {gf2_kernel_list.kernels, gf2_kernel_list.kernels + gf2_kernel_list.num_kernels};
}

INSTANTIATE_TEST_SUITE_P(, gf2_kernels, testing::ValuesIn(kernels()),
                         [](const auto& param_info) { return param_info.param->name; });

}  // namespace
}  // namespace incore
