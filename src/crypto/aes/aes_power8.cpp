// AES with the POWER8 instructions (Power ISA 2.07B, Vector.AES; FIPS 197, SP 800-38A and 38E).
//
// Eight blocks at a time where they do not wait for each other, then up to four. No branch and no
// address depends on key or data.
#if defined(__powerpc64__)

#include "crypto/aes/aes_power8.h"

#include "crypto/aes/aes_power8_keys.h"
#include "crypto/aes/aes_power8_many.h"

namespace incore {
namespace {

using namespace power8;

constexpr size_t kWide = 8, kNarrow = 4;

// The modes whose blocks do not wait for each other are classes, for n blocks side by side. Their
// objects are made of key and iv; batch does |blocks| <= n blocks, and finish leaves the iv with
// which the message goes on. Fewer than n blocks only once, at the end. Within a batch all input is
// read before any output is written, so |out| may be |in|, or lie below it.
//
// Of fewer than n blocks the last is worked on several times.
template <size_t n>
POWER8_INLINE void load_blocks(uint8x16_p8 (&out_x)[n], const uint8_t* in, size_t blocks) {
  POWER8_UNROLL for (size_t i = 0; i < n; ++i) out_x[i] =
      VectorLoadBE(in + kAesBlockLen * (i < blocks ? i : blocks - 1));
}
template <size_t n>
POWER8_INLINE void store_blocks(uint8_t* out, const uint8x16_p8 (&x)[n], size_t blocks) {
  POWER8_UNROLL for (size_t i = 0; i < n; ++i) {
    if (i < blocks) VectorStoreBE(x[i], out + kAesBlockLen * i);
  }
}

template <template <size_t> class Mode>
[[gnu::noinline]] static void whole_batches(const AesKey& key, uint8_t* iv, const uint8_t* in,
                                            uint8_t* out, size_t batches) {
  Mode<kWide> mode(key, iv);
  for (; batches != 0; --batches) {
    mode.batch(in, out, kWide);
    in += kWide * kAesBlockLen, out += kWide * kAesBlockLen;
  }
  mode.finish(iv);
}

template <template <size_t> class Mode>
static void crypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  if (const size_t batches = blocks / kWide; batches != 0) {
    whole_batches<Mode>(key, iv, in, out, batches);
    in += batches * kWide * kAesBlockLen, out += batches * kWide * kAesBlockLen;
    blocks %= kWide;
  }
  while (blocks != 0) {
    const size_t n = blocks < kNarrow ? blocks : kNarrow;
    Mode<kNarrow> mode(key, iv);
    mode.batch(in, out, n);
    mode.finish(iv);
    in += n * kAesBlockLen, out += n * kAesBlockLen, blocks -= n;
  }
}

template <Direction direction, size_t n>
struct Ecb {
  RoundKeys<direction> keys;

  POWER8_INLINE_MEMBER Ecb(const AesKey& key, const uint8_t*) : keys(key) {}
  POWER8_INLINE_MEMBER void finish(uint8_t*) const {}

  POWER8_INLINE_MEMBER void batch(const uint8_t* in, uint8_t* out, size_t blocks) const {
    uint8x16_p8 x[n];
    load_blocks(x, in, blocks);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = vec_xor(x[i], keys.first);
    keys.inner_rounds(x);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = last_round<direction>(x[i], keys.last);
    store_blocks(out, x, blocks);
  }
};
template <size_t n>
using EcbEncrypt = Ecb<Direction::encrypt, n>;
template <size_t n>
using EcbDecrypt = Ecb<Direction::decrypt, n>;

template <template <size_t> class Mode>
static void ecb(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  crypt<Mode>(key, nullptr, in, out, blocks);
}

template <size_t n>
struct CbcDecrypt {
  RoundKeys<Direction::decrypt> keys;
  uint8x16_p8 chain;

  POWER8_INLINE_MEMBER CbcDecrypt(const AesKey& key, const uint8_t* iv)
      : keys(key), chain(VectorLoadBE(iv)) {}
  POWER8_INLINE_MEMBER void finish(uint8_t* iv) const { VectorStoreBE(chain, iv); }

  POWER8_INLINE_MEMBER void batch(const uint8_t* in, uint8_t* out, size_t blocks) {
    uint8x16_p8 x[n], data[n];
    load_blocks(data, in, blocks);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = vec_xor(data[i], keys.first);
    keys.inner_rounds(x);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) {
      x[i] = last_round<Direction::decrypt>(x[i], vec_xor(keys.last, chain));
      chain = data[i];
    }
    store_blocks(out, x, blocks);
  }
};

template <size_t n>
struct CfbDecrypt {
  RoundKeys<Direction::encrypt> keys;
  uint8x16_p8 chain;

  POWER8_INLINE_MEMBER CfbDecrypt(const AesKey& key, const uint8_t* iv)
      : keys(key), chain(VectorLoadBE(iv)) {}
  POWER8_INLINE_MEMBER void finish(uint8_t* iv) const { VectorStoreBE(chain, iv); }

