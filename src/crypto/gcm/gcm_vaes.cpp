// GCM with VAES and VPCLMULQDQ on ZMM registers, four blocks in each (SP 800-38D). A batch is eight
// registers: while one is encrypted, the batch before is hashed; in decryption the same one. AES
// and the multiplications compete for the same vector units, and what else the loop does takes
// slots of theirs: that it does little counts for more than how it is arranged.
#if defined(__x86_64__)

#include "crypto/gcm/gcm.h"
#include "crypto/ghash/ghash_vpclmul.h"

#define GCM_VAES __attribute__((target(VPCLMUL_TARGET ",vaes,aes")))
#define GCM_VAES_INLINE GCM_VAES __attribute__((always_inline)) inline

namespace incore {
namespace {

using namespace vpclmul;

constexpr size_t blocks_of(size_t len) {
  return (len + kAesBlockLen - 1) / kAesBlockLen;
}

constexpr size_t kGroups = kBatch / kLanes;
constexpr size_t kGroupLen = kLanes * kAesBlockLen;
constexpr size_t kBatchLen = kBatch * kAesBlockLen;

GCM_VAES_INLINE __m128i round_key(const AesKey& key, unsigned round) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(key.storage) + round);
}
GCM_VAES_INLINE __m512i round_keys(const AesKey& key, unsigned round) {
  return _mm512_broadcast_i32x4(round_key(key, round));
}

// Counter blocks with their bytes reversed: the count is the lowest 32 bits.
GCM_VAES_INLINE __m512i add_count(__m512i counters, int n) {
  return _mm512_add_epi32(counters, _mm512_maskz_set1_epi32(0x1111, n));
}
GCM_VAES_INLINE __m512i first_counters(__m128i counter) {
  return _mm512_add_epi32(_mm512_broadcast_i32x4(counter),
                          _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0));
}

GCM_VAES_INLINE __m128i encrypt_block(const AesKey& key, __m128i counter) {
  __m128i x = _mm_xor_si128(reverse_bytes(counter), round_key(key, 0));
  for (unsigned round = 1; round < key.rounds; ++round)
    x = _mm_aesenc_si128(x, round_key(key, round));
  return _mm_aesenclast_si128(x, round_key(key, key.rounds));
}

// Where a batch's counts begin with 2 modulo 32, they differ from those of the first block, less 2,
// in the last five bits alone, which are set by an xor; those of the last two blocks belong to the
// next 32. One instruction does what takes three otherwise.
struct CountBits {
  alignas(64) uint8_t bytes[kBatchLen];
};
constexpr unsigned kRegularCount = 2;
constexpr CountBits make_count_bits() {
  CountBits bits = {};
  for (unsigned i = 0; i < kBatch; ++i)
    bits.bytes[kAesBlockLen * i + 15] = static_cast<uint8_t>((kRegularCount + i) % kBatch);
  return bits;
}
constexpr CountBits kCountBits = make_count_bits();

// The round keys in registers, as far as all key lengths have them: a broadcast for each batch
// would take a vector unit from AES.
struct RoundKeys {
  __m512i inner[9];
  __m512i last;
};

// The counter blocks of a message's batches, the first round key already added.
template <bool regular>
class Counters {
 public:
  GCM_VAES_INLINE Counters(const AesKey& key, __m128i counter) : first_key_(round_keys(key, 0)) {
    if constexpr (regular) {
      numbers_ =
          _mm512_broadcast_i32x4(_mm_sub_epi32(counter, _mm_set_epi32(0, 0, 0, kRegularCount)));
      base_ = _mm512_xor_si512(reverse_bytes(numbers_), first_key_);
    } else {
      numbers_ = first_counters(counter);
    }
  }

