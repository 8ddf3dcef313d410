// AES with the POWER8 instructions (Power ISA 2.07B, Vector.AES; FIPS 197, SP 800-38A and 38E).
//
// Eight blocks at a time where they do not wait for each other, then up to four. No branch and no
// address depends on key or data.
#if defined(__powerpc64__)

#include "crypto/aes/aes_power8.h"

#define INCORE_AES_TARGET  // the whole file is compiled for POWER8
#include "crypto/aes/aes_chained_modes.h"
#include "crypto/aes/aes_power8_keys.h"
#include "crypto/aes/aes_power8_many.h"

namespace incore {
namespace {

using namespace power8;

constexpr size_t kWide = 8, kNarrow = 4;
constexpr size_t kWideLen = kWide * kAesBlockLen;

// The modes whose blocks do not wait for each other are classes, for n blocks side by side with a
// key of |rounds| rounds (0: any). Their objects are made of key and iv.
//   begin(in, blocks, x)       reads and makes what the rounds start from
//   end(x, blocks)             the last round; moves on to the next blocks
//   store(x, in, out, blocks)  writes the output, once all of |in| has been read
//   finish(iv)                 leaves the iv with which the message goes on
// Fewer than n blocks only once, at the end: then the last of them is worked on several times.
template <size_t n>
POWER8_INLINE void load_blocks(const uint8_t* in, size_t blocks, uint8x16_p8 (&out_x)[n]) {
  POWER8_UNROLL for (size_t i = 0; i < n; ++i) out_x[i] =
      VectorLoadBE(in + kAesBlockLen * (i < blocks ? i : blocks - 1));
}
template <size_t n>
POWER8_INLINE void store_blocks(const uint8x16_p8 (&x)[n], uint8_t* out, size_t blocks) {
  POWER8_UNROLL for (size_t i = 0; i < n; ++i) {
    if (i < blocks) VectorStoreBE(x[i], out + kAesBlockLen * i);
  }
}

// A batch begins before the output of the one before is written, so that its rounds follow without
// a pause. Behind the last batch its own input is read once more, for nothing.
template <template <unsigned, size_t> class Mode, unsigned rounds>
[[gnu::noinline]] static void whole_batches(const AesKey& key, uint8_t* iv, const uint8_t* in,
                                            uint8_t* out, size_t batches) {
  Mode<rounds, kWide> mode(key, iv);
  uint8x16_p8 x[kWide], y[kWide];
  mode.begin(in, kWide, x);
  for (; batches != 0; --batches) {
    mode.keys.inner_rounds(x);
    mode.end(x, kWide);
    POWER8_UNROLL for (size_t i = 0; i < kWide; ++i) y[i] = x[i];
    const uint8_t* const in_now = in;
    in += batches == 1 ? 0 : kWideLen;
    mode.begin(in, kWide, x);
    mode.store(y, in_now, out, kWide);
    out += kWideLen;
  }
  mode.finish(iv);
}

template <template <unsigned, size_t> class Mode, size_t n>
POWER8_INLINE void one_batch(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                             size_t blocks) {
  Mode<0, n> mode(key, iv);
  uint8x16_p8 x[n];
  mode.begin(in, blocks, x);
  mode.keys.inner_rounds(x);
  mode.end(x, blocks);
  mode.store(x, in, out, blocks);
  mode.finish(iv);
}

template <template <unsigned, size_t> class Mode>
static void crypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  const unsigned rounds = key.rounds;
  if (blocks >= kWide && (rounds == 10 || rounds == 12 || rounds == 14)) {
    const auto batches = rounds == 10   ? whole_batches<Mode, 10>
                         : rounds == 12 ? whole_batches<Mode, 12>
                                        : whole_batches<Mode, 14>;
    batches(key, iv, in, out, blocks / kWide);
    in += blocks / kWide * kWideLen, out += blocks / kWide * kWideLen, blocks %= kWide;
  }
  for (size_t n; blocks != 0; blocks -= n, in += n * kAesBlockLen, out += n * kAesBlockLen) {
    n = blocks < kNarrow ? blocks : kNarrow;
    if (n == 1)
      one_batch<Mode, 1>(key, iv, in, out, 1);
    else
      one_batch<Mode, kNarrow>(key, iv, in, out, n);
  }
}

template <Direction direction, unsigned rounds, size_t n>
struct Ecb {
  RoundKeys<direction, rounds> keys;

