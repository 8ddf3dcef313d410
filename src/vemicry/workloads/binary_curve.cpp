#include "vemicry/workloads/binary_curve.h"

#include <optional>
#include <utility>

namespace incore::vemicry {
namespace {

bool bit(const Number& a, size_t i) {
  return (a[i / 32] >> i % 32 & 1) != 0;
}

Number sum(Number a, const Number& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] ^= b[i];
  return a;
}

void shift_left(Number* inout_a) {
  for (size_t i = inout_a->size(); i-- > 0;)
    (*inout_a)[i] = (*inout_a)[i] << 1 | (i == 0 ? 0 : (*inout_a)[i - 1] >> 31);
}

void shift_right(Number* inout_a) {
  const size_t words = inout_a->size();
  for (size_t i = 0; i < words; ++i)
    (*inout_a)[i] = (*inout_a)[i] >> 1 | (i + 1 == words ? 0 : (*inout_a)[i + 1] << 31);
}

bool is_zero(const Number& a) {
  return a == Number(a.size());
}

// No point: that at infinity.
using Point = std::optional<std::pair<Number, Number>>;

Point add(const BinaryCurve& curve, const Point& p, const Point& q) {
  if (!p) return q;
  if (!q) return p;
  const BinaryField& field = curve.field;
  const auto& [x1, y1] = *p;
  const auto& [x2, y2] = *q;
  const Number x_sum = sum(x1, x2), y_sum = sum(y1, y2);
  const bool is_double = is_zero(x_sum);
  if (is_double && (!is_zero(y_sum) || is_zero(x1))) return std::nullopt;
  const Number slope = is_double ? sum(x1, field.multiply(y1, field.inverse(x1)))
                                 : field.multiply(y_sum, field.inverse(x_sum));
  const Number x3 = sum(sum(sum(field.multiply(slope, slope), slope), x_sum),
                        number(curve.a, field.words())),
               y3 = sum(sum(field.multiply(slope, sum(x1, x3)), x3), y1);
  return std::pair(x3, y3);
}

}  // namespace

Number number(const char* hex, size_t num_words) {
  Number result(num_words);
  for (; *hex != 0; ++hex) {
    for (int i = 0; i < 4; ++i) shift_left(&result);
    result[0] |= static_cast<uint32_t>(*hex <= '9' ? *hex - '0' : *hex - 'a' + 10);
  }
  return result;
}

Number BinaryField::f() const {
  return polynomial({degree, middle, 0});
}

Number BinaryField::multiply(const Number& a, const Number& b) const {
  const Number modulus = f();
  Number result(words());
  for (size_t i = degree; i-- > 0;) {
    shift_left(&result);
    if (bit(result, degree)) result = sum(std::move(result), modulus);
    if (bit(b, i)) result = sum(std::move(result), a);
  }
  return result;
}

// Binary: u g = a and v h = a times a power of x, all modulo f, while u and v get shorter.
Number BinaryField::inverse(const Number& a) const {
  if (is_zero(a)) return a;
  const Number modulus = f();
  Number one(words());
  one[0] = 1;
  Number u = a, v = modulus, g = one, h(words());
  const auto halve = [&](Number* inout_u, Number* inout_g) {
    while (!bit(*inout_u, 0)) {
      shift_right(inout_u);
      if (bit(*inout_g, 0)) *inout_g = sum(std::move(*inout_g), modulus);
      shift_right(inout_g);
    }
  };
  for (;;) {
    halve(&u, &g);
    if (u == one) return g;
    halve(&v, &h);
    if (v == one) return h;
    if (is_below(v, u)) {
      u = sum(std::move(u), v);
      g = sum(std::move(g), h);
    } else {
      v = sum(std::move(v), u);
      h = sum(std::move(h), g);
    }
  }
}

Number BinaryField::square_root(const Number& a) const {
  Number result = a;
  for (uint32_t i = 1; i < degree; ++i) result = multiply(result, result);
  return result;
}

Number multiple_of_base_point(const BinaryCurve& curve, const Number& k) {
  const size_t words = curve.field.words();
  const Point base = std::pair(number(curve.x, words), number(curve.y, words));
  Point result;
  for (size_t i = 32 * k.size(); i-- > 0;) {
    result = add(curve, result, result);
    if (bit(k, i)) result = add(curve, result, base);
  }
  return result ? result->first : Number(words);
}

}  // namespace incore::vemicry
