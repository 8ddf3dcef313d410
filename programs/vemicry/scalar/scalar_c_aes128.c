/* AES-128 (FIPS 197) in plain C: what a compiler makes of it for MIPS-I is what the vector programs
 * are measured against. No table but the S-box; not constant-time. */

typedef unsigned char Byte;
typedef unsigned int Word; /* a column: big-endian */

enum { kRounds = 10 };

static Byte xtimes(Byte a) {
  return (Byte)(a << 1 ^ (a >> 7) * 0x1B);
}

void add_round_key(Word* state, const Word* round_key) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) state[i] ^= round_key[i];
}

void sub_bytes(Byte* state, const Byte* sbox) {
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) state[i] = sbox[state[i]];
}

void shift_rows(Byte* s) {
  const Byte s1 = s[1], s2 = s[2], s6 = s[6], s15 = s[15];
  s[1] = s[5], s[5] = s[9], s[9] = s[13], s[13] = s1;
  s[2] = s[10], s[10] = s2, s[6] = s[14], s[14] = s6;
  s[15] = s[11], s[11] = s[7], s[7] = s[3], s[3] = s15;
}

void mix_columns(Byte* state) {
#pragma GCC unroll 4
  for (Byte* s = state; s != state + 16; s += 4) {
    const Byte a = s[0], b = s[1], c = s[2], d = s[3], sum = a ^ b ^ c ^ d;
    s[0] = (Byte)(xtimes(a ^ b) ^ a ^ sum);
    s[1] = (Byte)(xtimes(b ^ c) ^ b ^ sum);
    s[2] = (Byte)(xtimes(c ^ d) ^ c ^ sum);
    s[3] = (Byte)(xtimes(d ^ a) ^ d ^ sum);
  }
}

/* Encrypts the 16 bytes of |data| in place. */
void aes128_encrypt(Word* data, const Word* round_keys, const Byte* sbox) {
  Byte* const state = (Byte*)data;
  add_round_key(data, round_keys);
  for (int round = 1; round < kRounds; ++round) {
    sub_bytes(state, sbox);
    shift_rows(state);
    mix_columns(state);
    add_round_key(data, round_keys + 4 * round);
  }
  sub_bytes(state, sbox);
  shift_rows(state);
  add_round_key(data, round_keys + 4 * kRounds);
}

/* Writes the 11 round keys of |key|. */
void aes128_keys(const Word* key, Word* out_round_keys, const Byte* sbox) {
  Word a = key[0], b = key[1], c = key[2], d = key[3];
  Byte rcon = 1;
  Word* w = out_round_keys;
  w[0] = a, w[1] = b, w[2] = c, w[3] = d;
  for (w += 4; w != out_round_keys + 4 * (kRounds + 1); w += 4) {
    a ^= (Word)(sbox[d >> 16 & 0xFF] ^ rcon) << 24 | (Word)sbox[d >> 8 & 0xFF] << 16 |
         (Word)sbox[d & 0xFF] << 8 | sbox[d >> 24];
    b ^= a, c ^= b, d ^= c;
    w[0] = a, w[1] = b, w[2] = c, w[3] = d;
    rcon = xtimes(rcon);
  }
}
