// AES as plain steps, in the words of FIPS 197: the emulators' AES and the oracle of the tests.
// Beyond the standard: any number of rounds from 1 to 16, on any schedule; and the `intermediate`
// forms, which end after a full round. NOT constant-time: the S-box is a table indexed by data.
// Kernels are what secrets should meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "crypto/aes/aes_kernel.h"

namespace incore::aes_steps {

// Section 4.2: multiplication in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
constexpr uint8_t xtimes(uint8_t a) {
  return static_cast<uint8_t>(a << 1 ^ (a >> 7) * 0x1B);
}

constexpr uint8_t multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (; b != 0; b = static_cast<uint8_t>(b >> 1), a = xtimes(a))
    if (b & 1) product ^= a;
  return product;
}

struct SboxTables {
  uint8_t sbox[256];
  uint8_t inv_sbox[256];
};

// Section 5.1.1: the multiplicative inverse (0 for 0), then the affine transformation.
constexpr SboxTables compute_sbox_tables() {
  uint8_t inverse[256] = {};
  uint8_t power = 1, inverse_power = 1;
  do {  // 3 generates all elements but 0, and 3 * F6 = 1
    inverse[power] = inverse_power;
    power = multiply(power, 0x03);
    inverse_power = multiply(inverse_power, 0xF6);
  } while (power != 1);

  SboxTables t = {};
  for (unsigned a = 0; a < 256; ++a) {
    const unsigned b = inverse[a] * 0x101u;  // twice, so that shifts to the right rotate
    t.sbox[a] = static_cast<uint8_t>(b ^ b >> 4 ^ b >> 5 ^ b >> 6 ^ b >> 7 ^ 0x63);
    t.inv_sbox[t.sbox[a]] = static_cast<uint8_t>(a);
  }
  return t;
}

inline constexpr SboxTables kTables = compute_sbox_tables();

// The state: four columns of four bytes, the first column first. s[r, c] of the standard is
// bytes[4 * c + r].
struct State {
  uint8_t bytes[kAesBlockLen];
};

inline void sub_bytes(State& s) {
  for (uint8_t& b : s.bytes) b = kTables.sbox[b];
}

inline void inv_sub_bytes(State& s) {
  for (uint8_t& b : s.bytes) b = kTables.inv_sbox[b];
}

inline void shift_rows(State& s) {
  const State old = s;
  for (unsigned c = 0; c < 4; ++c)
    for (unsigned r = 0; r < 4; ++r) s.bytes[4 * c + r] = old.bytes[4 * ((c + r) % 4) + r];
}

inline void inv_shift_rows(State& s) {
  const State old = s;
  for (unsigned c = 0; c < 4; ++c)
    for (unsigned r = 0; r < 4; ++r) s.bytes[4 * ((c + r) % 4) + r] = old.bytes[4 * c + r];
}

// One column times the circulant matrix whose first row is m.
inline void multiply_column(uint8_t* column, const uint8_t (&m)[4]) {
  const uint8_t old[4] = {column[0], column[1], column[2], column[3]};
  for (unsigned r = 0; r < 4; ++r) {
    column[r] = 0;
    for (unsigned i = 0; i < 4; ++i) column[r] ^= multiply(old[(r + i) % 4], m[i]);
  }
}

inline void mix_columns(State& s) {
  for (unsigned c = 0; c < 4; ++c) multiply_column(s.bytes + 4 * c, {2, 3, 1, 1});
}

inline void inv_mix_columns(State& s) {
  for (unsigned c = 0; c < 4; ++c) multiply_column(s.bytes + 4 * c, {0x0E, 0x0B, 0x0D, 0x09});
}

inline void add_round_key(State& s, const uint8_t* round_key) {
  for (unsigned i = 0; i < kAesBlockLen; ++i) s.bytes[i] ^= round_key[i];
}

