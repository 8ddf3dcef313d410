/* Product and square in GF(2^233), f = x^233 + x^74 + 1, in plain C: what a compiler makes of them
 * for MIPS-I is what the vector programs are measured against. Words are lowest first. The product
 * looks up windows of its operands: not constant-time where there is a data cache. */

typedef unsigned int Word;

enum { kWords = 8 };

/* Elements have 233 bits; |c| has twice as many words, and is used up. */
static void reduce(Word* c, Word* out) {
#pragma GCC unroll 8
  for (int i = 2 * kWords - 1; i >= kWords; --i) { /* x^256 = x^97 + x^23 */
    const Word w = c[i];
    c[i - 8] ^= w << 23;
    c[i - 7] ^= w >> 9;
    c[i - 5] ^= w << 1;
    c[i - 4] ^= w >> 31;
  }
  const Word top = c[7] >> 9;
  out[0] = c[0] ^ top;
  out[1] = c[1];
  out[2] = c[2] ^ top << 10;
  out[3] = c[3] ^ top >> 22;
  for (int i = 4; i < 7; ++i) out[i] = c[i];
  out[7] = c[7] & 0x1FF;
}

/* By windows of four bits of all words of a at once (a comb), with a table of multiples of b, which
 * have room for three bits more. */
void gf2_233_multiply(const Word* a, const Word* b, const Word* f, Word* out) {
  Word table[16][kWords], c[2 * kWords];
  (void)f;
  for (int k = 0; k < 2 * kWords; ++k) c[k] = 0; /* no initializer: it might call memset */
  for (int k = 0; k < kWords; ++k) {
    table[0][k] = 0;
    table[1][k] = b[k];
  }
  for (int i = 2; i < 16; i += 2) {
    const Word* const half = table[i / 2];
    for (int k = kWords - 1; k > 0; --k) table[i][k] = half[k] << 1 | half[k - 1] >> 31;
    table[i][0] = half[0] << 1;
    for (int k = 0; k < kWords; ++k) table[i + 1][k] = table[i][k] ^ b[k];
  }
  for (int shift = 28; shift >= 0; shift -= 4) {
    for (int i = 0; i < kWords; ++i) {
      const Word* const row = table[a[i] >> shift & 15];
#pragma GCC unroll 8
      for (int k = 0; k < kWords; ++k) c[i + k] ^= row[k];
    }
    if (shift != 0) {
#pragma GCC unroll 16
      for (int k = 2 * kWords - 1; k > 0; --k) c[k] = c[k] << 4 | c[k - 1] >> 28;
      c[0] <<= 4;
    }
  }
  reduce(c, out);
}

/* A zero between any two of 16 bits. */
static inline Word spread(Word x) {
  x = (x | x << 8) & 0x00FF00FF;
  x = (x | x << 4) & 0x0F0F0F0F;
  x = (x | x << 2) & 0x33333333;
  return (x | x << 1) & 0x55555555;
}

/* |b|, |f|: as for the product. */
void gf2_233_square(const Word* a, const Word* b, const Word* f, Word* out) {
  Word c[2 * kWords];
  (void)b, (void)f;
#pragma GCC unroll 8
  for (int i = 0; i < kWords; ++i) {
    c[2 * i] = spread(a[i] & 0xFFFF);
    c[2 * i + 1] = spread(a[i] >> 16);
  }
  reduce(c, out);
}
