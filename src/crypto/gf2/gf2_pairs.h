// What kernels do with two words in a register of 128 bits and the product of any two words:
// included by a kernel within its namespace, where it makes the namespace pairs, with GF2_FUNCTION
// and GF2_INLINE as the attributes of functions that may use PCLMULQDQ and SSE4.1. The same code
// runs a tenth faster in the encodings of AVX.
//
// Products of up to nine words are unrolled, with Karatsuba's saving for every pair of words.
// Fields with a short tail and trinomials are folded, other fields go word by word.
//
// No #pragma once: each kernel has its own.

namespace pairs {

struct Product {
  uint64_t low, high;
};

GF2_INLINE Product clmul(uint64_t a, uint64_t b) {
  Product product;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&product),
                   _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(a)),
                                        _mm_set_epi64x(0, static_cast<long long>(b)), 0x00));
  return product;
}

#include "crypto/gf2/gf2_words.h"

// Registers that hold |words| words.
constexpr size_t registers(size_t words) {
  return (words + 1) / 2;
}

GF2_INLINE __m128i load_one(const uint64_t* p) {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
}

template <size_t words>
GF2_INLINE void load(const uint64_t* p, __m128i (&out)[registers(words)]) {
#pragma GCC unroll 8
  for (size_t k = 0; k < words / 2; ++k)
    out[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 2 * k));
  if (words % 2 != 0) out[words / 2] = load_one(p + words - 1);
}

template <size_t words>
GF2_INLINE void store(const __m128i* x, uint64_t* out) {
#pragma GCC unroll 16
  for (size_t k = 0; k < words / 2; ++k)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 2 * k), x[k]);
  if (words % 2 != 0) _mm_storel_epi64(reinterpret_cast<__m128i*>(out + words - 1), x[words / 2]);
}

// Word i % 2 of x times word j % 2 of y.
GF2_INLINE __m128i mul(__m128i x, size_t i, __m128i y, size_t j) {
  switch (i % 2 + 2 * (j % 2)) {
    case 0:
      return _mm_clmulepi64_si128(x, y, 0x00);
    case 1:
      return _mm_clmulepi64_si128(x, y, 0x01);
    case 2:
      return _mm_clmulepi64_si128(x, y, 0x10);
    default:
      return _mm_clmulepi64_si128(x, y, 0x11);
  }
}

GF2_INLINE void add(__m128i& x, __m128i y) {
  x = _mm_xor_si128(x, y);
}

// Word i plus word j of what x holds, in the place of word i.
GF2_INLINE __m128i sum(const __m128i* x, size_t i, size_t j) {
  const __m128i other = i % 2 == j % 2 ? x[j / 2] : _mm_shuffle_epi32(x[j / 2], 0x4E);
  return _mm_xor_si128(x[i / 2], other);
}

// Adds y, which begins with word |at|, to what x holds; its words are known to be 0 from |end| on.
GF2_INLINE void add_at(__m128i* x, size_t at, size_t end, __m128i y) {
  if (at % 2 == 0) {
    add(x[at / 2], y);
  } else {
    add(x[at / 2], _mm_slli_si128(y, 8));
    if (at + 1 < end) add(x[at / 2 + 1], _mm_srli_si128(y, 8));
  }
}

// c = a * b, where c is 0 before and has a register more than the product, which stays 0. Column p
// is the sum of all a_i * b_j with i + j = p. For i < j, both such products come from one: (a_i +
// a_j) * (b_i + b_j) - a_i * b_i - a_j * b_j; so a column takes every a_i * b_i whose i it has at
// all.
template <size_t words>
GF2_INLINE void multiply(const __m128i (&a)[registers(words)], const __m128i (&b)[registers(words)],
                         __m128i (&c)[words + 1]) {
  __m128i same[words], all_same = _mm_setzero_si128();
#pragma GCC unroll 16
  for (size_t k = 0; k < words; ++k) same[k] = mul(a[k / 2], k, b[k / 2], k);
#pragma GCC unroll 32
  for (size_t p = 0; p + 1 < 2 * words; ++p) {
    add(all_same, p < words ? same[p] : same[p - words]);
    __m128i column = all_same;
#pragma GCC unroll 16
    for (size_t i = p < words ? 0 : p - words + 1; 2 * i < p; ++i)
      add(column, mul(sum(a, i, p - i), i, sum(b, i, p - i), i));
    add_at(c, p, 2 * words, column);
  }
}

template <size_t words>
GF2_INLINE void square(const __m128i (&a)[registers(words)], __m128i (&c)[words + 1]) {
#pragma GCC unroll 16
  for (size_t k = 0; k < words; ++k) c[k] = mul(a[k / 2], k, a[k / 2], k);
}

// How a field is reduced: what is above x^(64 * words) folds onto the rest, and what is then left
// from the degree on once more, by products with a short tail or by a trinomial's shifts.
enum Reduction { kShortTail, kTrinomial };

// Multiplication by x^bits: of each word, |low| stays in its place, and |high| goes one word up.
struct Shift {
  __m128i left, right;
};
GF2_INLINE Shift shift_by(unsigned bits) {
  return {_mm_cvtsi32_si128(static_cast<int>(bits)),
          _mm_cvtsi32_si128(static_cast<int>(64 - bits))};
}
GF2_INLINE __m128i low(__m128i x, Shift by) {
  return _mm_sll_epi64(x, by.left);
}
GF2_INLINE __m128i high(__m128i x, Shift by) {
  return _mm_srl_epi64(x, by.right);
}

