/* AES-128 (FIPS 197) in plain C, a byte at a time: what a compiler makes of it for MIPS-I is what the vector programs are
 * measured against. No table but the S-box; not constant-time. */

typedef unsigned char Byte;

enum { kRounds = 10 };

static Byte xtimes(Byte a) {
  return (Byte)(a << 1 ^ (a >> 7) * 0x1B);
}

void add_round_key(Byte* state, const Byte* round_key) {
  for (int i = 0; i < 16; ++i) state[i] ^= round_key[i];
}

void sub_bytes(Byte* state, const Byte* sbox) {
  for (int i = 0; i < 16; ++i) state[i] = sbox[state[i]];
}

void shift_rows(Byte* s) {
  const Byte s1 = s[1], s2 = s[2], s6 = s[6], s15 = s[15];
  s[1] = s[5], s[5] = s[9], s[9] = s[13], s[13] = s1;
  s[2] = s[10], s[10] = s2, s[6] = s[14], s[14] = s6;
  s[15] = s[11], s[11] = s[7], s[7] = s[3], s[3] = s15;
}

void mix_columns(Byte* state) {
  for (Byte* s = state; s != state + 16; s += 4) {
    const Byte a = s[0], b = s[1], c = s[2], d = s[3], sum = a ^ b ^ c ^ d;
    s[0] = (Byte)(xtimes(a ^ b) ^ a ^ sum);
    s[1] = (Byte)(xtimes(b ^ c) ^ b ^ sum);
    s[2] = (Byte)(xtimes(c ^ d) ^ c ^ sum);
    s[3] = (Byte)(xtimes(d ^ a) ^ d ^ sum);
  }
}

/* Encrypts the 16 bytes of |data| in place. */
void aes128_encrypt(Byte* data, const Byte* round_keys, const Byte* sbox) {
  add_round_key(data, round_keys);
  for (int round = 1; round < kRounds; ++round) {
    sub_bytes(data, sbox);
    shift_rows(data);
    mix_columns(data);
    add_round_key(data, round_keys + 16 * round);
  }
  sub_bytes(data, sbox);
  shift_rows(data);
  add_round_key(data, round_keys + 16 * kRounds);
}

/* Writes the 11 round keys of |key|. */
void aes128_keys(const Byte* key, Byte* out_round_keys, const Byte* sbox) {
  Byte* w = out_round_keys;
  Byte rcon = 1;
  for (int i = 0; i < 16; ++i) w[i] = key[i];
  for (w += 16; w != out_round_keys + 16 * (kRounds + 1); w += 16) {
    const Byte* const old = w - 16;
    w[0] = old[0] ^ sbox[old[13]] ^ rcon;
    w[1] = old[1] ^ sbox[old[14]];
    w[2] = old[2] ^ sbox[old[15]];
    w[3] = old[3] ^ sbox[old[12]];
    for (int i = 4; i < 16; ++i) w[i] = old[i] ^ w[i - 4];
    rcon = xtimes(rcon);
  }
}
