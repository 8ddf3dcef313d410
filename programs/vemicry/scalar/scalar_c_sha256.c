/* SHA-256 (FIPS 180-4, section 6.2.2) in plain C: what a compiler makes of it for MIPS-I is what
 * the vector program is measured against. */

typedef unsigned int Word;

#define ROTR(n, x) ((x) >> (n) | (x) << (32 - (n)))

/* |H| 8 words, |M| 16 words, |K| 64 words, |W| room for 64. */
void sha256_block(Word* H, const Word* M, const Word* K, Word* W) {
  for (int t = 0; t < 16; ++t) W[t] = M[t];
  for (int t = 16; t < 64; ++t) {
    const Word x = W[t - 15], y = W[t - 2];
    W[t] = (ROTR(17, y) ^ ROTR(19, y) ^ y >> 10) + W[t - 7] + (ROTR(7, x) ^ ROTR(18, x) ^ x >> 3) +
           W[t - 16];
  }
  Word a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
#pragma GCC unroll 8
  for (int t = 0; t < 64; ++t) {
    const Word T1 =
        h + (ROTR(6, e) ^ ROTR(11, e) ^ ROTR(25, e)) + (g ^ (e & (f ^ g))) + K[t] + W[t];
    const Word T2 = (ROTR(2, a) ^ ROTR(13, a) ^ ROTR(22, a)) + (b ^ ((a ^ b) & (b ^ c)));
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }
  H[0] += a, H[1] += b, H[2] += c, H[3] += d, H[4] += e, H[5] += f, H[6] += g, H[7] += h;
}
