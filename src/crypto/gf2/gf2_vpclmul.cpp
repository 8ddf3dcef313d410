// Polynomials over GF(2) with VPCLMULQDQ on 512-bit registers (Intel SDM): products of six to eight
// words, also modulo the polynomials of sparse fields. Four products of words are computed at a
// time, so all of them are, without Karatsuba's sums. Less words, and squares, are faster in 128
// bits (gf2_pairs.h), where nothing has to cross from one part of a register to another.
#if defined(__x86_64__)

#if !defined(__clang__)  // GCC 12 warns of its own header (PR 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "base/wipe.h"
#include "crypto/gf2/gf2_kernel.h"

#define VPCLMUL __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,vpclmulqdq,pclmul")))
#define VPCLMUL_INLINE VPCLMUL __attribute__((always_inline)) inline
#define GF2_FUNCTION VPCLMUL
#define GF2_INLINE VPCLMUL_INLINE
#define GF2_PAIR __m128i
#define GF2_REGISTERS "crypto/gf2/gf2_registers_x86.h"

namespace incore {
namespace {

#include "crypto/gf2/gf2_pairs.h"

constexpr size_t kMinWords = 6, kMaxWords = 8;

constexpr __mmask8 first_words(size_t n) {
  return static_cast<__mmask8>((1u << n) - 1);
}

VPCLMUL_INLINE __m512i add(__m512i a, __m512i b) {
  return _mm512_xor_si512(a, b);
}
VPCLMUL_INLINE __m512i add(__m512i a, __m512i b, __m512i c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

// high:low without its lowest |words| words.
template <size_t words>
VPCLMUL_INLINE __m512i without(__m512i high, __m512i low) {
  if constexpr (words == 8)
    return high;
  else
    return _mm512_alignr_epi64(high, low, words);
}
// x moved up by |words| words.
template <size_t words>
VPCLMUL_INLINE __m512i up(__m512i x) {
  return _mm512_alignr_epi64(x, _mm512_setzero_si512(), 8 - words);
}

template <size_t words>
VPCLMUL_INLINE __m512i load(const uint64_t* p) {
  return _mm512_maskz_loadu_epi64(first_words(words), p);
}
// Not under a mask: what follows such a store would have to wait for it.
template <size_t words>
VPCLMUL_INLINE void store(uint64_t* out, __m512i x) {
  if constexpr (words == 8) {
    _mm512_storeu_si512(out, x);
  } else {
    __m256i rest = _mm512_castsi512_si256(x);
    if constexpr (words >= 4) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), rest);
      rest = _mm512_extracti64x4_epi64(x, 1);
    }
    constexpr size_t kAt = words / 4 * 4;
    __m128i last = _mm256_castsi256_si128(rest);
    if constexpr (words % 4 >= 2) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + kAt), last);
      last = _mm256_extracti128_si256(rest, 1);
    }
    if constexpr (words % 2 != 0)
      _mm_storel_epi64(reinterpret_cast<__m128i*>(out + words - 1), last);
  }
}

// Words 0 to 7 and 8 to 15 of a product.
struct Wide {
  __m512i low, high;
};

// Column k has the products of the even words of b with word k of a, and of
// the odd words of b with word k - 1; they begin k, k + 2, ... words up. The vectors of b are
// rotated to where these have their place; a mask tells those that are carried into the upper
// register.
template <size_t words>
VPCLMUL_INLINE Wide multiply(const uint64_t* a, const uint64_t* b) {
  const __m512i y = load<words>(b);
  const __m512i rotated[4] = {y, _mm512_alignr_epi64(y, y, 6), _mm512_alignr_epi64(y, y, 4),
                              _mm512_alignr_epi64(y, y, 2)};
  __m512i low[2] = {}, high[2] = {};  // of even and of odd columns
#pragma GCC unroll 16
  for (size_t k = 0; k <= words; ++k) {
    const size_t vectors_up = k / 2;
    const __m512i ys = rotated[vectors_up % 4];
    __m512i column = _mm512_setzero_si512();
    if (k < words)
      column = _mm512_clmulepi64_epi128(ys, _mm512_set1_epi64(static_cast<long long>(a[k])), 0x00);
    if (k > 0)
      column = add(column, _mm512_clmulepi64_epi128(
                               ys, _mm512_set1_epi64(static_cast<long long>(a[k - 1])), 0x01));
    const __mmask8 stays = static_cast<__mmask8>(0xFF << 2 * vectors_up);
    low[k % 2] = _mm512_mask_xor_epi64(low[k % 2], stays, low[k % 2], column);
    if (vectors_up + (words + 1) / 2 > 4)
      high[k % 2] =
          _mm512_mask_xor_epi64(high[k % 2], static_cast<__mmask8>(~stays), high[k % 2], column);
  }
  return {add(low[0], up<1>(low[1])), add(high[0], _mm512_alignr_epi64(high[1], low[1], 7))};
}

