#include "incore/gf2.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "crypto/gf2/curves.h"

namespace incore {
namespace {

using test::Words;

incore_gf2_field make_field(const std::vector<unsigned>& exponents) {
  incore_gf2_field field = {};
  EXPECT_EQ(incore_gf2_field_set(&field, exponents.data(), exponents.size()), INCORE_OK);
  return field;
}

// Affine points of y^2 + xy = x^3 + ax^2 + b; the point at infinity has no coordinates.
struct Point {
  bool infinite = true;
  Words x, y;
};

struct CurveArithmetic {
  const test::Curve& curve;
  incore_gf2_field field = make_field(curve.exponents);

  Words multiply(const Words& a, const Words& b) const {
    Words out(a.size());
    EXPECT_EQ(incore_gf2_field_multiply(&field, a.data(), b.data(), out.data()), INCORE_OK);
    return out;
  }
  Words divide(const Words& a, const Words& b) const {
    Words inverse(b.size());
    EXPECT_EQ(incore_gf2_field_inverse(&field, b.data(), inverse.data()), INCORE_OK);
    return multiply(a, inverse);
  }
  static Words sum(std::initializer_list<Words> terms) {
    Words result(terms.begin()->size());
    for (const Words& term : terms)
      for (size_t i = 0; i < result.size(); ++i) result[i] ^= term[i];
    return result;
  }
  Point add(const Point& p, const Point& q) const {
    if (p.infinite) return q;
    if (q.infinite) return p;
    Words slope;
    if (p.x != q.x) {
      slope = divide(sum({p.y, q.y}), sum({p.x, q.x}));
    } else if (p.y == q.y) {
      slope = sum({p.x, divide(p.y, p.x)});  // of a curve whose points of order 2 do not come here
    } else {
      return {};
    }
    Point r;
    r.infinite = false;
    r.x = sum({multiply(slope, slope), slope, p.x, q.x, curve.a});
    r.y = sum({multiply(slope, sum({p.x, r.x})), r.x, p.y});
    return r;
  }
  Point times(const Words& n, const Point& p) const {
    Point result;
    for (size_t i = 64 * n.size(); i-- > 0;) {
      result = add(result, result);
      if ((n[i / 64] >> i % 64 & 1) != 0) result = add(result, p);
    }
    return result;
  }
};

// (n - 1) * G = -G and n * G = infinity: hundreds of products, squares and inverses, none of which
// may be wrong.
TEST(capi_gf2, published_curves_have_the_published_order) {
  for (const test::Curve& c : test::load_curves()) {
    const CurveArithmetic arithmetic{c};
    const Point generator = {false, c.x, c.y};
    Words n_minus_1 = c.order;
    ASSERT_EQ(n_minus_1[0] & 1, 1u);
    n_minus_1[0] -= 1;
    const Point negative = arithmetic.times(n_minus_1, generator);
    ASSERT_FALSE(negative.infinite);
    EXPECT_EQ(negative.x, c.x) << c.name;
    EXPECT_EQ(negative.y, CurveArithmetic::sum({c.x, c.y})) << c.name;
    EXPECT_TRUE(arithmetic.add(negative, generator).infinite) << c.name;
  }
}

TEST(capi_gf2, montgomerys_form_agrees_with_the_plain_one) {
  for (const test::Curve& c : test::load_curves()) {
    const incore_gf2_field field = make_field(c.exponents);
    const size_t words = c.x.size();
    Words x(words), y(words), product(words), plain(words);
    ASSERT_EQ(incore_gf2_to_mont(&field, c.x.data(), x.data()), INCORE_OK);
    ASSERT_EQ(incore_gf2_to_mont(&field, c.y.data(), y.data()), INCORE_OK);
    ASSERT_EQ(incore_gf2_montmul(&field, x.data(), y.data(), product.data()), INCORE_OK);
    ASSERT_EQ(incore_gf2_from_mont(&field, product.data(), product.data()), INCORE_OK);
    ASSERT_EQ(incore_gf2_field_multiply(&field, c.x.data(), c.y.data(), plain.data()), INCORE_OK);
    EXPECT_EQ(product, plain) << c.name;
    ASSERT_EQ(incore_gf2_field_square(&field, c.x.data(), product.data()), INCORE_OK);
    ASSERT_EQ(incore_gf2_field_multiply(&field, c.x.data(), c.x.data(), plain.data()), INCORE_OK);
    EXPECT_EQ(product, plain) << c.name;
    // One product with x in Montgomery's form takes the factor off again.
    ASSERT_EQ(incore_gf2_montmul(&field, x.data(), c.y.data(), product.data()), INCORE_OK);
    ASSERT_EQ(incore_gf2_field_multiply(&field, c.x.data(), c.y.data(), plain.data()), INCORE_OK);
    EXPECT_EQ(product, plain) << c.name;
  }
}

TEST(capi_gf2, exponents_and_words_make_the_same_field) {
  incore_gf2_field field = {};
  EXPECT_EQ(incore_gf2_field_degree(&field), 0u);
  EXPECT_EQ(incore_gf2_field_degree(nullptr), 0u);
  const uint64_t f[5] = {0x201, 0, 0x8000000000000000, 0, 0};
  ASSERT_EQ(incore_gf2_field_set_words(&field, f, 5), INCORE_OK);
  EXPECT_EQ(incore_gf2_field_degree(&field), 191u);
  const incore_gf2_field other = make_field({191, 9, 0});
  const Words a = {1, 2, 3}, b = {~uint64_t{0}, 5, 0x7FFFFFFFFFFFFFFF};
  Words c(3), d(3);
  ASSERT_EQ(incore_gf2_field_multiply(&field, a.data(), b.data(), c.data()), INCORE_OK);
  ASSERT_EQ(incore_gf2_field_multiply(&other, a.data(), b.data(), d.data()), INCORE_OK);
  EXPECT_EQ(c, d);
}

TEST(capi_gf2, wrong_polynomials_are_refused_and_leave_an_earlier_field) {
  incore_gf2_field field = make_field({163, 7, 6, 3, 0});
  const std::vector<std::vector<unsigned>> wrong = {
      {0},         {1, 0},         {572, 10, 0},  {191},          {191, 9},    {191, 0, 9},
      {9, 191, 0}, {191, 9, 9, 0}, {191, 191, 0}, {191, 9, 0, 0}, {~0u, 9, 0}, {191, 9, ~0u}};
  for (const auto& exponents : wrong)
    EXPECT_EQ(incore_gf2_field_set(&field, exponents.data(), exponents.size()), INCORE_ERROR_RANGE)
        << exponents.size() << " " << exponents[0];
  EXPECT_EQ(incore_gf2_field_set(&field, wrong[0].data(), 0), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_gf2_field_set(&field, nullptr, 3), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gf2_field_set(nullptr, wrong[0].data(), 1), INCORE_ERROR_NULL);

  const std::vector<Words> wrong_words = {{0},
                                          {1},
                                          {3},
                                          {6},
                                          {0, 1},
                                          {1, 0, 0, 0, 0, 0, 0, 0, uint64_t{1} << 60},
                                          {1, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
  for (const Words& f : wrong_words)
    EXPECT_EQ(incore_gf2_field_set_words(&field, f.data(), f.size()), INCORE_ERROR_RANGE) << f[0];
  EXPECT_EQ(incore_gf2_field_set_words(&field, wrong_words[0].data(), 0), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_gf2_field_set_words(&field, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gf2_field_set_words(nullptr, wrong_words[0].data(), 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gf2_field_degree(&field), 163u);

  // The smallest and the largest that are allowed.
  field = make_field({2, 1, 0});
  EXPECT_EQ(incore_gf2_field_degree(&field), 2u);
  field = make_field({571, 10, 5, 2, 0});
  EXPECT_EQ(incore_gf2_field_degree(&field), 571u);
}

// What every function on a field answers to |field|, a, b and out.
std::vector<incore_status> statuses(const incore_gf2_field* field, const uint64_t* a,
                                    const uint64_t* b, uint64_t* out) {
  return {incore_gf2_field_multiply(field, a, b, out), incore_gf2_montmul(field, a, b, out),
          incore_gf2_field_square(field, a, out),      incore_gf2_field_inverse(field, a, out),
          incore_gf2_to_mont(field, a, out),           incore_gf2_from_mont(field, a, out)};
}

TEST(capi_gf2, wrong_arguments_have_their_statuses) {
  const std::vector<incore_status> all_null(6, INCORE_ERROR_NULL);
  const std::vector<incore_status> all_state(6, INCORE_ERROR_STATE);
  const std::vector<incore_status> all_range(6, INCORE_ERROR_RANGE);
  const std::vector<incore_status> all_overlap(6, INCORE_ERROR_OVERLAP);
  incore_gf2_field field = make_field({163, 7, 6, 3, 0});
  const incore_gf2_field unset = {};
  const Words filler(6, 0xA5);
  Words a = {1, 2, 3, 0, 0, 0}, big = {1, 2, uint64_t{1} << 35}, out = filler;
  EXPECT_EQ(statuses(nullptr, a.data(), a.data(), out.data()), all_null);
  EXPECT_EQ(statuses(&field, nullptr, a.data(), out.data()), all_null);
  EXPECT_EQ(statuses(&field, a.data(), a.data(), nullptr), all_null);
  EXPECT_EQ(incore_gf2_field_multiply(&field, a.data(), nullptr, out.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(statuses(&unset, a.data(), a.data(), out.data()), all_state);
  EXPECT_EQ(statuses(&field, big.data(), a.data(), out.data()), all_range);
  EXPECT_EQ(incore_gf2_field_multiply(&field, a.data(), big.data(), out.data()),
            INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_gf2_montmul(&field, a.data(), big.data(), out.data()), INCORE_ERROR_RANGE);
  EXPECT_EQ(out, filler);

  // One word apart, in both directions; and upon the field itself.
  EXPECT_EQ(statuses(&field, a.data(), out.data() + 3, a.data() + 1), all_overlap);
  EXPECT_EQ(statuses(&field, a.data() + 1, out.data() + 3, a.data()), all_overlap);
  EXPECT_EQ(incore_gf2_montmul(&field, a.data() + 3, a.data() + 1, a.data()), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(statuses(&field, a.data(), a.data(), reinterpret_cast<uint64_t*>(&field)), all_overlap);
  EXPECT_EQ(a, (Words{1, 2, 3, 0, 0, 0}));
  EXPECT_EQ(incore_gf2_field_degree(&field), 163u);
}

TEST(capi_gf2, what_has_no_inverse_is_refused) {
  const incore_gf2_field field = make_field({163, 7, 6, 3, 0});
  const Words zero(3), filler(3, 0xA5);
  Words out = filler;
  EXPECT_EQ(incore_gf2_field_inverse(&field, zero.data(), out.data()), INCORE_ERROR_RANGE);
  const incore_gf2_field ring = make_field({4, 0});  // (x + 1)^4
  const Words factor = {3};
  EXPECT_EQ(incore_gf2_field_inverse(&ring, factor.data(), out.data()), INCORE_ERROR_RANGE);
  EXPECT_EQ(out, filler);
}

TEST(capi_gf2, multiply_checks_its_arguments) {
  const Words a = {3, 1};
  const Words filler(6, 0xA5);
  Words out = filler;
  EXPECT_EQ(incore_gf2_multiply(nullptr, a.data(), 2, out.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gf2_multiply(a.data(), nullptr, 2, out.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gf2_multiply(a.data(), a.data(), 2, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gf2_multiply(a.data(), a.data(), SIZE_MAX / 16 + 1, out.data()),
            INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_gf2_multiply(out.data() + 3, a.data(), 2, out.data()), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gf2_multiply(a.data(), out.data(), 2, out.data()), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(out, filler);
  EXPECT_EQ(incore_gf2_multiply(nullptr, nullptr, 0, nullptr), INCORE_OK);
  ASSERT_EQ(incore_gf2_multiply(a.data(), a.data(), 2, out.data()), INCORE_OK);
  EXPECT_EQ(out, (Words{5, 0, 1, 0, 0xA5, 0xA5}));
}

TEST(capi_gf2, the_kernel_has_a_name) {
  ASSERT_NE(incore_gf2_kernel(), nullptr);
  EXPECT_GT(std::string(incore_gf2_kernel()).size(), 0u);
}

}  // namespace
}  // namespace incore
