// Polynomials over GF(2) with PCLMULQDQ (Intel SDM), two words in a register. Products of up to
// nine words are unrolled, with Karatsuba's saving for every pair of words. Sparse fields fold what
// is above x^(64 * words) with their tail, three times, until nothing is left; other fields go word
// by word. Encodings without VEX, so that the code runs where the system does not save AVX
// registers.
#if defined(__x86_64__) || defined(__i386__)

#include <emmintrin.h>
#include <wmmintrin.h>

#include "base/wipe.h"
#include "crypto/gf2/gf2_kernel.h"

#define PCLMUL __attribute__((target("pclmul,sse4.1")))
#define PCLMUL_INLINE PCLMUL __attribute__((always_inline)) inline
#define GF2_FUNCTION PCLMUL

namespace incore {
namespace {

struct Product {
  uint64_t low, high;
};

PCLMUL_INLINE Product clmul(uint64_t a, uint64_t b) {
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

PCLMUL_INLINE __m128i load_one(const uint64_t* p) {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
}
PCLMUL_INLINE __m128i load_two(const uint64_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}

template <size_t words>
PCLMUL_INLINE void load(const uint64_t* p, __m128i (&out)[registers(words)]) {
#pragma GCC unroll 8
  for (size_t k = 0; k < words / 2; ++k) out[k] = load_two(p + 2 * k);
  if (words % 2 != 0) out[words / 2] = load_one(p + words - 1);
}

template <size_t words>
PCLMUL_INLINE void store(const __m128i* x, uint64_t* out) {
#pragma GCC unroll 16
  for (size_t k = 0; k < words / 2; ++k)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 2 * k), x[k]);
  if (words % 2 != 0) _mm_storel_epi64(reinterpret_cast<__m128i*>(out + words - 1), x[words / 2]);
}

// Word i % 2 of x times word j % 2 of y.
PCLMUL_INLINE __m128i mul(__m128i x, size_t i, __m128i y, size_t j) {
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

PCLMUL_INLINE void add(__m128i& x, __m128i y) {
  x = _mm_xor_si128(x, y);
}

// Word i plus word j of what x holds, in the place of word i.
PCLMUL_INLINE __m128i sum(const __m128i* x, size_t i, size_t j) {
  const __m128i other = i % 2 == j % 2 ? x[j / 2] : _mm_shuffle_epi32(x[j / 2], 0x4E);
  return _mm_xor_si128(x[i / 2], other);
}

// Adds y, which begins with word |at|, to what x holds; its words are known to be 0 from |end| on.
PCLMUL_INLINE void add_at(__m128i* x, size_t at, size_t end, __m128i y) {
  if (at % 2 == 0) {
    add(x[at / 2], y);
  } else {
    add(x[at / 2], _mm_slli_si128(y, 8));
    if (at + 1 < end) add(x[at / 2 + 1], _mm_srli_si128(y, 8));
  }
}

// c = a * b, where c is 0 before. Column p is the sum of all a_i * b_j with i + j = p. For i < j,
// both such products come from one: (a_i + a_j) * (b_i + b_j) - a_i * b_i - a_j * b_j; so a column
// takes every a_i * b_i whose i it has at all.
template <size_t words>
PCLMUL_INLINE void multiply(const __m128i (&a)[registers(words)],
                            const __m128i (&b)[registers(words)], __m128i (&c)[words]) {
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
PCLMUL_INLINE void square(const __m128i (&a)[registers(words)], __m128i (&c)[words]) {
#pragma GCC unroll 16
  for (size_t k = 0; k < words; ++k) c[k] = mul(a[k / 2], k, a[k / 2], k);
}

// c modulo the field's polynomial, for 2 * words words.
template <size_t words, size_t num_folded>
PCLMUL_INLINE void reduce(const Gf2Field& field, const __m128i (&c)[words], uint64_t* out) {
  constexpr size_t kEnd = words + num_folded;  // of what the first folding leaves
  constexpr size_t kLast = (words - 1) / 2;    // the register with the last word of the result
  const __m128i folded = _mm_load_si128(reinterpret_cast<const __m128i*>(field.folded));
  const __m128i tail = load_two(field.tail);

  __m128i x[registers(kEnd)] = {}, odd[registers(kEnd)] = {};
#pragma GCC unroll 8
  for (size_t k = 0; k < words / 2; ++k) x[k] = c[k];
  if (words % 2 != 0) x[words / 2] = _mm_move_epi64(c[words / 2]);
#pragma GCC unroll 16
  for (size_t i = 0; i < words; ++i)
#pragma GCC unroll 2
    for (size_t j = 0; j < num_folded; ++j) {
      const size_t p = i + j;
      add((p % 2 == 0 ? x : odd)[p / 2], mul(c[(words + i) / 2], words + i, folded, j));
    }
#pragma GCC unroll 8
  for (size_t k = 0; 2 * k + 1 < kEnd; ++k) add_at(x, 2 * k + 1, kEnd, odd[k]);

    // The words above, each at most twice: they reach words 0 to 2 of the result.
#pragma GCC unroll 2
  for (size_t i = 0; i < num_folded; ++i)
#pragma GCC unroll 2
    for (size_t j = 0; j < num_folded; ++j)
      add_at(x, i + j, words, mul(x[(words + i) / 2], words + i, folded, j));

  // The bits of the last word from the degree on.
  const __m128i above = _mm_srl_epi64(x[kLast], _mm_cvtsi32_si128(static_cast<int>(64 - field.s)));
#pragma GCC unroll 2
  for (size_t j = 0; j < num_folded; ++j) add_at(x, j, words, mul(above, words - 1, tail, j));
  const __m128i mask = load_one(&field.last_mask);
  const __m128i ones = _mm_set1_epi32(-1);
  x[kLast] = _mm_and_si128(x[kLast], words % 2 != 0 ? mask : _mm_unpacklo_epi64(ones, mask));
  store<words>(x, out);
}

template <size_t words, size_t num_folded>
PCLMUL void field_multiply(const Gf2Field& field, const uint64_t* a, const uint64_t* b,
                           uint64_t* out) {
  __m128i x[registers(words)], y[registers(words)], c[words] = {};
  load<words>(a, x);
  load<words>(b, y);
  multiply<words>(x, y, c);
  reduce<words, num_folded>(field, c, out);
}

template <size_t words, size_t num_folded>
PCLMUL void field_square(const Gf2Field& field, const uint64_t* a, uint64_t* out) {
  __m128i x[registers(words)], c[words];
  load<words>(a, x);
  square<words>(x, c);
  reduce<words, num_folded>(field, c, out);
}

template <size_t words>
PCLMUL void multiply_words(const uint64_t* a, const uint64_t* b, uint64_t* out) {
  __m128i x[registers(words)], y[registers(words)], c[words] = {};
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

template <size_t words, size_t num_folded>
void choose_sparse(Gf2Field* field) {
  field->multiply = field_multiply<words, num_folded>;
  field->square = field_square<words, num_folded>;
}

using Choose = void(Gf2Field*);
constexpr Choose* kSparse[kGf2MaxWords][2] = {
    {choose_sparse<1, 1>, choose_sparse<1, 1>}, {choose_sparse<2, 1>, choose_sparse<2, 1>},
    {choose_sparse<3, 1>, choose_sparse<3, 2>}, {choose_sparse<4, 1>, choose_sparse<4, 2>},
    {choose_sparse<5, 1>, choose_sparse<5, 2>}, {choose_sparse<6, 1>, choose_sparse<6, 2>},
    {choose_sparse<7, 1>, choose_sparse<7, 2>}, {choose_sparse<8, 1>, choose_sparse<8, 2>},
    {choose_sparse<9, 1>, choose_sparse<9, 2>},
};

void choose(Gf2Field* field) {
  field->multiply = field_multiply_by_words;
  field->square = field_square_by_words;
  field->montmul = montmul_by_words;
  if (field->num_folded != 0) kSparse[field->words - 1][field->num_folded - 1](field);
}

}  // namespace

constinit const Gf2Kernel gf2_pclmul = {
    {"pclmul", FeatureSet(Feature::pclmulqdq, Feature::sse41)}, multiply_any, choose};

}  // namespace incore

#endif
