// The key schedules of FIPS 197 with the POWER8 instructions: part of aes_power8.cpp. SubWord is
// vcipherlast on a word that stands in all four columns, where ShiftRows changes nothing; Rcon is
// its round key. No table, and no address that depends on the key.
#pragma once

#include "crypto/aes/aes_power8.h"

namespace incore::power8 {
namespace {

// The image |x| moved to the right by |num_bytes|, zeros from the left.
template <unsigned num_bytes>
POWER8_INLINE uint8x16_p8 shift_right(uint8x16_p8 x) {
  return VectorShiftLeftBE<16 - num_bytes>(uint8x16_p8{}, x);
}

// Words w0, w0 ^ w1, w0 ^ w1 ^ w2, w0 ^ w1 ^ w2 ^ w3.
POWER8_INLINE uint8x16_p8 running_sums(uint8x16_p8 x) {
  x = vec_xor(x, shift_right<4>(x));
  return vec_xor(x, shift_right<8>(x));
}

// The last word of |x| in all four.
POWER8_INLINE uint32x4_p8 splat_last_word(uint8x16_p8 x) {
  return vec_splat(as_u32(x), kLittleEndian ? 0 : 3);
}
// SubWord of it, plus |rcon|.
POWER8_INLINE uint8x16_p8 sub_last_word(uint8x16_p8 x, uint8x16_p8 rcon) {
  return vcipherlast(as_u8(splat_last_word(x)), rcon);
}
// SubWord(RotWord()) of it, plus |rcon|.
POWER8_INLINE uint8x16_p8 rotate_and_sub_last_word(uint8x16_p8 x, uint8x16_p8 rcon) {
  return vcipherlast(as_u8(vec_rl(splat_last_word(x), uint32x4_p8{8, 8, 8, 8})), rcon);
}

// FIPS 197 section 5.2, Rcon: 1, then its multiples by x, as the first byte of all words.
POWER8_INLINE uint8x16_p8 first_rcon() {
  constexpr unsigned kOne = 0x01000000;
  return as_u8(uint32x4_p8{kOne, kOne, kOne, kOne});
}
POWER8_INLINE uint8x16_p8 next_rcon(uint8x16_p8 rcon) {
  // x^8 = x^4 + x^3 + x + 1; the top bit of a byte, shifted arithmetically, is in all its bits.
  const uint8x16_p8 carry = vec_and(vec_sra(rcon, vec_splats(static_cast<unsigned char>(7))),
                                    vec_splats(static_cast<unsigned char>(0x1B)));
  return vec_xor(vec_add(rcon, rcon), carry);
}

// quote: expand-128
static void expand_128(const uint8_t* key, unsigned rounds, uint8_t* out) {
  uint8x16_p8 x = VectorLoadBE(key), rcon = first_rcon();
  VectorStoreBE(x, out);
  for (unsigned i = 1; i <= rounds; ++i, rcon = next_rcon(rcon)) {
    const uint8x16_p8 temp = rotate_and_sub_last_word(x, rcon);
    x = vec_xor(running_sums(x), temp);
    VectorStoreBE(x, out + kAesBlockLen * i);
  }
}
// end of quote

// Six words: |low| has the first four, |high| zeros and the other two.
POWER8_INLINE void next_six_words(uint8x16_p8& low, uint8x16_p8& high, uint8x16_p8& rcon) {
  low = vec_xor(running_sums(low), rotate_and_sub_last_word(high, rcon));
  const uint8x16_p8 last_of_low = as_u8(splat_last_word(low));
  high = vec_xor(vec_xor(high, shift_right<4>(high)), shift_right<8>(last_of_low));
  rcon = next_rcon(rcon);
}

// Twelve words, three round keys, a turn.
static void expand_192(const uint8_t* key, unsigned rounds, uint8_t* out) {
  uint8x16_p8 low = VectorLoadBE(key), rcon = first_rcon();
  uint8x16_p8 high = shift_right<8>(VectorRotateLeftBE<8>(VectorLoadBE(key + 8)));
  for (;;) {
    VectorStoreBE(low, out);
    if (rounds == 0) return;
    const uint8x16_p8 high_before = high;
    next_six_words(low, high, rcon);
    VectorStoreBE(VectorShiftLeftBE<8>(high_before, low), out + kAesBlockLen);
    if (rounds == 1) return;
    VectorStoreBE(VectorShiftLeftBE<8>(low, VectorRotateLeftBE<8>(high)), out + 2 * kAesBlockLen);
    if (rounds == 2) return;
    next_six_words(low, high, rcon);
    rounds -= 3, out += 3 * kAesBlockLen;
  }
}

static void expand_256(const uint8_t* key, unsigned rounds, uint8_t* out) {
  uint8x16_p8 before_last = VectorLoadBE(key), last = VectorLoadBE(key + 16), rcon = first_rcon();
  VectorStoreBE(before_last, out);
  VectorStoreBE(last, out + kAesBlockLen);
  for (unsigned i = 2; i <= rounds; ++i) {
    uint8x16_p8 temp;
    if (i % 2 == 0) {
      temp = rotate_and_sub_last_word(last, rcon);
      rcon = next_rcon(rcon);
    } else {
      temp = sub_last_word(last, uint8x16_p8{});
    }
    const uint8x16_p8 next = vec_xor(running_sums(before_last), temp);
    VectorStoreBE(next, out + kAesBlockLen * i);
    before_last = last;
    last = next;
  }
}

static void expand_key(const uint8_t* key, size_t key_len, unsigned rounds,
                       AesRoundKeys* out_forward) {
  out_forward->rounds = rounds;
  if (key_len == 16)
    expand_128(key, rounds, out_forward->bytes);
  else if (key_len == 24)
    expand_192(key, rounds, out_forward->bytes);
  else
    expand_256(key, rounds, out_forward->bytes);
}

// What one instruction does and the other undoes falls away: MixColumns or its inverse is left.
POWER8_INLINE uint8x16_p8 mix_columns(uint8x16_p8 x) {
  const uint8x16_p8 zero = {};
  return vcipher(vncipherlast(x, zero), zero);
}
POWER8_INLINE uint8x16_p8 inv_mix_columns(uint8x16_p8 x) {
  const uint8x16_p8 zero = {};
  return vncipher(vcipherlast(x, zero), zero);
}

static void invert_key(const AesRoundKeys& forward, AesRoundKeys* out_inverse) {
  const unsigned rounds = forward.rounds;
  out_inverse->rounds = rounds;
  for (unsigned i = 0; i <= rounds; ++i) {
    const uint8x16_p8 k = VectorLoadBE(forward.bytes + kAesBlockLen * (rounds - i));
    VectorStoreBE(i == 0 || i == rounds ? k : inv_mix_columns(k),
                  out_inverse->bytes + kAesBlockLen * i);
  }
}

static void load_key(const AesRoundKeys& round_keys, AesKey* out_key) {
  const unsigned rounds = round_keys.rounds;
  out_key->kernel = &aes_power8;
  out_key->rounds = rounds;
  for (unsigned i = 0; i <= rounds; ++i) {
    const uint8x16_p8 k = VectorLoadBE(round_keys.bytes + kAesBlockLen * i);
    uint8_t* const out = out_key->storage + kAesBlockLen * i;
    VectorStore(k, out);
    VectorStore(i == 0 || i == rounds ? k : mix_columns(k), out + kScheduleLen);
  }
}

}  // namespace
}  // namespace incore::power8
