// Registers for gf2_pairs.h: XMM registers, PCLMULQDQ and SSE4.1 (Intel SDM). No #pragma once: each
// kernel has its own.

GF2_INLINE Pair pair(uint64_t low, uint64_t high) {
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}
GF2_INLINE Pair load_pair(const uint64_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const Pair*>(p));
}
GF2_INLINE Pair load_one(const uint64_t* p) {
  return _mm_loadl_epi64(reinterpret_cast<const Pair*>(p));
}
GF2_INLINE void store_pair(uint64_t* out, Pair x) {
  _mm_storeu_si128(reinterpret_cast<Pair*>(out), x);
}
GF2_INLINE void store_one(uint64_t* out, Pair x) {
  _mm_storel_epi64(reinterpret_cast<Pair*>(out), x);
}

GF2_INLINE void add(Pair& x, Pair y) {
  x = _mm_xor_si128(x, y);
}
GF2_INLINE Pair mask(Pair x, Pair m) {
  return _mm_and_si128(x, m);
}
GF2_INLINE Pair up(Pair x) {
  return _mm_slli_si128(x, 8);
}
GF2_INLINE Pair down(Pair x) {
  return _mm_srli_si128(x, 8);
}
GF2_INLINE Pair middle(Pair high, Pair low) {
  return _mm_alignr_epi8(high, low, 8);
}

GF2_INLINE Shift shift_by(unsigned bits) {
  return {_mm_cvtsi32_si128(static_cast<int>(bits)),
          _mm_cvtsi32_si128(static_cast<int>(64 - bits))};
}
GF2_INLINE Pair low(Pair x, Shift by) {
  return _mm_sll_epi64(x, by.left);
}
GF2_INLINE Pair high(Pair x, Shift by) {
  return _mm_srl_epi64(x, by.right);
}

// Word i % 2 of x times word j % 2 of y.
GF2_INLINE Pair mul(Pair x, size_t i, Pair y, size_t j) {
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
GF2_INLINE Pair multiply_word(Pair x, size_t i, Pair y) {
  return mul(x, i, y, 0);
}
GF2_INLINE Pair square_word(Pair x, size_t i) {
  return mul(x, i, x, i);
}

// Word i plus word j of what x holds, in the place of word i.
GF2_INLINE Pair sum(const Pair* x, size_t i, size_t j) {
  const Pair other = i % 2 == j % 2 ? x[j / 2] : _mm_shuffle_epi32(x[j / 2], 0x4E);
  return _mm_xor_si128(x[i / 2], other);
}

// By Karatsuba's saving: for i < j, both products of a column come from one, (a_i + a_j) * (b_i +
// b_j) - a_i * b_i - a_j * b_j. So a column takes every a_i * b_i whose i it has at all.
template <size_t words>
GF2_INLINE void multiply(const Pair (&a)[registers(words)], const Pair (&b)[registers(words)],
                         Pair (&c)[words + 1]) {
  Pair same[words], all_same = _mm_setzero_si128();
#pragma GCC unroll 16
  for (size_t k = 0; k < words; ++k) same[k] = mul(a[k / 2], k, b[k / 2], k);
#pragma GCC unroll 32
  for (size_t p = 0; p + 1 < 2 * words; ++p) {
    add(all_same, p < words ? same[p] : same[p - words]);
    Pair column = all_same;
#pragma GCC unroll 16
    for (size_t i = p < words ? 0 : p - words + 1; 2 * i < p; ++i)
      add(column, mul(sum(a, i, p - i), i, sum(b, i, p - i), i));
    add_at(c, p, 2 * words, column);
  }
}

GF2_INLINE Product clmul(uint64_t a, uint64_t b) {
  Product product;
  store_pair(&product.low, _mm_clmulepi64_si128(pair(a, 0), pair(b, 0), 0x00));
  return product;
}