  GCM_VAES_INLINE void next_batch(__m512i (&out_x)[kGroups]) {
    if constexpr (regular) {
      const __m512i* bits = reinterpret_cast<const __m512i*>(kCountBits.bytes);
#pragma GCC unroll 8
      for (size_t i = 0; i < kGroups - 1; ++i) out_x[i] = _mm512_xor_si512(base_, bits[i]);
      numbers_ = add_count(numbers_, kBatch);
      const __m512i next = _mm512_xor_si512(reverse_bytes(numbers_), first_key_);
      out_x[kGroups - 1] =
          _mm512_xor_si512(_mm512_mask_mov_epi64(base_, 0xF0, next), bits[kGroups - 1]);
      base_ = next;
    } else {
#pragma GCC unroll 8
      for (size_t i = 0; i < kGroups; ++i) {
        out_x[i] = _mm512_xor_si512(reverse_bytes(numbers_), first_key_);
        numbers_ = add_count(numbers_, kLanes);
      }
    }
  }

 private:
  __m512i first_key_;
  __m512i numbers_;
  __m512i base_;
};

// Two groups of the batch at |blocks| times H^power, H^(power - 1), ... The state |y| goes into the
// first block. Pair 1 begins the sum.
GCM_VAES_INLINE Sum hash_pair(const GhashKey& key, const uint8_t* blocks, size_t pair, __m128i y,
                              size_t power, const Sum& sum) {
  const size_t i = 2 * pair * kLanes;
  __m512i x = reverse_bytes(_mm512_loadu_si512(blocks + kGhashBlockLen * i));
  const __m512i next = reverse_bytes(_mm512_loadu_si512(blocks + kGhashBlockLen * (i + kLanes)));
  if (pair == 0) x = _mm512_xor_si512(x, _mm512_zextsi128_si512(y));
  const Sum a = multiply(key, x, power - i), b = multiply(key, next, power - i - kLanes);
  return pair == 1 ? add(a, b) : add(sum, a, b);
}

GCM_VAES_INLINE Sum hash_batch(const GhashKey& key, const uint8_t* blocks, __m128i y,
                               size_t power) {
  Sum sum = {};
#pragma GCC unroll 4
  for (size_t pair = 1; pair <= kGroups / 2; ++pair)
    sum = hash_pair(key, blocks, pair % (kGroups / 2), y, power, sum);
  return sum;
}

// One batch of text, whose counter blocks with the first round key are |x|. |hashing|: and the
// batch at |hashed| times H^power, H^(power - 1), ..., with the state |y|.
template <bool hashing, bool reducing>
GCM_VAES_INLINE Sum crypt_batch(const GcmKey& key, const RoundKeys& keys, __m512i (&x)[kGroups],
                                const uint8_t* in, uint8_t* out, const uint8_t* hashed, __m128i& y,
                                size_t power) {
  Sum sum = {};
#pragma GCC unroll 9
  for (unsigned round = 1; round <= 9; ++round) {  // AES has nine at least before the last
#pragma GCC unroll 8
    for (size_t i = 0; i < kGroups; ++i) x[i] = _mm512_aesenc_epi128(x[i], keys.inner[round - 1]);
    // The pair that waits for |y| is the last.
    if (hashing && round % 2 == 0)
      sum = hash_pair(key.hash, hashed, (round / 2) % (kGroups / 2), y, power, sum);
  }
  for (unsigned round = 10; round < key.aes.rounds; ++round) {
    const __m512i k = round_keys(key.aes, round);
#pragma GCC unroll 8
    for (size_t i = 0; i < kGroups; ++i) x[i] = _mm512_aesenc_epi128(x[i], k);
  }
  if (reducing) y = sum_of_lanes(reduce(sum));
#pragma GCC unroll 8
  for (size_t i = 0; i < kGroups; ++i)
    x[i] = _mm512_aesenclast_epi128(
        x[i], _mm512_xor_si512(keys.last, _mm512_loadu_si512(in + kGroupLen * i)));
#pragma GCC unroll 8
  for (size_t i = 0; i < kGroups; ++i) _mm512_storeu_si512(out + kGroupLen * i, x[i]);
  return sum;
}