// Section 5.2, KeyExpansion: word i >= nk from the nk words before it at |words|.
inline void next_word(const uint8_t* words, size_t nk, size_t i, uint8_t* out_word) {
  const uint8_t* const last = words + 4 * (nk - 1);
  uint8_t temp[4];
  std::memcpy(temp, last, 4);
  if (i % nk == 0) {  // RotWord, SubWord, Rcon
    for (unsigned j = 0; j < 4; ++j) temp[j] = kTables.sbox[last[(j + 1) % 4]];
    uint8_t rcon = 1;
    for (size_t k = 1; k < i / nk; ++k) rcon = xtimes(rcon);
    temp[0] ^= rcon;
  } else if (nk > 6 && i % nk == 4) {
    for (uint8_t& b : temp) b = kTables.sbox[b];
  }
  for (unsigned j = 0; j < 4; ++j) out_word[j] = static_cast<uint8_t>(words[j] ^ temp[j]);
}

// The same, KeyExpansion: rounds + 1 round keys from a key of 16, 24 or 32 bytes, the standard's
// sequence of words cut short or continued. Any 1 <= rounds <= kAesMaxRounds.
inline void key_expansion(const uint8_t* key, size_t key_len, unsigned rounds,
                          AesRoundKeys* out_forward) {
  const size_t nk = key_len / 4;  // Nk, words in the key
  const size_t num_words = 4 * (rounds + 1u);
  uint8_t* const w = out_forward->bytes;  // word i is w[4 * i], ...
  out_forward->rounds = rounds;
  for (size_t i = 0; i < num_words; ++i) {
    if (i < nk)
      std::memcpy(w + 4 * i, key + 4 * i, 4);
    else
      next_word(w + 4 * (i - nk), nk, i, w + 4 * i);
  }
}

// Section 5.3.5: the schedule of the equivalent inverse cipher, in the order in which it is used.
inline void inverse_schedule(const AesRoundKeys& forward, AesRoundKeys* out_inverse) {
  out_inverse->rounds = forward.rounds;
  for (unsigned i = 0; i <= forward.rounds; ++i) {
    State s;
    std::memcpy(s.bytes, forward.bytes + kAesBlockLen * (forward.rounds - i), kAesBlockLen);
    if (i != 0 && i != forward.rounds) inv_mix_columns(s);
    std::memcpy(out_inverse->bytes + kAesBlockLen * i, s.bytes, kAesBlockLen);
  }
}

// Section 5.1, Cipher. |intermediate|: the last round is a full one, MixColumns included, so that
// the result is what round rounds + 1 would start from. |out| may equal |in|.
inline void cipher(const AesRoundKeys& forward, const uint8_t* in, uint8_t* out,
                   bool intermediate = false) {
  State s;
  std::memcpy(s.bytes, in, kAesBlockLen);
  add_round_key(s, forward.bytes);
  for (unsigned round = 1; round <= forward.rounds; ++round) {
    sub_bytes(s);
    shift_rows(s);
    if (round < forward.rounds || intermediate) mix_columns(s);
    add_round_key(s, forward.bytes + kAesBlockLen * round);
  }
  std::memcpy(out, s.bytes, kAesBlockLen);
}

// Section 5.3.5, EqInvCipher, on the schedule that inverse_schedule makes. |intermediate| as for
// cipher.
inline void eq_inv_cipher(const AesRoundKeys& inverse, const uint8_t* in, uint8_t* out,
                          bool intermediate = false) {
  State s;
  std::memcpy(s.bytes, in, kAesBlockLen);
  add_round_key(s, inverse.bytes);
  for (unsigned round = 1; round <= inverse.rounds; ++round) {
    inv_sub_bytes(s);
    inv_shift_rows(s);
    if (round < inverse.rounds || intermediate) inv_mix_columns(s);
    add_round_key(s, inverse.bytes + kAesBlockLen * round);
  }
  std::memcpy(out, s.bytes, kAesBlockLen);
}

}  // namespace incore::aes_steps