  POWER8_INLINE_MEMBER Ecb(const AesKey& key, const uint8_t*) : keys(key) {}
  POWER8_INLINE_MEMBER void finish(uint8_t*) const {}

  POWER8_INLINE_MEMBER void begin(const uint8_t* in, size_t blocks, uint8x16_p8 (&x)[n]) const {
    load_blocks(in, blocks, x);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = vec_xor(x[i], keys.first);
  }
  POWER8_INLINE_MEMBER void end(uint8x16_p8 (&x)[n], size_t) const {
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = last_round<direction>(x[i], keys.last);
  }
  POWER8_INLINE_MEMBER void store(const uint8x16_p8 (&x)[n], const uint8_t*, uint8_t* out,
                                  size_t blocks) const {
    store_blocks(x, out, blocks);
  }
};
template <unsigned rounds, size_t n>
using EcbEncrypt = Ecb<Direction::encrypt, rounds, n>;
template <unsigned rounds, size_t n>
using EcbDecrypt = Ecb<Direction::decrypt, rounds, n>;

template <template <unsigned, size_t> class Mode>
static void ecb(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  crypt<Mode>(key, nullptr, in, out, blocks);
}

// Decryption in CBC and CFB128: what they share.
template <Direction direction, unsigned rounds, size_t n>
struct Chained {
  RoundKeys<direction, rounds> keys;
  uint8x16_p8 chain, data[n];

  POWER8_INLINE_MEMBER Chained(const AesKey& key, const uint8_t* iv)
      : keys(key), chain(VectorLoadBE(iv)) {}
  POWER8_INLINE_MEMBER void finish(uint8_t* iv) const { VectorStoreBE(chain, iv); }

  POWER8_INLINE_MEMBER uint8x16_p8 before(size_t i) const { return i == 0 ? chain : data[i - 1]; }

  POWER8_INLINE_MEMBER void store(const uint8x16_p8 (&x)[n], const uint8_t*, uint8_t* out,
                                  size_t blocks) const {
    store_blocks(x, out, blocks);
  }
};

template <unsigned rounds, size_t n>
struct CbcDecrypt : Chained<Direction::decrypt, rounds, n> {
  using Base = Chained<Direction::decrypt, rounds, n>;
  using Base::Base, Base::keys, Base::data, Base::chain, Base::before;

  POWER8_INLINE_MEMBER void begin(const uint8_t* in, size_t blocks, uint8x16_p8 (&x)[n]) {
    load_blocks(in, blocks, data);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = vec_xor(data[i], keys.first);
  }
  POWER8_INLINE_MEMBER void end(uint8x16_p8 (&x)[n], size_t) {
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        vncipherlast(x[i], vec_xor(keys.last, before(i)));
    chain = data[n - 1];
  }
};

template <unsigned rounds, size_t n>
struct CfbDecrypt : Chained<Direction::encrypt, rounds, n> {
  using Base = Chained<Direction::encrypt, rounds, n>;
  using Base::Base, Base::keys, Base::data, Base::chain, Base::before;