// |num_batches| batches of text, not 0, from |counter|, a number, on; |regular|: its count is
// kRegularCount modulo 32. The last one's ciphertext times H^power, H^(power - 1), ... is returned,
// in which the state of GHASH after the others is.
template <bool decrypting, bool regular>
GCM_VAES_INLINE Sum crypt_batches(const GcmKey& key, __m128i counter, __m128i y, const uint8_t* in,
                                  uint8_t* out, size_t num_batches, size_t power) {
  Counters<regular> counters(key.aes, counter);
  RoundKeys keys;
#pragma GCC unroll 9
  for (unsigned i = 0; i < 9; ++i) keys.inner[i] = round_keys(key.aes, i + 1);
  keys.last = round_keys(key.aes, key.aes.rounds);
  __m512i x[kGroups];
  if (!decrypting) {  // what is hashed lies one batch behind
    counters.next_batch(x);
    crypt_batch<false, false>(key, keys, x, in, out, nullptr, y, 0);
    in += kBatchLen, out += kBatchLen;
  }
  for (; num_batches != 1; --num_batches, in += kBatchLen, out += kBatchLen) {
    counters.next_batch(x);
    crypt_batch<true, true>(key, keys, x, in, out, decrypting ? in : out - kBatchLen, y, kBatch);
  }
  if (!decrypting) return hash_batch(key.hash, out - kBatchLen, y, power);
  counters.next_batch(x);
  return crypt_batch<true, false>(key, keys, x, in, out, in, y, power);
}

template <size_t n>
GCM_VAES_INLINE void encrypt_inner_rounds(const AesKey& key, __m512i (&x)[n]) {
#pragma GCC unroll 9
  for (unsigned round = 1; round <= 9; ++round)
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) x[i] = _mm512_aesenc_epi128(x[i], round_keys(key, round));
  for (unsigned round = 10; round < key.rounds; ++round)
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) x[i] = _mm512_aesenc_epi128(x[i], round_keys(key, round));
}

// The |len| bytes of text, at most |n| groups and more than n - 1, from |counters| on. Adds the
// ciphertext times H^power, H^(power - 1), ... to |sum|.
template <bool decrypting, size_t n>
GCM_VAES_INLINE Sum crypt_groups(const GcmKey& key, __m512i counters, const uint8_t* in,
                                 uint8_t* out, size_t len, size_t power, Sum sum) {
  __m512i x[n];
#pragma GCC unroll 8
  for (size_t i = 0; i < n; ++i) {
    x[i] = _mm512_xor_si512(reverse_bytes(counters), round_keys(key.aes, 0));
    counters = add_count(counters, kLanes);
  }
  encrypt_inner_rounds(key.aes, x);
  const __m512i k = round_keys(key.aes, key.aes.rounds);
#pragma GCC unroll 8
  for (size_t i = 0; i < n; ++i) {
    const __mmask64 bytes = i < n - 1 ? ~__mmask64{0} : ~__mmask64{0} >> (kGroupLen * n - len);
    const __m512i before = _mm512_maskz_loadu_epi8(bytes, in + kGroupLen * i);
    const __m512i after = _mm512_aesenclast_epi128(x[i], _mm512_xor_si512(k, before));
    _mm512_mask_storeu_epi8(out + kGroupLen * i, bytes, after);
    const __m512i hashed = decrypting ? before : _mm512_maskz_mov_epi8(bytes, after);
    sum = add(sum, multiply(key.hash, reverse_bytes(hashed), power - kLanes * i));
  }
  return sum;
}

