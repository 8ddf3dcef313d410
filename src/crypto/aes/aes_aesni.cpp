// AES with the AES-NI instructions (Intel SDM, AESENC and its like; FIPS 197). Eight blocks are in
// flight where a mode allows it, which covers the instructions' latency. The schedule is that of
// FIPS 197, sixteen bytes per round key; the encodings are those without VEX, so that the code runs
// where the system does not save AVX registers.
#if defined(__x86_64__) || defined(__i386__)

#include <smmintrin.h>
#include <wmmintrin.h>

#include <cstring>

#include "crypto/aes/aes_kernel.h"
#include "crypto/aes/aes_plain_modes.h"
#include "crypto/aes/aes_steps.h"

#define AESNI __attribute__((target("aes,sse4.1")))
#define AESNI_INLINE AESNI __attribute__((always_inline)) inline

namespace incore {
namespace {

constexpr size_t kBatch = 8;

AESNI_INLINE __m128i load(const uint8_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
AESNI_INLINE void store(uint8_t* p, __m128i x) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), x);
}
AESNI_INLINE __m128i round_key(const AesKey& key, unsigned round) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(key.storage) + round);
}

// n blocks side by side, in place.
template <size_t n>
AESNI_INLINE void encrypt(const AesKey& key, __m128i (&x)[n]) {
  __m128i k = round_key(key, 0);
#pragma GCC unroll 8
  for (size_t i = 0; i < n; ++i) x[i] = _mm_xor_si128(x[i], k);
  for (unsigned round = 1; round < key.rounds; ++round) {
    k = round_key(key, round);
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) x[i] = _mm_aesenc_si128(x[i], k);
  }
  k = round_key(key, key.rounds);
#pragma GCC unroll 8
  for (size_t i = 0; i < n; ++i) x[i] = _mm_aesenclast_si128(x[i], k);
}

template <size_t n>
AESNI_INLINE void decrypt(const AesKey& key, __m128i (&x)[n]) {
  __m128i k = round_key(key, 0);
#pragma GCC unroll 8
  for (size_t i = 0; i < n; ++i) x[i] = _mm_xor_si128(x[i], k);
  for (unsigned round = 1; round < key.rounds; ++round) {
    k = round_key(key, round);
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) x[i] = _mm_aesdec_si128(x[i], k);
  }
  k = round_key(key, key.rounds);
#pragma GCC unroll 8
  for (size_t i = 0; i < n; ++i) x[i] = _mm_aesdeclast_si128(x[i], k);
}

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

// SubWord(x) in all four words, for an x that stands in all of them: ShiftRows then changes
// nothing.
AESNI_INLINE __m128i sub_word(__m128i x, uint8_t rcon) {
  return _mm_aesenclast_si128(x, _mm_set1_epi32(rcon));
}
// SubWord(RotWord(w)) xor Rcon in all four words, w being the last word of x.
AESNI_INLINE __m128i rotate_and_sub_last_word(__m128i x, uint8_t rcon) {
  return sub_word(_mm_shuffle_epi8(x, _mm_set1_epi32(0x0C0F0E0D)), rcon);
}
// Words w0, w0 ^ w1, w0 ^ w1 ^ w2, w0 ^ w1 ^ w2 ^ w3.
AESNI_INLINE __m128i running_sums(__m128i x) {
  x = _mm_xor_si128(x, _mm_slli_si128(x, 4));
  return _mm_xor_si128(x, _mm_slli_si128(x, 8));
}

AESNI void expand_128(const uint8_t* key, unsigned rounds, uint8_t* out) {
  __m128i x = load(key);
  store(out, x);
  for (unsigned i = 1; i <= rounds; ++i) {
    const __m128i temp = rotate_and_sub_last_word(x, kRcon.powers[i - 1]);
    x = _mm_xor_si128(running_sums(x), temp);
    store(out + kAesBlockLen * i, x);
  }
}

// Six words a step: |low| has the first four, |high| the other two in its lower half.
AESNI void expand_192(const uint8_t* key, unsigned rounds, uint8_t* out) {
  unsigned words_left = 4 * (rounds + 1);
  __m128i low = load(key);
  __m128i high = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(key + 16));
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

    const __m128i last = _mm_shuffle_epi32(high, 0x55);
    low = _mm_xor_si128(running_sums(low), rotate_and_sub_last_word(last, kRcon.powers[step]));
    high =
        _mm_xor_si128(_mm_xor_si128(high, _mm_slli_si128(high, 4)), _mm_shuffle_epi32(low, 0xFF));
  }
}

