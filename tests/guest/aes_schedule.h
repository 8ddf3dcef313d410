// Round keys in the form that XCRYPT takes from memory (FIPS 197, 5.2 and 5.3.5; PadLock
// guide, 3.2): in use order, the decryption schedule being that of the equivalent inverse cipher
// with the last round key first. Written for clarity; the S-box is worked out from its definition.
#ifndef INCORE_TESTS_GUEST_AES_SCHEDULE_H
#define INCORE_TESTS_GUEST_AES_SCHEDULE_H

#include <stdint.h>
#include <string.h>

// What the hardware reads: sixteen round keys, whatever the key size.
struct aes_schedule {
  uint8_t keys[16][16] __attribute__((aligned(16)));
};

static inline uint8_t gf_multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a = (uint8_t)((a << 1) ^ (a & 0x80 ? 0x1b : 0));
  }
  return product;
}

// SubBytes of one byte: the inverse in GF(2^8), which is the 254th power, then the affine
// transformation.
static inline uint8_t sub_byte(uint8_t x) {
  uint8_t inverse = 1;
  for (int i = 0; i < 254; ++i) inverse = gf_multiply(inverse, x);
  uint8_t result = 0x63;
  for (int shift = 0; shift < 5; ++shift)
    result ^= (uint8_t)((inverse << shift) | (inverse >> (8 - shift)));
  return result;
}

// FIPS 197, 5.2: |key_len| is 16, 24 or 32. Returns the number of rounds.
static inline int expand_encrypt_key(struct aes_schedule* out, const uint8_t* key, int key_len) {
  const int num_key_words = key_len / 4, rounds = num_key_words + 6;
  uint8_t(*word)[4] = (uint8_t(*)[4])out->keys;
  uint8_t round_constant = 1;
  memset(out, 0xa5, sizeof *out);  // what lies behind the schedule must not matter
  memcpy(word, key, (size_t)key_len);
  for (int i = num_key_words; i < 4 * (rounds + 1); ++i) {
    uint8_t t[4];
    memcpy(t, word[i - 1], 4);
    if (i % num_key_words == 0) {
      const uint8_t first = t[0];
      t[0] = sub_byte(t[1]) ^ round_constant;
      t[1] = sub_byte(t[2]);
      t[2] = sub_byte(t[3]);
      t[3] = sub_byte(first);
      round_constant = gf_multiply(round_constant, 2);
    } else if (num_key_words > 6 && i % num_key_words == 4) {
      for (int j = 0; j < 4; ++j) t[j] = sub_byte(t[j]);
    }
    for (int j = 0; j < 4; ++j) word[i][j] = word[i - num_key_words][j] ^ t[j];
  }
  return rounds;
}

static inline void inverse_mix_columns(uint8_t out[16], const uint8_t in[16]) {
  static const uint8_t kFactor[4] = {0x0e, 0x0b, 0x0d, 0x09};
  for (int i = 0; i < 16; ++i) {
    out[i] = 0;
    for (int j = 0; j < 4; ++j) out[i] ^= gf_multiply(in[(i & ~3) | ((i + j) & 3)], kFactor[j]);
  }
}

static inline int expand_decrypt_key(struct aes_schedule* out, const uint8_t* key, int key_len) {
  struct aes_schedule forward;
  const int rounds = expand_encrypt_key(&forward, key, key_len);
  memset(out, 0xa5, sizeof *out);
  memcpy(out->keys[0], forward.keys[rounds], 16);
  for (int i = 1; i < rounds; ++i) inverse_mix_columns(out->keys[i], forward.keys[rounds - i]);
  memcpy(out->keys[rounds], forward.keys[0], 16);
  return rounds;
}

#endif