// A text of one to three blocks in one group with the counter block |j0|, whose encryption is
// |out_mask|, and with the only block of aad, which has the same lane. Both hashed; |power| is that
// of the text's first block.
template <bool decrypting>
GCM_VAES_INLINE Sum crypt_short(const GcmKey& key, __m128i j0, __m128i aad, const uint8_t* in,
                                uint8_t* out, size_t len, size_t power, __m128i* out_mask) {
  __m512i x[1] = {_mm512_xor_si512(reverse_bytes(first_counters(j0)), round_keys(key.aes, 0))};
  encrypt_inner_rounds(key.aes, x);
  // The first lane's memory, before the text, is not touched.
  const __mmask64 bytes = ((__mmask64{1} << len) - 1) << kAesBlockLen;
  const __m512i before = _mm512_maskz_loadu_epi8(bytes, in - kAesBlockLen);
  const __m512i after =
      _mm512_aesenclast_epi128(x[0], _mm512_xor_si512(round_keys(key.aes, key.aes.rounds), before));
  _mm512_mask_storeu_epi8(out - kAesBlockLen, bytes, after);
  *out_mask = _mm512_castsi512_si128(after);
  const __m512i hashed = decrypting ? before : _mm512_maskz_mov_epi8(bytes, after);
  return multiply(key.hash, reverse_bytes(_mm512_or_si512(hashed, _mm512_zextsi128_si512(aad))),
                  power + 1);
}

// The same for any |len| less than a batch.
template <bool decrypting>
GCM_VAES_INLINE Sum crypt_rest(const GcmKey& key, __m128i counter, const uint8_t* in, uint8_t* out,
                               size_t len, size_t power, Sum sum) {
  __m512i counters = first_counters(counter);
  while (len > 4 * kGroupLen) {
    sum = crypt_groups<decrypting, 4>(key, counters, in, out, 4 * kGroupLen, power, sum);
    counters = add_count(counters, 4 * kLanes);
    in += 4 * kGroupLen, out += 4 * kGroupLen, len -= 4 * kGroupLen, power -= 4 * kLanes;
  }
  if (len > 3 * kGroupLen)
    return crypt_groups<decrypting, 4>(key, counters, in, out, len, power, sum);
  if (len > 2 * kGroupLen)
    return crypt_groups<decrypting, 3>(key, counters, in, out, len, power, sum);
  if (len > kGroupLen) return crypt_groups<decrypting, 2>(key, counters, in, out, len, power, sum);
  if (len != 0) return crypt_groups<decrypting, 1>(key, counters, in, out, len, power, sum);
  return sum;
}

// Adds |len| bytes of aad, with zeros up to a whole block, times H^power, H^(power - 1), ...
GCM_VAES_INLINE Sum hash_aad(const GhashKey& key, const uint8_t* aad, size_t len, size_t power,
                             Sum sum) {
  for (; len != 0; power -= kLanes) {
    const size_t n = len < kGroupLen ? len : kGroupLen;
    const __m512i x = _mm512_maskz_loadu_epi8(~__mmask64{0} >> (kGroupLen - n), aad);
    sum = add(sum, multiply(key, reverse_bytes(x), power));
    aad += n, len -= n;
  }
  return sum;
}