AESNI void expand_256(const uint8_t* key, unsigned rounds, uint8_t* out) {
  __m128i before_last = load(key);
  __m128i last = load(key + 16);
  store(out, before_last);
  store(out + 16, last);
  for (unsigned i = 2; i <= rounds; ++i) {
    const __m128i temp = i % 2 == 0 ? rotate_and_sub_last_word(last, kRcon.powers[i / 2 - 1])
                                    : sub_word(_mm_shuffle_epi32(last, 0xFF), 0);
    const __m128i next = _mm_xor_si128(running_sums(before_last), temp);
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

AESNI void invert_key(const AesRoundKeys& forward, AesRoundKeys* out_inverse) {
  const unsigned rounds = forward.rounds;
  out_inverse->rounds = rounds;
  store(out_inverse->bytes, load(forward.bytes + kAesBlockLen * rounds));
  for (unsigned i = 1; i < rounds; ++i)
    store(out_inverse->bytes + kAesBlockLen * i,
          _mm_aesimc_si128(load(forward.bytes + kAesBlockLen * (rounds - i))));
  store(out_inverse->bytes + kAesBlockLen * rounds, load(forward.bytes));
}

AESNI void load_key(const AesRoundKeys& round_keys, AesKey* out_key) {
  for (size_t i = 0; i <= round_keys.rounds; ++i)
    store(out_key->storage + kAesBlockLen * i, load(round_keys.bytes + kAesBlockLen * i));
  out_key->kernel = &aes_aesni;
  out_key->rounds = round_keys.rounds;
}

AESNI void ecb_encrypt(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  for (; blocks >= kBatch; blocks -= kBatch, in += 16 * kBatch, out += 16 * kBatch) {
    __m128i x[kBatch];
    for (size_t i = 0; i < kBatch; ++i) x[i] = load(in + 16 * i);
    encrypt(key, x);
    for (size_t i = 0; i < kBatch; ++i) store(out + 16 * i, x[i]);
  }
  for (; blocks != 0; --blocks, in += 16, out += 16) {
    __m128i x[1] = {load(in)};
    encrypt(key, x);
    store(out, x[0]);
  }
}

AESNI void ecb_decrypt(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  for (; blocks >= kBatch; blocks -= kBatch, in += 16 * kBatch, out += 16 * kBatch) {
    __m128i x[kBatch];
    for (size_t i = 0; i < kBatch; ++i) x[i] = load(in + 16 * i);
    decrypt(key, x);
    for (size_t i = 0; i < kBatch; ++i) store(out + 16 * i, x[i]);
  }
  for (; blocks != 0; --blocks, in += 16, out += 16) {
    __m128i x[1] = {load(in)};
    decrypt(key, x);
    store(out, x[0]);
  }
}

AESNI void cbc_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                       size_t blocks) {
  __m128i chain[1] = {load(iv)};
  for (; blocks != 0; --blocks, in += 16, out += 16) {
    chain[0] = _mm_xor_si128(chain[0], load(in));
    encrypt(key, chain);
    store(out, chain[0]);
  }
  store(iv, chain[0]);
}

// In both decryptions the batch's ciphertext is read anew after the rounds, before anything is
// written over it: that costs less than registers to keep it in.
AESNI void cbc_decrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                       size_t blocks) {
  __m128i chain = load(iv);
  for (; blocks >= kBatch; blocks -= kBatch, in += 16 * kBatch, out += 16 * kBatch) {
    __m128i x[kBatch];
    for (size_t i = 0; i < kBatch; ++i) x[i] = load(in + 16 * i);
    decrypt(key, x);
    x[0] = _mm_xor_si128(x[0], chain);
    for (size_t i = 1; i < kBatch; ++i) x[i] = _mm_xor_si128(x[i], load(in + 16 * (i - 1)));
    chain = load(in + 16 * (kBatch - 1));
    for (size_t i = 0; i < kBatch; ++i) store(out + 16 * i, x[i]);
  }
  for (; blocks != 0; --blocks, in += 16, out += 16) {
    const __m128i ciphertext = load(in);
    __m128i x[1] = {ciphertext};
    decrypt(key, x);
    store(out, _mm_xor_si128(x[0], chain));
    chain = ciphertext;
  }
  store(iv, chain);
}

AESNI void cfb_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                       size_t blocks) {
  __m128i chain[1] = {load(iv)};
  for (; blocks != 0; --blocks, in += 16, out += 16) {
    encrypt(key, chain);
    chain[0] = _mm_xor_si128(chain[0], load(in));
    store(out, chain[0]);
  }
  store(iv, chain[0]);
}

