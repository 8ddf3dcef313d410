/* The Montgomery product in GF(2^191), a * b * x^(-192) mod f, in plain C: what a compiler makes of
 * it for MIPS-I is what the vector programs are measured against. Words are lowest first. Not
 * constant-time. */

typedef unsigned int Word;

enum { kWords = 6 };

/* Bit by bit, for any f with the term 1. */
void gf2_191_product(const Word* a, const Word* b, const Word* f, Word* out) {
  Word c[kWords];
  for (int k = 0; k < kWords; ++k) c[k] = 0; /* no initializer: it might call memset */
  for (int i = 0; i < 32 * kWords; ++i) {
    if ((a[i / 32] >> i % 32 & 1) != 0)
      for (int k = 0; k < kWords; ++k) c[k] ^= b[k];
    if ((c[0] & 1) != 0)
      for (int k = 0; k < kWords; ++k) c[k] ^= f[k];
    for (int k = 0; k < kWords - 1; ++k) c[k] = c[k] >> 1 | c[k + 1] << 31;
    c[kWords - 1] >>= 1;
  }
  for (int k = 0; k < kWords; ++k) out[k] = c[k];
}

/* For f = x^191 + x^9 + 1 alone: the whole product by windows of four bits of all words of a at
 * once (a comb), with a table of multiples of b, then a word at a time made 0. */
void gf2_191_product_comb(const Word* a, const Word* b, const Word* f, Word* out) {
  Word table[16][kWords], c[2 * kWords];
  (void)f;
  for (int k = 0; k < 2 * kWords; ++k) c[k] = 0;
  for (int k = 0; k < kWords; ++k) {
    table[0][k] = 0;
    table[1][k] = b[k];
  }
  for (int i = 2; i < 16; i += 2) { /* b has 191 bits: b * x^3 needs a word more, see below */
    const Word* const half = table[i / 2];
    for (int k = kWords - 1; k > 0; --k) table[i][k] = half[k] << 1 | half[k - 1] >> 31;
    table[i][0] = half[0] << 1;
    for (int k = 0; k < kWords; ++k) table[i + 1][k] = table[i][k] ^ b[k];
  }
  for (int shift = 28; shift >= 0; shift -= 4) {
    for (int i = 0; i < kWords; ++i) {
      const Word window = a[i] >> shift & 15;
      const Word top = b[kWords - 1];
      for (int k = 0; k < kWords; ++k) c[i + k] ^= table[window][k];
      c[i + kWords] ^= (window & 2 ? top >> 31 : 0) ^ (window & 4 ? top >> 30 : 0) ^
                       (window & 8 ? top >> 29 : 0);
    }
    if (shift != 0) {
      for (int k = 2 * kWords - 1; k > 0; --k) c[k] = c[k] << 4 | c[k - 1] >> 28;
      c[0] <<= 4;
    }
  }
  for (int i = 0; i < kWords; ++i) {
    const Word w = c[i], q = w ^ w << 9 ^ w << 18 ^ w << 27; /* w / (x^9 + 1) modulo x^32 */
    c[i + 1] ^= q >> 23;                                     /* what q * (x^9 + 1) has above c[i] */
    c[i + 5] ^= q << 31;                                     /* q * x^191 */
    c[i + 6] ^= q >> 1;
  }
  for (int k = 0; k < kWords; ++k) out[k] = c[k + kWords];
}
