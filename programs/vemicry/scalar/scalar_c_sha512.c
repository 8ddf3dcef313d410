/* SHA-512 (FIPS 180-4, section 6.4.2) in plain C: what a compiler makes of it for MIPS-I is what
 * the vector program is measured against. */

typedef unsigned long long Word;

#define ROTR(n, x) ((x) >> (n) | (x) << (64 - (n)))

/* |H| 8 words, |M| 16 words, |K| 80 words, |W| room for 80. */
void sha512_block(Word* H, const Word* M, const Word* K, Word* W) {
  for (int t = 0; t < 16; ++t) W[t] = M[t];
  for (int t = 16; t < 80; ++t) {
    const Word x = W[t - 15], y = W[t - 2];
    W[t] = (ROTR(19, y) ^ ROTR(61, y) ^ y >> 6) + W[t - 7] + (ROTR(1, x) ^ ROTR(8, x) ^ x >> 7) +
           W[t - 16];
  }
  Word a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
#pragma GCC unroll 8
  for (int t = 0; t < 80; ++t) {
    const Word T1 =
        h + (ROTR(14, e) ^ ROTR(18, e) ^ ROTR(41, e)) + (g ^ (e & (f ^ g))) + K[t] + W[t];
    const Word T2 = (ROTR(28, a) ^ ROTR(34, a) ^ ROTR(39, a)) + (b ^ ((a ^ b) & (b ^ c)));
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }
  H[0] += a, H[1] += b, H[2] += c, H[3] += d, H[4] += e, H[5] += f, H[6] += g, H[7] += h;
}
