// GCM with vcipher and vpmsumd (Power ISA 2.07B): eight blocks are encrypted while the eight before
// them (decryption: the same eight) are hashed. Both instructions go to the one unit that starts
// one of them each cycle, and each takes six cycles: neither waits for its own results here.
#if defined(__powerpc64__)

#include "crypto/aes/aes_power8.h"
#include "crypto/gcm/gcm.h"
#include "crypto/ghash/ghash_power8.h"

namespace incore {
namespace {

using namespace power8;

constexpr size_t kBatch = 8;
constexpr size_t kBatchLen = kBatch * kAesBlockLen;

// No instruction: what follows is computed after |x| and |sum|. Else GCC 12 does all rounds first
// and all multiplications behind them, and then has nothing to do while it waits for the last ones.
POWER8_INLINE void keep_order(uint8x16_p8& x, Sum& sum) {
  __asm__ volatile("" : "+v"(x), "+v"(sum.low), "+v"(sum.middle), "+v"(sum.high));
}

// Eight blocks of text, the first by |counter|, which goes on. |hashing|: and GHASH over the eight
// at |hashed|; returns the state.
template <bool hashing>
POWER8_INLINE uint64x2_p8 crypt_batch(const GcmKey& key, uint32x4_p8& counter, const uint8_t* in,
                                      uint8_t* out, const uint8_t* hashed, uint64x2_p8 y) {
  constexpr Direction kForward = Direction::encrypt;
  const uint32x4_p8 one = as_u32(VectorFrom64BE(0, 1));
  uint8x16_p8 x[kBatch];
  uint8x16_p8 k = round_key<kForward>(key.aes, 0);
  POWER8_UNROLL for (size_t i = 0; i < kBatch; ++i) {
    x[i] = vec_xor(as_u8(counter), k);
    counter = vec_add(counter, one);  // in its last word alone, as inc32 does
  }
  // quote: rounds
  Sum sum = {};
  // As many rounds as all key lengths have, with a pair of blocks to hash in every other; the pair
  // that waits for the state comes last. Then the rounds that are left.
  POWER8_UNROLL for (unsigned round = 1; round < 10; ++round) {
    one_round<kForward>(x, round_key<kForward>(key.aes, round));
    if (!hashing || round % 2 != 0) continue;
    const uint8_t* const blocks = hashed + kGhashBlockLen * (round % kBatch);
    add_products(sum, round == kBatch ? load_pair(blocks, y) : load_pair(blocks),
                 load_powers(key.hash, kBatch - round % kBatch));
    keep_order(x[kBatch - 1], sum);
  }
  for (unsigned round = 10; round < key.aes.rounds; ++round)
    one_round<kForward>(x, round_key<kForward>(key.aes, round));
  // end of quote
  k = round_key<kForward>(key.aes, key.aes.rounds);
  if (hashing) y = reduce(sum);
  uint64x2_p8 text[kBatch];
  POWER8_UNROLL for (size_t i = 0; i < kBatch; ++i) text[i] =
      vec_xor(VectorLoadDoublewords(in, kAesBlockLen * i),
              VectorDoublewordsFromBE(last_round<kForward>(x[i], k)));
  POWER8_UNROLL for (size_t i = 0; i < kBatch; ++i)
      VectorStoreDoublewords(text[i], out, kAesBlockLen * i);
  return y;
}

template <bool decrypting>
void crypt(const GcmKey& key, uint8_t* counter, bool, uint8_t* state, const uint8_t* in,
           uint8_t* out, size_t blocks) {
  if (blocks >= kBatch) {
    uint32x4_p8 count = as_u32(VectorLoadBE(counter));
    uint64x2_p8 y = load_number(state);
    if (!decrypting) {  // what is hashed lies one batch behind
      crypt_batch<false>(key, count, in, out, nullptr, y);
      blocks -= kBatch, in += kBatchLen, out += kBatchLen;
    }
    for (; blocks >= kBatch; blocks -= kBatch, in += kBatchLen, out += kBatchLen)
      y = crypt_batch<true>(key, count, in, out, decrypting ? in : out - kBatchLen, y);
    store_number(state, y);
    if (!decrypting) key.hash.kernel->update(key.hash, state, out - kBatchLen, kBatch);
    VectorStoreBE(as_u8(count), counter);
  }
  if (decrypting) key.hash.kernel->update(key.hash, state, in, blocks);
  key.aes.kernel->ctr(key.aes, counter, in, out, blocks, 32);
  if (!decrypting) key.hash.kernel->update(key.hash, state, out, blocks);
}

}  // namespace

constinit const GcmLoop gcm_power8 = {
    .aes = &aes_power8,
    .ghash = &ghash_power8,
    .encrypt = crypt<false>,
    .decrypt = crypt<true>,
    .encrypt_message = nullptr,
    .decrypt_message = nullptr,
};

}  // namespace incore

#endif
