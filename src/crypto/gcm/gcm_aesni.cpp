// GCM with AES-NI and PCLMULQDQ on XMM registers: eight blocks are encrypted while the eight before
// them (decryption: the same eight) are hashed. Encodings without VEX, as in both kernels.
#if defined(__x86_64__) || defined(__i386__)

#include "crypto/gcm/gcm.h"
#include "crypto/ghash/ghash_pclmul.h"

#define GCM_AESNI __attribute__((target("aes,pclmul,sse4.1")))
#define GCM_AESNI_INLINE GCM_AESNI __attribute__((always_inline)) inline

namespace incore {
namespace {

using namespace pclmul;

constexpr size_t kBatch = kNumPowers;
constexpr size_t kBatchLen = kBatch * kAesBlockLen;

GCM_AESNI_INLINE __m128i load(const uint8_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
GCM_AESNI_INLINE __m128i round_key(const AesKey& key, unsigned round) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(key.storage) + round);
}
GCM_AESNI_INLINE __m128i counter_block(uint32_t count, __m128i fixed) {
  return _mm_insert_epi32(fixed, static_cast<int>(__builtin_bswap32(count)), 3);
}

// Block i of the eight at |blocks| times its power, added to |sum|.
GCM_AESNI_INLINE void hash_block(const GhashKey& key, const uint8_t* blocks, size_t i, __m128i y,
                                 Sum& sum) {
  __m128i x = load_number(blocks + kGhashBlockLen * i);
  if (i == 0) x = _mm_xor_si128(x, y);
  const Sum product = multiply(x, power(key, kBatch - i), folded_power(key, kBatch - i));
  if (i == 0)
    sum = product;
  else
    add(sum, product);
}

// Eight blocks of text. |hashing|: and GHASH over the eight at |hashed|; returns the state.
template <bool hashing>
GCM_AESNI_INLINE __m128i crypt_batch(const GcmKey& key, __m128i fixed, uint32_t count,
                                     const uint8_t* in, uint8_t* out, const uint8_t* hashed,
                                     __m128i y) {
  __m128i x[kBatch];
  __m128i k = round_key(key.aes, 0);
#pragma GCC unroll 8
  for (size_t i = 0; i < kBatch; ++i)
    x[i] = _mm_xor_si128(counter_block(count + static_cast<uint32_t>(i), fixed), k);
  Sum sum = {};
  // As many rounds as all key lengths have and blocks to hash; then what is left.
#pragma GCC unroll 8
  for (unsigned round = 1; round <= kBatch; ++round) {
    k = round_key(key.aes, round);
#pragma GCC unroll 8
    for (size_t i = 0; i < kBatch; ++i) x[i] = _mm_aesenc_si128(x[i], k);
    if (hashing) hash_block(key.hash, hashed, round - 1, y, sum);
  }
  for (unsigned round = kBatch + 1; round < key.aes.rounds; ++round) {
    k = round_key(key.aes, round);
#pragma GCC unroll 8
    for (size_t i = 0; i < kBatch; ++i) x[i] = _mm_aesenc_si128(x[i], k);
  }
  k = round_key(key.aes, key.aes.rounds);
  if (hashing) y = reduce(sum);
#pragma GCC unroll 8
  for (size_t i = 0; i < kBatch; ++i)
    x[i] = _mm_aesenclast_si128(x[i], _mm_xor_si128(k, load(in + kAesBlockLen * i)));
#pragma GCC unroll 8
  for (size_t i = 0; i < kBatch; ++i)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + kAesBlockLen * i), x[i]);
  return y;
}

template <bool decrypting>
GCM_AESNI void crypt(const GcmKey& key, uint8_t* counter, bool, uint8_t* state, const uint8_t* in,
                     uint8_t* out, size_t blocks) {
  if (blocks >= kBatch) {
    const __m128i fixed = load(counter);
    uint32_t count = __builtin_bswap32(static_cast<uint32_t>(_mm_extract_epi32(fixed, 3)));
    __m128i y = load_number(state);
    if (!decrypting) {  // what is hashed lies one batch behind
      crypt_batch<false>(key, fixed, count, in, out, nullptr, y);
      blocks -= kBatch, in += kBatchLen, out += kBatchLen, count += kBatch;
    }
    for (; blocks >= kBatch; blocks -= kBatch, in += kBatchLen, out += kBatchLen, count += kBatch)
      y = crypt_batch<true>(key, fixed, count, in, out, decrypting ? in : out - kBatchLen, y);
    store_number(state, y);
    if (!decrypting) key.hash.kernel->update(key.hash, state, out - kBatchLen, kBatch);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(counter), counter_block(count, fixed));
  }
  if (decrypting) key.hash.kernel->update(key.hash, state, in, blocks);
  key.aes.kernel->ctr(key.aes, counter, in, out, blocks, 32);
  if (!decrypting) key.hash.kernel->update(key.hash, state, out, blocks);
}

}  // namespace

constinit const GcmLoop gcm_aesni = {
    .aes = &aes_aesni,
    .ghash = &ghash_pclmul,
    .encrypt = crypt<false>,
    .decrypt = crypt<true>,
    .encrypt_message = nullptr,
    .decrypt_message = nullptr,
};

}  // namespace incore

#endif
