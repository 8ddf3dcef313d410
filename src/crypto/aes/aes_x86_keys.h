// The key schedules of FIPS 197 by a kernel's rounds on a block: SubWord is encrypt_last on a word
// that stands in all four columns, where ShiftRows changes nothing, and Rcon is its round key.
#pragma once

#include "crypto/aes/aes_steps.h"
#include "crypto/aes/aes_x86.h"

namespace incore {
namespace {

// FIPS 197 section 5.2, Rcon: the powers of x, as far as the longest continued expansion goes
// (16-byte key, 16 rounds).
struct RconTable {
  uint8_t powers[kAesMaxRounds];
};
constexpr RconTable compute_rcon() {
  RconTable t = {};
  uint8_t power = 1;
  for (uint8_t& p : t.powers) {
    p = power;
    power = aes_steps::xtimes(power);
  }
  return t;
}
constexpr RconTable kRcon = compute_rcon();

// SubWord(x) xor Rcon in all four words, for an x that stands in all of them.
INLINE Block sub_word(Block x, uint8_t rcon) {
  return encrypt_last(x, (Block)_mm_set1_epi32(rcon));
}
// SubWord(RotWord(w)) xor Rcon in all four words, w being the last word of x.
INLINE Block rotate_and_sub_last_word(Block x, uint8_t rcon) {
  return sub_word(_mm_shuffle_epi8(x, _mm_set1_epi32(0x0C0F0E0D)), rcon);
}
// Words w0, w0 ^ w1, w0 ^ w1 ^ w2, w0 ^ w1 ^ w2 ^ w3.
INLINE Block running_sums(Block x) {
  x = _mm_xor_si128(x, _mm_slli_si128(x, 4));
  return _mm_xor_si128(x, _mm_slli_si128(x, 8));
}

TARGET void expand_128(const uint8_t* key, unsigned rounds, uint8_t* out) {
  Block x = load<Block>(key);
  store(out, x);
  for (unsigned i = 1; i <= rounds; ++i) {
    const Block temp = rotate_and_sub_last_word(x, kRcon.powers[i - 1]);
    x = _mm_xor_si128(running_sums(x), temp);
    store(out + kAesBlockLen * i, x);
  }
}

// Six words a step: |low| has the first four, |high| the other two in its lower half.
TARGET void expand_192(const uint8_t* key, unsigned rounds, uint8_t* out) {
  unsigned words_left = 4 * (rounds + 1);
  Block low = load<Block>(key);
  Block high = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(key + 16));
  for (unsigned step = 0;; ++step) {
    if (words_left < 4) {  // two: the others are always even in number
      _mm_storel_epi64(reinterpret_cast<__m128i*>(out), low);
      return;
    }
    store(out, low);
    words_left -= 4;
    if (words_left == 0) return;
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + 16), high);
    words_left -= 2;
    if (words_left == 0) return;
    out += 24;

    const Block last = _mm_shuffle_epi32(high, 0x55);
    low = _mm_xor_si128(running_sums(low), rotate_and_sub_last_word(last, kRcon.powers[step]));
    high =
        _mm_xor_si128(_mm_xor_si128(high, _mm_slli_si128(high, 4)), _mm_shuffle_epi32(low, 0xFF));
  }
}

TARGET void expand_256(const uint8_t* key, unsigned rounds, uint8_t* out) {
  Block before_last = load<Block>(key);
  Block last = load<Block>(key + 16);
  store(out, before_last);
  store(out + 16, last);
  for (unsigned i = 2; i <= rounds; ++i) {
    const Block temp = i % 2 == 0 ? rotate_and_sub_last_word(last, kRcon.powers[i / 2 - 1])
                                  : sub_word(_mm_shuffle_epi32(last, 0xFF), 0);
    const Block next = _mm_xor_si128(running_sums(before_last), temp);
    store(out + kAesBlockLen * i, next);
    before_last = last;
    last = next;
  }
}

void expand_key(const uint8_t* key, size_t key_len, unsigned rounds, AesRoundKeys* out_forward) {
  out_forward->rounds = rounds;
  if (key_len == 16)
    expand_128(key, rounds, out_forward->bytes);
  else if (key_len == 24)
    expand_192(key, rounds, out_forward->bytes);
  else
    expand_256(key, rounds, out_forward->bytes);
}

TARGET void invert_key(const AesRoundKeys& forward, AesRoundKeys* out_inverse) {
  const unsigned rounds = forward.rounds;
  out_inverse->rounds = rounds;
  store(out_inverse->bytes, load<Block>(forward.bytes + kAesBlockLen * rounds));
  for (unsigned i = 1; i < rounds; ++i)
    store(out_inverse->bytes + kAesBlockLen * i,
          inv_mix_columns(load<Block>(forward.bytes + kAesBlockLen * (rounds - i))));
  store(out_inverse->bytes + kAesBlockLen * rounds, load<Block>(forward.bytes));
}

}  // namespace
}  // namespace incore
