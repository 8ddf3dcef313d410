/* Montgomery's product of integers of 1024 bits, a * b / 2^1024 mod n up to one n, in plain C: what
 * a compiler makes of it for MIPS-I is what the vector programs are measured against. A word of a
 * at a time, product and reduction in turn; words are lowest first. */

typedef unsigned int Word;
typedef unsigned long long DoubleWord;

enum { kWords = 32 };

/* out = out + a * b; returns the carry. */
static inline Word add_product(Word* out, const Word* a, Word b) {
  Word carry = 0;
  for (int i = 0; i < kWords; ++i) {
    const DoubleWord sum = (DoubleWord)a[i] * b + out[i] + carry;
    out[i] = (Word)sum;
    carry = (Word)(sum >> 32);
  }
  return carry;
}

/* |out| has kWords + 1 words. */
void montmul_1024(const Word* a, const Word* b, const Word* n, Word* out, Word n0_prime) {
  Word c[kWords + 1];
  for (int i = 0; i <= kWords; ++i) c[i] = 0; /* no initializer: it would call memset */
  for (int j = 0; j < kWords; ++j) {
    const DoubleWord sum = (DoubleWord)c[kWords] + add_product(c, b, a[j]);
    const DoubleWord top = (sum & 0xFFFFFFFF) + add_product(c, n, c[0] * n0_prime);
    for (int i = 0; i < kWords - 1; ++i) c[i] = c[i + 1];
    c[kWords - 1] = (Word)top;
    c[kWords] = (Word)(sum >> 32) + (Word)(top >> 32);
  }
  for (int i = 0; i <= kWords; ++i) out[i] = c[i];
}
