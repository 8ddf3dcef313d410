// Registers for gf2_pairs.h: vector registers and vpmsumd (Power ISA 2.07B). No #pragma once: each
// kernel has its own.
//
// The upper word is on the left. vpmsumd adds the products of both words, so each does two of the
// products of a column.

GF2_INLINE Pair pair(uint64_t low, uint64_t high) {
  return power8::VectorFrom64BE(high, low);
}
GF2_INLINE Product clmul(uint64_t a, uint64_t b) {
  const Pair x = power8::vpmsumd(pair(a, 0), pair(b, 0));
  return {power8::VectorRight64BE(x), power8::VectorLeft64BE(x)};
}

// Words lie in memory as the elements of a native vector; on big-endian machines its first is on
// the left.
GF2_INLINE Pair exchange(Pair x) {
  return power8::VectorRotateLeftBE<8>(x);
}
GF2_INLINE Pair load_pair(const uint64_t* p) {
  const Pair x = power8::as_u64(power8::VectorLoadu(p));
  return power8::kLittleEndian ? x : exchange(x);
}
GF2_INLINE Pair load_one(const uint64_t* p) {
  return pair(*p, 0);
}
GF2_INLINE void store_pair(uint64_t* out, Pair x) {
  power8::VectorStoreu(power8::as_u8(power8::kLittleEndian ? x : exchange(x)), out);
}
GF2_INLINE void store_one(uint64_t* out, Pair x) {
  *out = power8::VectorRight64BE(x);
}

GF2_INLINE void add(Pair& x, Pair y) {
  x = vec_xor(x, y);
}
GF2_INLINE Pair mask(Pair x, Pair m) {
  return vec_and(x, m);
}
GF2_INLINE Pair up(Pair x) {
  return power8::VectorShiftLeftBE<8>(x, Pair{});
}
GF2_INLINE Pair down(Pair x) {
  return power8::VectorShiftLeftBE<8>(Pair{}, x);
}
GF2_INLINE Pair middle(Pair high, Pair low) {
  return power8::VectorShiftLeftBE<8>(high, low);
}

// The instruction takes the number of bits modulo 64, so a shift by 64 is one by 1 and one by 63.
GF2_INLINE Shift shift_by(unsigned bits) {
  return {pair(bits, bits), pair(63 - bits, 63 - bits)};
}
GF2_INLINE Pair low(Pair x, Shift by) {
  return vec_sl(x, by.left);
}
GF2_INLINE Pair high(Pair x, Shift by) {
  return vec_sr(vec_sr(x, pair(1, 1)), by.right);
}

GF2_INLINE Pair multiply_word(Pair x, size_t i, Pair y) {
  return power8::vpmsumd(x, i % 2 == 0 ? y : exchange(y));
}
GF2_INLINE Pair square_word(Pair x, size_t i) {
  return power8::vpmsumd(x, mask(x, i % 2 == 0 ? pair(~uint64_t{0}, 0) : pair(0, ~uint64_t{0})));
}

// The words of a come as they are, two neighbours at a time. Those of b that they meet in a column
// are neighbours too, in the opposite order: of one register, exchanged, in odd columns, and of two
// registers in even ones.
template <size_t words>
GF2_INLINE void multiply(const Pair (&a)[registers(words)], const Pair (&b)[registers(words)],
                         Pair (&c)[words + 1]) {
  constexpr size_t kRegisters = registers(words);
  Pair exchanged[kRegisters], crossed[kRegisters + 1];
#pragma GCC unroll 8
  for (size_t k = 0; k < kRegisters; ++k) {
    exchanged[k] = exchange(b[k]);
    crossed[k] = middle(k == 0 ? Pair{} : exchanged[k - 1], exchanged[k]);
  }
  crossed[kRegisters] = up(exchanged[kRegisters - 1]);
#pragma GCC unroll 32
  for (size_t p = 0; p + 1 < 2 * words; ++p) {
    const Pair* const factors = p % 2 == 0 ? crossed : exchanged;
    const size_t num_factors = p % 2 == 0 ? words / 2 + 1 : kRegisters;
    Pair column = {};
#pragma GCC unroll 8
    for (size_t i = 0; i < kRegisters; ++i)
      if (i <= p / 2 && p / 2 - i < num_factors)
        add(column, power8::vpmsumd(a[i], factors[p / 2 - i]));
    add_at(c, p, 2 * words, column);
  }
}