template <bool decrypting>
GCM_VAES void crypt_message(const GcmKey& key, const GcmMessage& m, uint8_t* out_tag) {
  // J0, as a number; its encryption, |mask|, is added to the hash.
  const __m128i iv = _mm_maskz_loadu_epi32(0x7, m.iv);
  const __m128i j0 = _mm_or_si128(reverse_bytes(iv), _mm_set_epi32(0, 0, 0, 1));
  __m128i counter = _mm_add_epi32(j0, _mm_set_epi32(0, 0, 0, 1));
  const uint8_t* in = m.in;
  uint8_t* out = m.out;
  size_t len = m.len;
  Sum sum = {};
  size_t power = blocks_of(len) + 1;
  __m128i mask;
  const bool is_short = len != 0 && len <= kGroupLen - kAesBlockLen && m.aad_len <= kAesBlockLen;
  if (is_short) {
    __m128i aad = _mm_setzero_si128();
    if (m.aad_len != 0)
      aad = _mm_maskz_loadu_epi8(static_cast<__mmask16>((1u << m.aad_len) - 1), m.aad);
    sum = crypt_short<decrypting>(key, j0, aad, in, out, len, power, &mask);
  } else if (m.aad_len <= kBatchLen && blocks_of(m.aad_len) + power <= kNumPowers &&
             len < kBatchLen) {
    sum = hash_aad(key.hash, m.aad, m.aad_len, blocks_of(m.aad_len) + power, sum);
  } else {
    const size_t whole = m.aad_len / kGhashBlockLen, rest = m.aad_len % kGhashBlockLen;
    __m128i y = hash_blocks(key.hash, _mm_setzero_si128(), m.aad, whole);
    if (rest != 0) {
      const __m128i x = reverse_bytes(_mm_maskz_loadu_epi8(static_cast<__mmask16>((1u << rest) - 1),
                                                           m.aad + kGhashBlockLen * whole));
      y = sum_of_lanes(reduce(multiply(key.hash, _mm512_zextsi128_si512(_mm_xor_si128(x, y)), 1)));
    }
    const size_t num_batches = len / kBatchLen;
    if (num_batches == 0) {
      sum = multiply(key.hash, _mm512_zextsi128_si512(y), power);
    } else {
      const size_t done = kBatchLen * num_batches;
      power = blocks_of(len - done) + 1;
      const bool last_is_near = power + kBatch <= kNumPowers;  // then it needs no reduction
      sum = crypt_batches<decrypting, true>(key, counter, y, in, out, num_batches,
                                            kBatch + (last_is_near ? power : 0));
      if (!last_is_near)
        sum = multiply(key.hash, _mm512_zextsi128_si512(sum_of_lanes(reduce(sum))), power);
      counter = _mm_add_epi32(counter, _mm_cvtsi32_si128(static_cast<int>(done / kAesBlockLen)));
      in += done, out += done, len -= done;
    }
  }
  if (!is_short) {
    mask = encrypt_block(key.aes, j0);
    if (len != 0) sum = crypt_rest<decrypting>(key, counter, in, out, len, power, sum);
  }
  const __m128i lengths = _mm_set_epi64x(static_cast<long long>(8 * uint64_t{m.aad_len}),
                                         static_cast<long long>(8 * uint64_t{m.len}));
  sum = add(sum, multiply(key.hash, _mm512_zextsi128_si512(lengths), 1));
  const __m128i y = sum_of_lanes(reduce(sum));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out_tag), _mm_xor_si128(mask, reverse_bytes(y)));
}

template <bool decrypting>
GCM_VAES void crypt(const GcmKey& key, uint8_t* counter, bool public_counter, uint8_t* state,
                    const uint8_t* in, uint8_t* out, size_t blocks) {
  const size_t num_batches = blocks / kBatch;
  if (num_batches != 0) {
    __m128i* const c = reinterpret_cast<__m128i*>(counter);
    __m128i* const s = reinterpret_cast<__m128i*>(state);
    const __m128i number = reverse_bytes(_mm_loadu_si128(c));
    const bool regular = public_counter &&
                         static_cast<uint32_t>(_mm_cvtsi128_si32(number)) % kBatch == kRegularCount;
    const __m128i before = reverse_bytes(_mm_loadu_si128(s));
    const Sum sum =
        regular
            ? crypt_batches<decrypting, true>(key, number, before, in, out, num_batches, kBatch)
            : crypt_batches<decrypting, false>(key, number, before, in, out, num_batches, kBatch);
    const __m128i y = sum_of_lanes(reduce(sum));
    const size_t done = kBatch * num_batches;
    _mm_storeu_si128(s, reverse_bytes(y));
    _mm_storeu_si128(
        c, reverse_bytes(_mm_add_epi32(number, _mm_cvtsi32_si128(static_cast<int>(done)))));
    in += kAesBlockLen * done, out += kAesBlockLen * done, blocks -= done;
  }
  if (decrypting) key.hash.kernel->update(key.hash, state, in, blocks);
  key.aes.kernel->ctr(key.aes, counter, in, out, blocks, 32);
  if (!decrypting) key.hash.kernel->update(key.hash, state, out, blocks);
}

}  // namespace

constinit const GcmLoop gcm_vaes = {
    .aes = &aes_vaes,
    .ghash = &ghash_vpclmul,
    .encrypt = crypt<false>,
    .decrypt = crypt<true>,
    .encrypt_message = crypt_message<false>,
    .decrypt_message = crypt_message<true>,
};

}  // namespace incore

#endif