template <size_t words, Reduction reduction>
GF2_INLINE void reduce(const Gf2Field& field, const __m128i (&c)[words + 1], uint64_t* out) {
  constexpr size_t kEnd = words + (reduction == kTrinomial ? 2 : 1);  // after the first folding
  constexpr size_t kLast = (words - 1) / 2;  // the register with the last word of the result
  constexpr size_t kHigh = words / 2;        // the register with the first word above it
  const Shift by_s = shift_by(field.s);

  __m128i x[registers(kEnd) + 1] = {}, odd[registers(kEnd)] = {};
#pragma GCC unroll 8
  for (size_t k = 0; k < kHigh; ++k) x[k] = c[k];
  if (words % 2 != 0) x[kHigh] = _mm_move_epi64(c[kHigh]);
  if constexpr (reduction == kTrinomial) {
    const Shift by_k_s = shift_by(field.tail_degree + field.s - 64);
    for (size_t k = 0; k < registers(words); ++k) {
      const __m128i h =
          words % 2 == 0 ? c[kHigh + k] : _mm_alignr_epi8(c[kHigh + k + 1], c[kHigh + k], 8);
      add(x[k], low(h, by_s));
      add(odd[k], _mm_xor_si128(high(h, by_s), low(h, by_k_s)));
      add(x[k + 1], high(h, by_k_s));
    }
  } else {
    const __m128i folded = load_one(&field.folded);
#pragma GCC unroll 16
    for (size_t i = 0; i < words; ++i)
      add((i % 2 == 0 ? x : odd)[i / 2], mul(c[(words + i) / 2], words + i, folded, 0));
  }
#pragma GCC unroll 8
  for (size_t k = 0; 2 * k + 1 < kEnd; ++k) add_at(x, 2 * k + 1, kEnd, odd[k]);

  const __m128i last_and_next = words % 2 == 0 ? _mm_alignr_epi8(x[kHigh], x[kLast], 8) : x[kLast];
  const __m128i next = words % 2 == 0 ? x[kHigh] : _mm_alignr_epi8(x[kHigh + 1], x[kHigh], 8);
  const __m128i top = _mm_xor_si128(high(last_and_next, by_s), low(next, by_s));
  const __m128i mask = load_one(&field.last_mask);
  const __m128i ones = _mm_set1_epi32(-1);
  x[kLast] = _mm_and_si128(x[kLast], words % 2 != 0 ? mask : _mm_unpacklo_epi64(ones, mask));
  if constexpr (reduction == kTrinomial) {
    const Shift by_k = shift_by(field.tail_degree - 64);
    add(x[0], top);
    add_at(x, 1, words, low(top, by_k));
    add_at(x, 2, words, high(top, by_k));
  } else {
    add(x[0], mul(top, 0, load_one(field.tail), 0));
  }
  store<words>(x, out);
}

template <size_t words, Reduction reduction>
GF2_FUNCTION void field_multiply(const Gf2Field& field, const uint64_t* a, const uint64_t* b,
                                 uint64_t* out) {
  __m128i x[registers(words)], y[registers(words)], c[words + 1] = {};
  load<words>(a, x);
  load<words>(b, y);
  multiply<words>(x, y, c);
  reduce<words, reduction>(field, c, out);
}

template <size_t words, Reduction reduction>
GF2_FUNCTION void field_square(const Gf2Field& field, const uint64_t* a, uint64_t* out) {
  __m128i x[registers(words)], c[words + 1] = {};
  load<words>(a, x);
  square<words>(x, c);
  reduce<words, reduction>(field, c, out);
}

template <size_t words>
GF2_FUNCTION void multiply_words(const uint64_t* a, const uint64_t* b, uint64_t* out) {
  __m128i x[registers(words)], y[registers(words)], c[words + 1] = {};
  load<words>(a, x);
  load<words>(b, y);
  multiply<words>(x, y, c);
  store<2 * words>(c, out);
}

void multiply_any(const uint64_t* a, const uint64_t* b, size_t words, uint64_t* out) {
  switch (words) {
#define INCORE_GF2_WORDS(n) \
  case n:                   \
    return multiply_words<n>(a, b, out);
    INCORE_GF2_WORDS(1)
    INCORE_GF2_WORDS(2)
    INCORE_GF2_WORDS(3)
    INCORE_GF2_WORDS(4)
    INCORE_GF2_WORDS(5)
    INCORE_GF2_WORDS(6)
    INCORE_GF2_WORDS(7)
    INCORE_GF2_WORDS(8)
    INCORE_GF2_WORDS(9)
#undef INCORE_GF2_WORDS
    default:
      return multiply_by_words(a, b, words, out);
  }
}

// Montgomery's product as two plain ones, which are fast where this is used.
GF2_FUNCTION void montmul_by_products(const Gf2Field& field, const uint64_t* a, const uint64_t* b,
                                      uint64_t* out) {
  field.multiply(field, a, b, out);
  field.multiply(field, out, field.r_inverse, out);
}

template <size_t words, Reduction reduction>
void set_functions(Gf2Field* field) {
  field->multiply = field_multiply<words, reduction>;
  field->square = field_square<words, reduction>;
  field->montmul = montmul_by_products;
}

template <size_t words>
void choose_sparse(Gf2Field* field) {
  if (field->folded != 0) return set_functions<words, kShortTail>(field);
  if constexpr (words >= 3)
    if (field->is_trinomial) set_functions<words, kTrinomial>(field);
}

void choose(Gf2Field* field) {
  field->multiply = field_multiply_by_words;
  field->square = field_square_by_words;
  field->montmul = montmul_by_words;
  constexpr void (*kChooseSparse[kGf2MaxWords])(Gf2Field*) = {
      choose_sparse<1>, choose_sparse<2>, choose_sparse<3>, choose_sparse<4>, choose_sparse<5>,
      choose_sparse<6>, choose_sparse<7>, choose_sparse<8>, choose_sparse<9>};
  kChooseSparse[field->words - 1](field);
}

}  // namespace pairs