AESNI void cfb_decrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                       size_t blocks) {
  __m128i chain = load(iv);
  for (; blocks >= kBatch; blocks -= kBatch, in += 16 * kBatch, out += 16 * kBatch) {
    __m128i x[kBatch] = {chain};
    for (size_t i = 1; i < kBatch; ++i) x[i] = load(in + 16 * (i - 1));
    encrypt(key, x);
    for (size_t i = 0; i < kBatch; ++i) x[i] = _mm_xor_si128(x[i], load(in + 16 * i));
    chain = load(in + 16 * (kBatch - 1));
    for (size_t i = 0; i < kBatch; ++i) store(out + 16 * i, x[i]);
  }
  for (; blocks != 0; --blocks, in += 16, out += 16) {
    const __m128i ciphertext = load(in);
    __m128i x[1] = {chain};
    encrypt(key, x);
    store(out, _mm_xor_si128(x[0], ciphertext));
    chain = ciphertext;
  }
  store(iv, chain);
}

AESNI void ofb(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  __m128i chain[1] = {load(iv)};
  for (; blocks != 0; --blocks, in += 16, out += 16) {
    encrypt(key, chain);
    store(out, _mm_xor_si128(chain[0], load(in)));
  }
  store(iv, chain[0]);
}

AESNI_INLINE __m128i reverse_bytes(__m128i x) {
  return _mm_shuffle_epi8(x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

// Adds n to the low |counter_bits| (128: to the low 64, without carry) of a number of 128 bits.
template <unsigned counter_bits>
AESNI_INLINE __m128i add(__m128i x, int n) {
  if constexpr (counter_bits == 16) return _mm_add_epi16(x, _mm_set_epi32(0, 0, 0, n));
  if constexpr (counter_bits == 32) return _mm_add_epi32(x, _mm_set_epi32(0, 0, 0, n));
  return _mm_add_epi64(x, _mm_set_epi32(0, 0, 0, n));
}

template <unsigned counter_bits>
AESNI_INLINE __m128i increment(__m128i x) {
  x = add<counter_bits>(x, 1);
  if constexpr (counter_bits == 128) {
    const __m128i is_zero = _mm_cmpeq_epi64(x, _mm_setzero_si128());  // -1 in each half that is 0
    x = _mm_sub_epi64(x, _mm_slli_si128(is_zero, 8));                 // carry into the upper half
  }
  return x;
}

// True if the next kBatch increments may carry out of the low 64 bits: all of them but the last
// three are set.
AESNI_INLINE bool carry_is_near(__m128i x) {
  static_assert(kBatch == 8);
  return _mm_test_all_ones(_mm_or_si128(x, _mm_set_epi32(-1, -1, 0, 7)));
}

template <unsigned counter_bits>
AESNI void ctr_of(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  __m128i counter = reverse_bytes(load(iv));
  for (; blocks >= kBatch; blocks -= kBatch, in += 16 * kBatch, out += 16 * kBatch) {
    __m128i x[kBatch];
    if (counter_bits == 128 && carry_is_near(counter)) {
      for (size_t i = 0; i < kBatch; ++i) {
        x[i] = reverse_bytes(counter);
        counter = increment<counter_bits>(counter);
      }
    } else {
      for (size_t i = 0; i < kBatch; ++i)
        x[i] = reverse_bytes(add<counter_bits>(counter, static_cast<int>(i)));
      counter = add<counter_bits>(counter, kBatch);
    }
    encrypt(key, x);
    for (size_t i = 0; i < kBatch; ++i) x[i] = _mm_xor_si128(x[i], load(in + 16 * i));
    for (size_t i = 0; i < kBatch; ++i) store(out + 16 * i, x[i]);
  }
  for (; blocks != 0; --blocks, in += 16, out += 16) {
    __m128i x[1] = {reverse_bytes(counter)};
    encrypt(key, x);
    store(out, _mm_xor_si128(x[0], load(in)));
    counter = increment<counter_bits>(counter);
  }
  store(iv, reverse_bytes(counter));
}

void ctr(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
         unsigned counter_bits) {
  switch (counter_bits) {
    case 16:
      return ctr_of<16>(key, iv, in, out, blocks);
    case 32:
      return ctr_of<32>(key, iv, in, out, blocks);
    case 64:
      return ctr_of<64>(key, iv, in, out, blocks);
    default:
      return ctr_of<128>(key, iv, in, out, blocks);
  }
}

}  // namespace

constinit const AesKernel aes_aesni = {
    .info = {"aesni", FeatureSet(Feature::aes, Feature::sse41, Feature::ssse3)},
    .expand_key = expand_key,
    .invert_key = invert_key,
    .load_key = load_key,
    .ecb_encrypt = ecb_encrypt,
    .ecb_decrypt = ecb_decrypt,
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = cbc_decrypt,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = cfb_decrypt,
    .ofb = ofb,
    .ctr = ctr,
    .xts_encrypt = aes_xts_encrypt_by_ecb,
    .xts_decrypt = aes_xts_decrypt_by_ecb,
    .cbc_encrypt_many = aes_cbc_encrypt_one_by_one,
    .cfb_encrypt_many = aes_cfb_encrypt_one_by_one,
};

}  // namespace incore

#endif
