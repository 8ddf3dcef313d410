#include "vemicry/workloads/numbers.h"

#include <algorithm>
#include <cassert>

#include "crypto/gf2/gf2_steps.h"
#include "crypto/mont/mont_steps.h"

namespace incore::vemicry {
namespace {

using Number64 = std::vector<uint64_t>;

Number64 to_64(const Number& words, size_t num_words) {
  Number64 result(num_words);
  for (size_t i = 0; i < words.size(); ++i) result[i / 2] |= uint64_t{words[i]} << (i % 2 * 32);
  return result;
}

Number to_32(const Number64& words, size_t num_words) {
  Number result(num_words);
  for (size_t i = 0; i < num_words; ++i)
    result[i] = static_cast<uint32_t>(words[i / 2] >> (i % 2 * 32));
  return result;
}

uint32_t next_random(uint64_t* seed) {  // splitmix64
  uint64_t x = *seed += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return static_cast<uint32_t>((x ^ x >> 31) >> 32);
}

Number resized(Number words, size_t num_words) {
  words.resize(num_words);
  return words;
}

}  // namespace

Number random_number(size_t num_words, size_t bits, uint64_t* seed) {
  Number words(num_words);
  for (size_t i = 0; i < num_words; ++i) {
    const uint32_t word = next_random(seed);
    if (32 * i >= bits) continue;
    words[i] = 32 * i + 32 <= bits ? word : word & ((1u << bits % 32) - 1);
  }
  return words;
}

Number polynomial(std::initializer_list<uint32_t> exponents) {
  Number words(std::max(exponents) / 32 + 1);
  for (const uint32_t e : exponents) words[e / 32] |= 1u << e % 32;
  return words;
}

Number gf2_inverse(const Number& f, size_t num_words) {
  // Bit by bit: what is added to the inverse makes the lowest wrong bit of the product right.
  const size_t words = (num_words + 1) / 2;
  const Number64 f64 = to_64(
      Number(f.begin(), f.begin() + static_cast<ptrdiff_t>(std::min(num_words, f.size()))), words);
  Number64 inverse(words), product(2 * words);
  for (size_t i = 0; i < 32 * num_words; ++i) {
    if (gf2::bit(product.data(), i) == (i == 0 ? 1u : 0u)) continue;
    gf2::flip(inverse.data(), i);
    gf2::add_shifted(product.data(), f64.data(), words, i);
  }
  return to_32(inverse, num_words);
}

Number gf2_montgomery_product(const Number& a, const Number& b, const Number& f) {
  const size_t words = f.size() / 2 + 1;
  const Number64 a64 = to_64(a, words), b64 = to_64(b, words), f64 = to_64(f, words);
  const size_t f_bits = gf2::num_bits(f64.data(), words);
  Number64 product(2 * words);
  gf2::multiply(a64.data(), b64.data(), words, product.data());
  gf2::reduce(product.data(), 2 * words, f64.data(), f_bits);
  for (size_t i = 0; i < 32 * f.size(); ++i) gf2::over_x(product.data(), f64.data(), words);
  return to_32(product, f.size());
}

std::string gf2_refusal(const Number& f, size_t degree, Reduction reduction, uint32_t p) {
  const size_t words = f.size();
  if ((f[0] & 1) == 0) return "f has no term 1, so that it has no inverse modulo a power of x";
  if (degree % 32 == 0) return "a degree that is a multiple of 32 makes f a word longer than M";
  if (reduction == Reduction::by_64) {
    if (words % 2 != 0) return "reduction by 64 bits needs an even number of words";
    if (words + 2 > p)
      return "reduction by 64 bits needs registers of " + std::to_string(words + 2) + " words";
  }
  const size_t needed = words + (reduction == Reduction::by_32_without_room ? 0 : 1);
  if (needed > p) return "it needs registers of " + std::to_string(needed) + " words";
  return "";
}

uint32_t minus_inverse(const Number& n) {
  return mont_m_zero_prime(n[0]);
}

Number montgomery_product(const Number& a, const Number& b, const Number& n, size_t num_words) {
  assert(a.size() <= num_words && b.size() <= num_words && n.size() <= num_words);
  const Number wide_a = resized(a, num_words), wide_b = resized(b, num_words),
               wide_n = resized(n, num_words);
  Number t(num_words + 1);
  montmul(t.data(), wide_a.data(), wide_b.data(), wide_n.data(), minus_inverse(n), num_words);
  // a and b need not be below n, so that one subtraction need not do.
  while (t[num_words] != 0 || !is_below(t, wide_n))
    mont_subtract_if_not_below(t.data(), wide_n.data(), num_words);
  return resized(t, n.size());
}

Number power_of_2(size_t bits, const Number& n) {
  Number x(n.size() + 1);
  x[0] = 1;
  for (size_t i = 0; i < bits; ++i) {
    for (size_t k = x.size(); k-- > 0;) x[k] = x[k] << 1 | (k == 0 ? 0 : x[k - 1] >> 31);
    mont_subtract_if_not_below(x.data(), n.data(), n.size());
  }
  return resized(x, n.size());
}

Number power(const Number& base, const Number& exponent, const Number& n) {
  const size_t words = n.size();
  Number one(words);
  one[0] = 1;
  const Number r2 = power_of_2(64 * words, n);
  const Number x = montgomery_product(base, r2, n, words);
  Number result = montgomery_product(one, r2, n, words);
  for (size_t i = 32 * exponent.size(); i-- > 0;) {
    result = montgomery_product(result, result, n, words);
    if ((exponent[i / 32] >> i % 32 & 1) != 0) result = montgomery_product(result, x, n, words);
  }
  return montgomery_product(result, one, n, words);
}

Number complement(const Number& n, size_t num_words) {
  Number result = resized(n, num_words);
  uint64_t carry = 1;
  for (uint32_t& word : result) {
    carry += ~word;
    word = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  return result;
}

MontmulForm montmul_form(uint32_t words, uint32_t p) {
  if (p >= words + 3) return {p, 32 * words + 32, 2};
  if (p == words) return {p, 32 * words, 2};
  const uint32_t piece = p >= 63 ? 62 : std::max(p, 2u) - 1;
  return {(words + piece) / piece * piece, 32 * words, 1};
}

bool is_below(const Number& a, const Number& b) {
  for (size_t i = std::max(a.size(), b.size()); i-- > 0;) {
    const uint32_t x = i < a.size() ? a[i] : 0, y = i < b.size() ? b[i] : 0;
    if (x != y) return x < y;
  }
  return false;
}

}  // namespace incore::vemicry