using pairs::kShortTail, pairs::kTrinomial, pairs::Reduction, pairs::Shift, pairs::shift_by;

VPCLMUL_INLINE __m512i low(__m512i x, Shift by) {
  return _mm512_sll_epi64(x, by.left);
}
VPCLMUL_INLINE __m512i high(__m512i x, Shift by) {
  return _mm512_srl_epi64(x, by.right);
}

// The same as pairs::reduce, with all words side by side.
template <size_t words, Reduction reduction>
VPCLMUL_INLINE void reduce(const Gf2Field& field, const Wide& c, uint64_t* out) {
  const __m512i zero = _mm512_setzero_si512();
  const Shift by_s = shift_by(field.s);
  const __m512i h = without<words>(c.high, c.low);
  __m512i x = _mm512_maskz_mov_epi64(first_words(words), c.low);
  if constexpr (reduction == kTrinomial) {
    const Shift by_k_s = shift_by(field.tail_degree + field.s - 64);
    x = add(x, low(h, by_s), up<1>(add(high(h, by_s), low(h, by_k_s))));
    x = add(x, up<2>(high(h, by_k_s)));
  } else {
    const __m512i folded = _mm512_set1_epi64(static_cast<long long>(field.folded));
    x = add(x, _mm512_clmulepi64_epi128(h, folded, 0x00),
            up<1>(_mm512_clmulepi64_epi128(h, folded, 0x01)));
  }

  const __m512i top =
      add(high(without<words - 1>(zero, x), by_s), low(without<words>(zero, x), by_s));
  constexpr __mmask8 kLast = 1 << (words - 1);
  x = _mm512_mask_and_epi64(x, kLast, x,
                            _mm512_set1_epi64(static_cast<long long>(field.last_mask)));
  if constexpr (reduction == kTrinomial) {
    const Shift by_k = shift_by(field.tail_degree - 64);
    x = add(x, top, up<1>(low(top, by_k)));
    x = add(x, up<2>(high(top, by_k)));
  } else {
    const __m512i tail =
        _mm512_zextsi128_si512(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(field.tail)));
    x = add(x, _mm512_clmulepi64_epi128(top, tail, 0x00));
  }
  store<words>(out, x);
}

template <size_t words, Reduction reduction>
VPCLMUL void field_multiply(const Gf2Field& field, const uint64_t* a, const uint64_t* b,
                            uint64_t* out) {
  reduce<words, reduction>(field, multiply<words>(a, b), out);
}

template <size_t words>
VPCLMUL void multiply_words(const uint64_t* a, const uint64_t* b, uint64_t* out) {
  const Wide c = multiply<words>(a, b);
  store<8>(out, c.low);
  store<2 * words - 8>(out + 8, c.high);
}

void multiply_any(const uint64_t* a, const uint64_t* b, size_t words, uint64_t* out) {
  constexpr void (*kMultiply[])(const uint64_t*, const uint64_t*, uint64_t*) = {
      multiply_words<6>, multiply_words<7>, multiply_words<8>};
  if (words < kMinWords || words > kMaxWords) return pairs::multiply_any(a, b, words, out);
  kMultiply[words - kMinWords](a, b, out);
}

template <size_t words>
void choose_sparse(Gf2Field* field) {
  // What the first folding leaves, of at most degree - 2 + tail_degree, has to fit the register.
  if (field->degree + field->tail_degree > 513) return;
  if (field->folded != 0) field->multiply = field_multiply<words, kShortTail>;
  if (field->is_trinomial) field->multiply = field_multiply<words, kTrinomial>;
}

void choose(Gf2Field* field) {
  constexpr void (*kChooseSparse[])(Gf2Field*) = {choose_sparse<6>, choose_sparse<7>,
                                                  choose_sparse<8>};
  pairs::choose(field);
  if (field->words >= kMinWords && field->words <= kMaxWords)
    kChooseSparse[field->words - kMinWords](field);
}

}  // namespace

constinit const Gf2Kernel gf2_vpclmul = {
    {"vpclmul",
     FeatureSet(Feature::avx512, Feature::vpclmulqdq, Feature::pclmulqdq, Feature::sse4_1)},
    multiply_any,
    choose};

}  // namespace incore

#endif
