// Binary expansions of pi, e, and square roots, as the data of SP 800-22's appendix B has them:
// from the integer part on.
#pragma once

#if INCORE_HAVE_GMP
#include <gmpxx.h>

#include <string>

namespace incore::test {

// The first |num_bits| bits of |fraction| (above 0).
inline std::string leading_bits(const mpz_class& value, size_t num_bits) {
  return value.get_str(2).substr(0, num_bits);
}

inline std::string bits_of_sqrt(unsigned radicand, size_t num_bits) {
  return leading_bits(sqrt(mpz_class(radicand) << (2 * num_bits)), num_bits);
}

// 1 + 1/2 + 1/(2 3) + ..., from term |first| to before |end|, as numerator over first (first + 1)
// ... (end - 1).
struct Fraction {
  mpz_class numerator, denominator;
};
inline Fraction terms_of_e(unsigned first, unsigned end) {
  if (end - first == 1) return {1, first};
  const unsigned middle = first + (end - first) / 2;
  const Fraction low = terms_of_e(first, middle), high = terms_of_e(middle, end);
  return {low.numerator * high.denominator + high.numerator, low.denominator * high.denominator};
}

inline std::string bits_of_e(size_t num_bits) {
  // Terms enough: k! > 2^(num_bits + 64) for k = num_bits / 10 + 50.
  const Fraction sum = terms_of_e(1, static_cast<unsigned>(num_bits / 10 + 50));
  return leading_bits(((sum.numerator + sum.denominator) << (num_bits + 64)) / sum.denominator,
                      num_bits);
}

// The integer next to 2^scale / x - 2^scale / (3 x^3) + ...: arctan(1 / x).
inline mpz_class scaled_arctan(unsigned x, size_t scale) {
  struct Terms {
    mpz_class P, Q, B;  // their sum is P / (Q B)
    static Terms of(unsigned x_squared, unsigned first, unsigned end) {
      if (end - first == 1) return {first % 2 == 0 ? 1 : -1, x_squared, 2 * mpz_class(first) + 1};
      const unsigned middle = first + (end - first) / 2;
      const Terms low = of(x_squared, first, middle), high = of(x_squared, middle, end);
      return {low.P * high.B * high.Q + high.P * low.B, low.Q * high.Q, low.B * high.B};
    }
  };
  unsigned num_terms = 1;
  for (size_t bits = 0; bits < scale; ++num_terms)
    bits += mpz_sizeinbase(mpz_class(x * x).get_mpz_t(), 2) - 1;
  const Terms sum = Terms::of(x * x, 0, num_terms);
  return ((sum.P * x) << scale) / (sum.Q * sum.B);
}

// Machin: pi / 4 = 4 arctan(1/5) - arctan(1/239).
inline std::string bits_of_pi(size_t num_bits) {
  const size_t scale = num_bits + 64;
  return leading_bits(16 * scaled_arctan(5, scale) - 4 * scaled_arctan(239, scale), num_bits);
}

}  // namespace incore::test

#endif
