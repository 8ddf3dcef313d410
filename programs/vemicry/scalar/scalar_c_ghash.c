/* GHASH (SP 800-38D, section 6.4) in plain C, without tables: what a compiler makes of it for
 * MIPS-I is what the vector program is measured against. Branches on data. */

typedef unsigned int Word;

/* Y = (Y + block) H for each block; words are big-endian, the leftmost bit is the coefficient of
 * x^0. */
void ghash(Word* state, const Word* subkey, const Word* blocks, unsigned num_blocks) {
  for (; num_blocks != 0; --num_blocks, blocks += 4) {
    Word z0 = 0, z1 = 0, z2 = 0, z3 = 0;
    Word v0 = subkey[0], v1 = subkey[1], v2 = subkey[2], v3 = subkey[3];
    for (int i = 0; i < 4; ++i) {
      Word x = state[i] ^ blocks[i];
      for (int bit = 0; bit < 32; ++bit, x <<= 1) {
        if (x >> 31) z0 ^= v0, z1 ^= v1, z2 ^= v2, z3 ^= v3;
        const Word carry = v3 & 1;
        v3 = v3 >> 1 | v2 << 31;
        v2 = v2 >> 1 | v1 << 31;
        v1 = v1 >> 1 | v0 << 31;
        v0 = v0 >> 1;
        if (carry) v0 ^= 0xE1000000;
      }
    }
    state[0] = z0, state[1] = z1, state[2] = z2, state[3] = z3;
  }
}
