/* The product modulo 2^255 - 19 in plain C: what a compiler makes of it for MIPS-I is what the
 * vector program is measured against. Words are lowest first, operands any 256 bits. */

typedef unsigned int Word;
typedef unsigned long long DoubleWord;

enum { kWords = 8 };

/* |unused|: the vector program's third argument. The result is below 2^255 + 2^11. */
void field_25519_multiply(const Word* a, const Word* b, const Word* unused, Word* out) {
  Word c[2 * kWords];
  (void)unused;
  for (int k = 0; k < 2 * kWords; ++k) c[k] = 0;
  for (int j = 0; j < kWords; ++j) {
    Word carry = 0;
#pragma GCC unroll 8
    for (int i = 0; i < kWords; ++i) {
      const DoubleWord sum = (DoubleWord)a[i] * b[j] + c[i + j] + carry;
      c[i + j] = (Word)sum;
      carry = (Word)(sum >> 32);
    }
    c[j + kWords] = carry;
  }
  Word carry = 0; /* the upper half times 38 = 2^256 */
#pragma GCC unroll 8
  for (int i = 0; i < kWords; ++i) {
    const DoubleWord sum = (DoubleWord)c[i + kWords] * 38 + c[i] + carry;
    c[i] = (Word)sum;
    carry = (Word)(sum >> 32);
  }
  carry = (carry << 1 | c[kWords - 1] >> 31) * 19; /* what reaches 2^255 */
  c[kWords - 1] &= 0x7FFFFFFF;
#pragma GCC unroll 8
  for (int i = 0; i < kWords; ++i) {
    const Word sum = c[i] + carry;
    carry = sum < carry;
    out[i] = sum;
  }
}
