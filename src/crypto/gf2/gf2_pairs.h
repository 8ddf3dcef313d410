// What kernels do with two words in a register of 128 bits and the product of any two words:
// included by a kernel within its namespace, where it makes the namespace pairs, with GF2_FUNCTION
// and GF2_INLINE as the attributes of functions that may use its instructions, GF2_PAIR as a
// register, and GF2_REGISTERS as the header with what is declared here (gf2_registers_<isa>.h). On
// x86 the same code runs a tenth faster in the encodings of AVX.
//
// Products of up to nine words are unrolled. Fields with a short tail and trinomials are folded,
// other fields go word by word.
//
// No #pragma once: each kernel has its own.

namespace pairs {

struct Product {
  uint64_t low, high;
};

// Registers that hold |words| words.
constexpr size_t registers(size_t words) {
  return (words + 1) / 2;
}

using Pair = GF2_PAIR;

GF2_INLINE Product clmul(uint64_t a, uint64_t b);
GF2_INLINE Pair pair(uint64_t low, uint64_t high);
GF2_INLINE Pair load_pair(const uint64_t* p);
GF2_INLINE Pair load_one(const uint64_t* p);  // 0 in the upper word
GF2_INLINE void store_pair(uint64_t* out, Pair x);
GF2_INLINE void store_one(uint64_t* out, Pair x);  // the lower word
GF2_INLINE void add(Pair& x, Pair y);
GF2_INLINE Pair mask(Pair x, Pair m);
GF2_INLINE Pair up(Pair x);  // by one word; 0 comes after
GF2_INLINE Pair down(Pair x);
GF2_INLINE Pair middle(Pair high, Pair low);  // the lower word of |high| above the upper of |low|

// Multiplication by x^bits, bits < 64: of each word, |low| stays in its place, and |high| goes one
// word up.
struct Shift {
  Pair left, right;
};
GF2_INLINE Shift shift_by(unsigned bits);
GF2_INLINE Pair low(Pair x, Shift by);
GF2_INLINE Pair high(Pair x, Shift by);

GF2_INLINE Pair multiply_word(Pair x, size_t i, Pair y);  // word i % 2 of x by y, a single word
GF2_INLINE Pair square_word(Pair x, size_t i);            // of word i % 2

// Adds y, which begins with word |at|, to what x holds; its words are known to be 0 from |end| on.
GF2_INLINE void add_at(Pair* x, size_t at, size_t end, Pair y) {
  if (at % 2 == 0) {
    add(x[at / 2], y);
  } else {
    add(x[at / 2], up(y));
    if (at + 1 < end) add(x[at / 2 + 1], down(y));
  }
}

// c = a * b, where c is 0 before and has a register more than the product, which stays 0. Column p
// is the sum of all a_i * b_j with i + j = p.
template <size_t words>
GF2_INLINE void multiply(const Pair (&a)[registers(words)], const Pair (&b)[registers(words)],
                         Pair (&c)[words + 1]);

#include GF2_REGISTERS

#include "crypto/gf2/gf2_words.h"

template <size_t words>
GF2_INLINE void load(const uint64_t* p, Pair (&out)[registers(words)]) {
#pragma GCC unroll 8
  for (size_t k = 0; k < words / 2; ++k) out[k] = load_pair(p + 2 * k);
  if (words % 2 != 0) out[words / 2] = load_one(p + words - 1);
}

template <size_t words>
GF2_INLINE void store(const Pair* x, uint64_t* out) {
#pragma GCC unroll 16
  for (size_t k = 0; k < words / 2; ++k) store_pair(out + 2 * k, x[k]);
  if (words % 2 != 0) store_one(out + words - 1, x[words / 2]);
}

template <size_t words>
GF2_INLINE void square(const Pair (&a)[registers(words)], Pair (&c)[words + 1]) {
#pragma GCC unroll 16
  for (size_t k = 0; k < words; ++k) c[k] = square_word(a[k / 2], k);
}

// How a field is reduced: what is above x^(64 * words) folds onto the rest, and what is then left
// from the degree on once more, by products with a short tail or by a trinomial's shifts.
enum Reduction { kShortTail, kTrinomial };

template <size_t words, Reduction reduction>
GF2_INLINE void reduce(const Gf2Field& field, const Pair (&c)[words + 1], uint64_t* out) {
  constexpr size_t kEnd = words + (reduction == kTrinomial ? 2 : 1);  // after the first folding
  constexpr size_t kLast = (words - 1) / 2;  // the register with the last word of the result
  constexpr size_t kHigh = words / 2;        // the register with the first word above it
  const Shift by_s = shift_by(field.s);

  Pair x[registers(kEnd) + 1] = {}, odd[registers(kEnd)] = {};
#pragma GCC unroll 8
  for (size_t k = 0; k < kHigh; ++k) x[k] = c[k];
  if (words % 2 != 0) x[kHigh] = mask(c[kHigh], pair(~uint64_t{0}, 0));
  if constexpr (reduction == kTrinomial) {
    const Shift by_k_s = shift_by(field.tail_degree + field.s - 64);
    for (size_t k = 0; k < registers(words); ++k) {
      const Pair h = words % 2 == 0 ? c[kHigh + k] : middle(c[kHigh + k + 1], c[kHigh + k]);
      add(x[k], low(h, by_s));
      add(odd[k], high(h, by_s));
      add(odd[k], low(h, by_k_s));
      add(x[k + 1], high(h, by_k_s));
    }
  } else {
    const Pair folded = load_one(&field.folded);
#pragma GCC unroll 16
    for (size_t i = 0; i < words; ++i)
      add((i % 2 == 0 ? x : odd)[i / 2], multiply_word(c[(words + i) / 2], words + i, folded));
  }
#pragma GCC unroll 8
  for (size_t k = 0; 2 * k + 1 < kEnd; ++k) add_at(x, 2 * k + 1, kEnd, odd[k]);

  const Pair last_and_next = words % 2 == 0 ? middle(x[kHigh], x[kLast]) : x[kLast];
  const Pair next = words % 2 == 0 ? x[kHigh] : middle(x[kHigh + 1], x[kHigh]);
  Pair top = high(last_and_next, by_s);
  add(top, low(next, by_s));
  x[kLast] = mask(
      x[kLast], words % 2 != 0 ? load_one(&field.last_mask) : pair(~uint64_t{0}, field.last_mask));
  if constexpr (reduction == kTrinomial) {
    const Shift by_k = shift_by(field.tail_degree - 64);
    add(x[0], top);
    add_at(x, 1, words, low(top, by_k));
    add_at(x, 2, words, high(top, by_k));
  } else {
    add(x[0], multiply_word(top, 0, load_one(field.tail)));
  }
  store<words>(x, out);
}

template <size_t words, Reduction reduction>
GF2_FUNCTION void field_multiply(const Gf2Field& field, const uint64_t* a, const uint64_t* b,
                                 uint64_t* out) {
  Pair x[registers(words)], y[registers(words)], c[words + 1] = {};
  load<words>(a, x);
  load<words>(b, y);
  multiply<words>(x, y, c);
  reduce<words, reduction>(field, c, out);
}

template <size_t words, Reduction reduction>
GF2_FUNCTION void field_square(const Gf2Field& field, const uint64_t* a, uint64_t* out) {
  Pair x[registers(words)], c[words + 1] = {};
  load<words>(a, x);
  square<words>(x, c);
  reduce<words, reduction>(field, c, out);
}

template <size_t words>
GF2_FUNCTION void multiply_words(const uint64_t* a, const uint64_t* b, uint64_t* out) {
  Pair x[registers(words)], y[registers(words)], c[words + 1] = {};
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
