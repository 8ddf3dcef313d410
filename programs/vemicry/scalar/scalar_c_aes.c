/* AES (FIPS 197) in plain C: what a compiler makes of it for MIPS-I is what the vector programs
 * are measured against. No table but the S-box; not constant-time. */

typedef unsigned char Byte;
typedef unsigned int Word; /* a column: big-endian */

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
static inline void encrypt(Word* data, const Word* round_keys, const Byte* sbox, int num_rounds) {
  Byte* const state = (Byte*)data;
  add_round_key(data, round_keys);
  for (int round = 1; round < num_rounds; ++round) {
    sub_bytes(state, sbox);
    shift_rows(state);
    mix_columns(state);
    add_round_key(data, round_keys + 4 * round);
  }
  sub_bytes(state, sbox);
  shift_rows(state);
  add_round_key(data, round_keys + 4 * num_rounds);
}
void aes128_encrypt(Word* data, const Word* round_keys, const Byte* sbox) {
  encrypt(data, round_keys, sbox, 10);
}
void aes192_encrypt(Word* data, const Word* round_keys, const Byte* sbox) {
  encrypt(data, round_keys, sbox, 12);
}
void aes256_encrypt(Word* data, const Word* round_keys, const Byte* sbox) {
  encrypt(data, round_keys, sbox, 14);
}

/* Writes the 11 round keys of |key|. */
void aes128_keys(const Word* key, Word* out_round_keys, const Byte* sbox) {
  Word a = key[0], b = key[1], c = key[2], d = key[3];
  Byte rcon = 1;
  Word* w = out_round_keys;
  w[0] = a, w[1] = b, w[2] = c, w[3] = d;
  for (w += 4; w != out_round_keys + 4 * 11; w += 4) {
    a ^= (Word)(sbox[d >> 16 & 0xFF] ^ rcon) << 24 | (Word)sbox[d >> 8 & 0xFF] << 16 |
         (Word)sbox[d & 0xFF] << 8 | sbox[d >> 24];
    b ^= a, c ^= b, d ^= c;
    w[0] = a, w[1] = b, w[2] = c, w[3] = d;
    rcon = xtimes(rcon);
  }
}

static inline Word sub_word(Word x, const Byte* sbox) {
  return (Word)sbox[x >> 24] << 24 | (Word)sbox[x >> 16 & 0xFF] << 16 |
         (Word)sbox[x >> 8 & 0xFF] << 8 | sbox[x & 0xFF];
}

/* The |num_words| words of the round keys of a key of 6 or 8 words. */
static inline void long_keys(const Word* key, Word* w, const Byte* sbox, int key_words,
                             int num_words) {
  Byte rcon = 1;
  Word last = key[key_words - 1];
  for (int i = 0; i < key_words; ++i) w[i] = key[i];
  for (int i = 0, step = 0; i < num_words - key_words; ++i) {
    if (step == 0) {
      last = sub_word(last << 8 | last >> 24, sbox) ^ (Word)rcon << 24;
      rcon = xtimes(rcon);
    } else if (key_words == 8 && step == 4) {
      last = sub_word(last, sbox);
    }
    last ^= w[i];
    w[i + key_words] = last;
    if (++step == key_words) step = 0;
  }
}
void aes192_keys(const Word* key, Word* out_round_keys, const Byte* sbox) {
  long_keys(key, out_round_keys, sbox, 6, 52);
}
void aes256_keys(const Word* key, Word* out_round_keys, const Byte* sbox) {
  long_keys(key, out_round_keys, sbox, 8, 60);
}
