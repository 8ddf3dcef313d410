/* Keccak-f[1600] (FIPS 202, section 3.3) in plain C: what a compiler makes of it for MIPS-I is what
 * the vector program is measured against. */

typedef unsigned int Word;
typedef unsigned long long Lane;

#define ROTL(x, n) ((n) == 0 ? (x) : (x) << ((n)&63) | (x) >> ((64 - (n)) & 63))

/* |state|, |room|, |constants|: 25, 25 and 24 lanes, the low half of each first. */
void keccak_f1600(Word* state, Word* room, const Word* constants) {
  static const unsigned char kTurn[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                          25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
  Lane *const a = (Lane*)state, *const b = (Lane*)room;
  for (int i = 0; i < 25; ++i) a[i] = (Lane)state[2 * i + 1] << 32 | state[2 * i];
  for (int round = 0; round < 24; ++round) {
    Lane c[5], d[5];
#pragma GCC unroll 5
    for (int x = 0; x < 5; ++x) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
    for (int x = 0; x < 5; ++x) d[x] = c[(x + 4) % 5] ^ ROTL(c[(x + 1) % 5], 1);
#pragma GCC unroll 5
    for (int y = 0; y < 5; ++y)
#pragma GCC unroll 5
      for (int x = 0; x < 5; ++x) {
        const Lane lane = a[5 * y + x] ^ d[x];
        b[(2 * x + 3 * y) % 5 * 5 + y] = ROTL(lane, kTurn[5 * y + x]);
      }
#pragma GCC unroll 5
    for (int y = 0; y < 25; y += 5)
#pragma GCC unroll 5
      for (int x = 0; x < 5; ++x) a[y + x] = b[y + x] ^ (~b[y + (x + 1) % 5] & b[y + (x + 2) % 5]);
    a[0] ^= (Lane)constants[2 * round + 1] << 32 | constants[2 * round];
  }
  for (int i = 0; i < 25; ++i) {
    const Lane lane = a[i];
    state[2 * i] = (Word)lane;
    state[2 * i + 1] = (Word)(lane >> 32);
  }
}