  POWER8_INLINE_MEMBER void batch(const uint8_t* in, uint8_t* out, size_t blocks) {
    uint8x16_p8 x[n], data[n];
    load_blocks(data, in, blocks);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) {
      x[i] = vec_xor(chain, keys.first);
      chain = data[i];
    }
    keys.inner_rounds(x);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        last_round<Direction::encrypt>(x[i], vec_xor(keys.last, data[i]));
    store_blocks(out, x, blocks);
  }
};

__extension__ typedef __vector unsigned __int128 uint128x1_p8;

// The number |n| in 128 bits, its low byte on the right.
POWER8_INLINE uint8x16_p8 number(size_t n) {
  return as_u8(VectorFrom64BE(0, n));
}

template <unsigned counter_bits, size_t n>
struct Ctr {
  RoundKeys<Direction::encrypt> keys;
  uint8x16_p8 counter;

  POWER8_INLINE_MEMBER Ctr(const AesKey& key, const uint8_t* iv)
      : keys(key), counter(VectorLoadBE(iv)) {}
  POWER8_INLINE_MEMBER void finish(uint8_t* iv) const { VectorStoreBE(counter, iv); }

  // Adds to the counter's bits. A big-endian image is the number that the instructions see.
  POWER8_INLINE uint8x16_p8 plus(uint8x16_p8 x, uint8x16_p8 addend) {
    if constexpr (counter_bits == 16)
      return as_u8(
          vec_add(reinterpret_cast<uint16x8_p8>(x), reinterpret_cast<uint16x8_p8>(addend)));
    else if constexpr (counter_bits == 32)
      return as_u8(vec_add(as_u32(x), as_u32(addend)));
    else if constexpr (counter_bits == 64)
      return as_u8(vec_add(as_u64(x), as_u64(addend)));
    else
      return as_u8(
          vec_add(reinterpret_cast<uint128x1_p8>(x), reinterpret_cast<uint128x1_p8>(addend)));
  }

  POWER8_INLINE_MEMBER void batch(const uint8_t* in, uint8_t* out, size_t blocks) {
    uint8x16_p8 x[n], count = counter;
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) {
      x[i] = vec_xor(count, keys.first);
      count = plus(count, number(1));
    }
    counter = plus(counter, number(blocks));
    keys.inner_rounds(x);
    // The data stay in the order in which they are loaded most cheaply, and only the key stream is
    // brought into it.
    uint64x2_p8 data[n];
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) data[i] =
        VectorLoadDoublewords(in + kAesBlockLen * (i < blocks ? i : blocks - 1));
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) data[i] =
        vec_xor(data[i], VectorDoublewordsFromBE(vcipherlast(x[i], keys.last)));
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) {
      if (i < blocks) VectorStoreDoublewords(data[i], out + kAesBlockLen * i);
    }
  }
};
template <size_t n>
using Ctr16 = Ctr<16, n>;
template <size_t n>
using Ctr32 = Ctr<32, n>;
template <size_t n>
using Ctr64 = Ctr<64, n>;
template <size_t n>
using Ctr128 = Ctr<128, n>;

static void ctr(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
                unsigned counter_bits) {
  switch (counter_bits) {
    case 16:
      return crypt<Ctr16>(key, iv, in, out, blocks);
    case 32:
      return crypt<Ctr32>(key, iv, in, out, blocks);
    case 64:
      return crypt<Ctr64>(key, iv, in, out, blocks);
    default:
      return crypt<Ctr128>(key, iv, in, out, blocks);
  }
}

// Multiplication by alpha, the x of GF(2^128), and by its power 8: IEEE 1619 section 5.2. The
// number is little-endian, its first byte the lowest, and the modulus x^128 + x^7 + x^2 + x + 1.
POWER8_INLINE uint8x16_p8 times_alpha(uint8x16_p8 x) {
  const uint8x16_p8 carries = vec_sra(x, vec_splats(static_cast<unsigned char>(7)));
  const uint8x16_p8 carried_to = as_u8(VectorFrom64BE(0x8701010101010101, 0x0101010101010101));
  return vec_xor(vec_add(x, x), vec_and(VectorRotateLeftBE<15>(carries), carried_to));
}
// The bytes move up by one; the last, c, leaves and comes back as its product with x^7 + x^2 + x +
// 1, of 15 bits. vpmsumb makes it in the last two bytes, without the 1 in the factor: then byte 0
// needs no zero to be added to, but takes c, which a rotation brings there.
// quote: times_alpha_8
POWER8_INLINE uint8x16_p8 times_alpha_8(uint8x16_p8 x) {
  const uint8x16_p8 factor = as_u8(VectorFrom64BE(0, 0x86));
  const uint8x16_p8 carry = as_u8(vpmsumb(x, factor));
  const uint8x16_p8 places = as_u8(VectorFrom64BE(0xFF0E102030405060, 0x708090A0B0C0D0E0));
  return vpermxor(x, carry, places);
}
// end of quote