  POWER8_INLINE_MEMBER void begin(const uint8_t* in, size_t blocks, uint8x16_p8 (&x)[n]) {
    load_blocks(in, blocks, data);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = vec_xor(before(i), keys.first);
  }
  POWER8_INLINE_MEMBER void end(uint8x16_p8 (&x)[n], size_t) {
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        vcipherlast(x[i], vec_xor(keys.last, data[i]));
    chain = data[n - 1];
  }
};

// The number |n| in all of 128 bits.
POWER8_INLINE uint8x16_p8 number(size_t n) {
  return as_u8(VectorFrom64BE(0, n));
}

// The sum in the last |counter_bits| bits; the second number is smaller than they can hold. In a
// big-endian image the counter is the last element of its width, and its carry is lost.
template <unsigned counter_bits>
POWER8_INLINE uint8x16_p8 add(uint8x16_p8 a, uint8x16_p8 b) {
  if constexpr (counter_bits == 16)
    return reinterpret_cast<uint8x16_p8>(
        vec_add(reinterpret_cast<uint16x8_p8>(a), reinterpret_cast<uint16x8_p8>(b)));
  else if constexpr (counter_bits == 32)
    return as_u8(vec_add(as_u32(a), as_u32(b)));
  else if constexpr (counter_bits == 64)
    return as_u8(vec_add(as_u64(a), as_u64(b)));
  else
    return vadduqm(a, b);
}

template <unsigned counter_bits>
struct Counter {
  template <unsigned rounds, size_t n>
  struct Ctr {
    RoundKeys<Direction::encrypt, rounds> keys;
    uint8x16_p8 counter;

    POWER8_INLINE_MEMBER Ctr(const AesKey& key, const uint8_t* iv)
        : keys(key), counter(VectorLoadBE(iv)) {}
    POWER8_INLINE_MEMBER void finish(uint8_t* iv) const { VectorStoreBE(counter, iv); }

    POWER8_INLINE_MEMBER void begin(const uint8_t*, size_t, uint8x16_p8 (&x)[n]) const {
      // In steps of two, which wait for each other half as often.
      x[0] = counter;
      if constexpr (n > 1) x[1] = add<counter_bits>(counter, number(1));
      POWER8_UNROLL for (size_t i = 2; i < n; ++i) x[i] = add<counter_bits>(x[i - 2], number(2));
      POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = vec_xor(x[i], keys.first);
    }
    POWER8_INLINE_MEMBER void end(uint8x16_p8 (&x)[n], size_t blocks) {
      POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] = vcipherlast(x[i], keys.last);
      counter = add<counter_bits>(counter, number(blocks));
    }
    // The data stay in the order in which they are loaded at the least cost; the key stream is
    // brought into it.
    POWER8_INLINE_MEMBER void store(const uint8x16_p8 (&x)[n], const uint8_t* in, uint8_t* out,
                                    size_t blocks) const {
      uint64x2_p8 data[n];
      POWER8_UNROLL for (size_t i = 0; i < n; ++i) data[i] =
          vec_xor(VectorLoadDoublewords(in + kAesBlockLen * (i < blocks ? i : blocks - 1)),
                  VectorDoublewordsFromBE(x[i]));
      POWER8_UNROLL for (size_t i = 0; i < n; ++i) {
        if (i < blocks) VectorStoreDoublewords(data[i], out + kAesBlockLen * i);
      }
    }
  };
};

static void ctr(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
                unsigned counter_bits) {
  switch (counter_bits) {
    case 16:
      return crypt<Counter<16>::Ctr>(key, iv, in, out, blocks);
    case 32:
      return crypt<Counter<32>::Ctr>(key, iv, in, out, blocks);
    case 64:
      return crypt<Counter<64>::Ctr>(key, iv, in, out, blocks);
    default:
      return crypt<Counter<128>::Ctr>(key, iv, in, out, blocks);
  }
}

// Multiplication by alpha, the x of GF(2^128), and by its power 8: IEEE 1619 section 5.2. The
// number is little-endian, its first byte the lowest, and the modulus x^128 + x^7 + x^2 + x + 1.
POWER8_INLINE uint8x16_p8 times_alpha(uint8x16_p8 x) {
  const uint8x16_p8 carries = vec_sra(x, vec_splats(static_cast<unsigned char>(7)));
  const uint8x16_p8 carried_to = as_u8(VectorFrom64BE(0x8701010101010101, 0x0101010101010101));
  return vec_xor(vec_add(x, x), vec_and(VectorRotateLeftBE<15>(carries), carried_to));
}