template <Direction direction, size_t n>
struct Xts {
  RoundKeys<direction> keys;
  uint8x16_p8 tweaks[n];

  POWER8_INLINE_MEMBER Xts(const AesKey& key, const uint8_t* tweak) : keys(key) {
    tweaks[0] = VectorLoadBE(tweak);
    POWER8_UNROLL for (size_t i = 1; i < n; ++i) tweaks[i] = times_alpha(tweaks[i - 1]);
  }
  POWER8_INLINE_MEMBER void finish(uint8_t* tweak) const { VectorStoreBE(tweaks[0], tweak); }

  POWER8_INLINE_MEMBER void batch(const uint8_t* in, uint8_t* out, size_t blocks) {
    uint8x16_p8 x[n];
    load_blocks(x, in, blocks);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        vec_xor(x[i], vec_xor(keys.first, tweaks[i]));
    keys.inner_rounds(x);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        last_round<direction>(x[i], vec_xor(keys.last, tweaks[i]));
    store_blocks(out, x, blocks);
    next_tweaks(blocks);
  }

 private:
  // Of a narrow batch, which is the last of its object, only that of the next block.
  POWER8_INLINE_MEMBER void next_tweaks(size_t blocks) {
    if constexpr (n == 8) {
      POWER8_UNROLL for (size_t i = 0; i < n; ++i) tweaks[i] = times_alpha_8(tweaks[i]);
    } else {
      tweaks[0] = times_alpha(tweaks[0]);
      POWER8_UNROLL for (size_t i = 1; i < n; ++i) {
        if (i < blocks) tweaks[0] = times_alpha(tweaks[i]);
      }
    }
  }
};
template <size_t n>
using XtsEncrypt = Xts<Direction::encrypt, n>;
template <size_t n>
using XtsDecrypt = Xts<Direction::decrypt, n>;

// The chained modes keep the chain with the first round key added. The last round adds that, and
// what else the next block begins with, together with its own key: so a block waits for the one
// before no longer than its rounds take.
static void cbc_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                        size_t blocks) {
  if (blocks == 0) return;
  const RoundKeys<Direction::encrypt> keys(key);
  uint8x16_p8 x[1] = {vec_xor(vec_xor(VectorLoadBE(iv), VectorLoadBE(in)), keys.first)};
  for (; --blocks != 0; out += kAesBlockLen) {
    keys.inner_rounds(x);
    in += kAesBlockLen;
    const uint8x16_p8 next = vec_xor(VectorLoadBE(in), keys.first);
    x[0] = vcipherlast(x[0], vec_xor(keys.last, next));
    VectorStoreBE(vec_xor(x[0], next), out);
  }
  keys.inner_rounds(x);
  x[0] = vcipherlast(x[0], keys.last);
  VectorStoreBE(x[0], out);
  VectorStoreBE(x[0], iv);
}

static void cfb_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                        size_t blocks) {
  const RoundKeys<Direction::encrypt> keys(key);
  const uint8x16_p8 both = vec_xor(keys.first, keys.last);
  uint8x16_p8 x[1] = {vec_xor(VectorLoadBE(iv), keys.first)};
  for (; blocks != 0; --blocks, in += kAesBlockLen, out += kAesBlockLen) {
    keys.inner_rounds(x);
    x[0] = vcipherlast(x[0], vec_xor(both, VectorLoadBE(in)));
    VectorStoreBE(vec_xor(x[0], keys.first), out);
  }
  VectorStoreBE(vec_xor(x[0], keys.first), iv);
}

static void ofb(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  const RoundKeys<Direction::encrypt> keys(key);
  const uint8x16_p8 both = vec_xor(keys.first, keys.last);
  uint8x16_p8 x[1] = {vec_xor(VectorLoadBE(iv), keys.first)};
  for (; blocks != 0; --blocks, in += kAesBlockLen, out += kAesBlockLen) {
    keys.inner_rounds(x);
    x[0] = vcipherlast(x[0], both);
    VectorStoreBE(vec_xor(vec_xor(x[0], keys.first), VectorLoadBE(in)), out);
  }
  VectorStoreBE(vec_xor(x[0], keys.first), iv);
}

}  // namespace

constinit const AesKernel aes_power8 = {
    .info = {"power8", FeatureSet(Feature::vcrypto)},
    .expand_key = power8::expand_key,
    .invert_key = power8::invert_key,
    .load_key = power8::load_key,
    .ecb_encrypt = ecb<EcbEncrypt>,
    .ecb_decrypt = ecb<EcbDecrypt>,
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = crypt<CbcDecrypt>,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = crypt<CfbDecrypt>,
    .ofb = ofb,
    .ctr = ctr,
    .xts_encrypt = crypt<XtsEncrypt>,
    .xts_decrypt = crypt<XtsDecrypt>,
    .cbc_encrypt_many = encrypt_many<ChainMode::cbc>,
    .cfb_encrypt_many = encrypt_many<ChainMode::cfb>,
};

}  // namespace incore

#endif