// The bytes move up by one, and the last, c, goes to byte 0. There its product with x^7 + x^2 + x +
// 1 belongs, which has 15 bits: vpmsumb leaves that with x^7 + x^2 + x in the last two bytes, zeros
// in the others. |places| says for each byte which one of x (first digit) and of the carry is
// added.
POWER8_INLINE uint8x16_p8 times_alpha_8(uint8x16_p8 x) {
  const uint8x16_p8 factor = as_u8(VectorFrom64BE(0, 0x86));
  const uint8x16_p8 carry = as_u8(vpmsumb(x, factor));
  const uint8x16_p8 places = as_u8(VectorFrom64BE(0xFF0E102030405060, 0x708090A0B0C0D0E0));
  return vpermxor(x, carry, places);
}

template <Direction direction, unsigned rounds, size_t n>
struct Xts {
  RoundKeys<direction, rounds, false> keys;  // the tweaks need the registers
  uint8x16_p8 tweaks[n];

  POWER8_INLINE_MEMBER Xts(const AesKey& key, const uint8_t* tweak) : keys(key) {
    tweaks[0] = VectorLoadBE(tweak);
    POWER8_UNROLL for (size_t i = 1; i < n; ++i) tweaks[i] = times_alpha(tweaks[i - 1]);
  }
  POWER8_INLINE_MEMBER void finish(uint8_t* tweak) const { VectorStoreBE(tweaks[0], tweak); }

  POWER8_INLINE_MEMBER void begin(const uint8_t* in, size_t blocks, uint8x16_p8 (&x)[n]) const {
    load_blocks(in, blocks, x);
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        vec_xor(x[i], vec_xor(keys.first, tweaks[i]));
  }
  POWER8_INLINE_MEMBER void end(uint8x16_p8 (&x)[n], size_t blocks) {
    POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        last_round<direction>(x[i], vec_xor(keys.last, tweaks[i]));
    if constexpr (n == 8) {
      POWER8_UNROLL for (size_t i = 0; i < n; ++i) tweaks[i] = times_alpha_8(tweaks[i]);
    } else {  // the only batch of its object: the tweak of the block behind it
      POWER8_UNROLL for (size_t i = 1; i < n; ++i) {
        if (i < blocks) tweaks[0] = tweaks[i];
      }
      tweaks[0] = times_alpha(tweaks[0]);
    }
  }
  POWER8_INLINE_MEMBER void store(const uint8x16_p8 (&x)[n], const uint8_t*, uint8_t* out,
                                  size_t blocks) const {
    store_blocks(x, out, blocks);
  }
};
template <unsigned rounds, size_t n>
using XtsEncrypt = Xts<Direction::encrypt, rounds, n>;
template <unsigned rounds, size_t n>
using XtsDecrypt = Xts<Direction::decrypt, rounds, n>;

// For aes_chained_modes.h.
struct EncryptKeys : RoundKeys<Direction::encrypt, 0> {
  using State = uint8x16_p8;
  using RoundKeys::RoundKeys;

  POWER8_INLINE_MEMBER static State last_round(State x, State k) { return vcipherlast(x, k); }
  POWER8_INLINE_MEMBER static State load(const uint8_t* p) { return VectorLoadBE(p); }
  POWER8_INLINE_MEMBER static void store(State x, uint8_t* p) { VectorStoreBE(x, p); }
};

}  // namespace

constinit const AesKernel aes_power8 = {
    .info = {"power8", FeatureSet(Feature::vcrypto)},
    .expand_key = power8::expand_key,
    .invert_key = power8::invert_key,
    .load_key = power8::load_key,
    .ecb_encrypt = ecb<EcbEncrypt>,
    .ecb_decrypt = ecb<EcbDecrypt>,
    .cbc_encrypt = cbc_encrypt<EncryptKeys>,
    .cbc_decrypt = crypt<CbcDecrypt>,
    .cfb_encrypt = cfb_encrypt<EncryptKeys>,
    .cfb_decrypt = crypt<CfbDecrypt>,
    .ofb = ofb<EncryptKeys>,
    .ctr = ctr,
    .xts_encrypt = crypt<XtsEncrypt>,
    .xts_decrypt = crypt<XtsDecrypt>,
    .cbc_encrypt_many = encrypt_many<ChainMode::cbc>,
    .cfb_encrypt_many = encrypt_many<ChainMode::cfb>,
    .stack = 1024,
};

}  // namespace incore

#endif
