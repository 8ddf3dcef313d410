// The AES modes on x86 (SP 800-38A, SP 800-38E), one text over any rounds, for registers of one,
// two and four blocks. A kernel's file defines the words below and then includes aes_x86_record.h;
// all stays in its anonymous namespace.
//
// INCORE_AES_TARGET, the attribute of every function.
//
// Rounds, by whatever instructions, for Block and, if it is another type, for Vector:
//
//   encrypt_round(x, k)   a round of FIPS 197 section 5.1: SubBytes, ShiftRows, MixColumns, then k
//   encrypt_last(x, k)    the same without MixColumns
//   decrypt_round(x, k)   of the equivalent inverse cipher, section 5.3.5: InvShiftRows,
//   decrypt_last(x, k)    InvSubBytes, InvMixColumns (not in the last), then k
//   inv_mix_columns(x)    of a Block, for keys
//
// Registers, by including one of aes_x86_xmm.h, aes_x86_ymm.h and aes_x86_zmm.h:
//
//   Vector, kLanes        a register, and how many blocks it holds; if one, Vector is Block
//   shuffle_bytes(x, i)   as PSHUFB, in each lane
//   broadcast(b)          the Block b in every lane
//   shift_in(b, x)        the Block b, then all blocks of the Vector x but the last
//   join(b)               kLanes Blocks into one Vector
//   transpose(x)          block j of x[i] becomes block i of x[j], of kLanes Vectors
//
// Storage of a key: its round keys of 16 bytes, in the standard's order.
#pragma once

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/aes/aes_chained_modes.h"
#include "crypto/aes/aes_kernel.h"
#include "crypto/aes/aes_x86.h"

namespace incore {
namespace {

constexpr size_t kBatch = 8;  // vectors in flight: covers the latency of the instructions
constexpr size_t kBatchBlocks = kBatch * kLanes;

enum class Direction { encrypt, decrypt };

// |x| in every lane of a V.
template <class V>
INLINE V spread(Block x) {
  if constexpr (sizeof(V) == sizeof(Block))
    return x;
  else
    return broadcast(x);
}
template <class V>
INLINE V round_key(const AesKey& key, unsigned round) {
  return spread<V>(load<Block>(key.storage + kAesBlockLen * round));
}

// Sums of elements of type T, each for itself.
template <class T, class V>
INLINE V add(V a, V b) {
  typedef T Elements __attribute__((vector_size(sizeof(V))));
  return (V)((Elements)a + (Elements)b);
}
template <class V>
INLINE V shift_left(V a, int bits) {
  typedef uint64_t Elements __attribute__((vector_size(sizeof(V))));
  return (V)((Elements)a << bits);
}

template <Direction direction, class V>
INLINE V last_round(V x, V k) {
  return direction == Direction::encrypt ? encrypt_last(x, k) : decrypt_last(x, k);
}

template <Direction direction, class V, size_t n>
INLINE void one_round(V (&x)[n], const uint8_t* round_key) {
  const V k = spread<V>(load<Block>(round_key));
  UNROLL for (size_t i = 0; i < n; ++i) x[i] =
      direction == Direction::encrypt ? encrypt_round(x[i], k) : decrypt_round(x[i], k);
}

// What else is done between the rounds, to fill units of the CPU that the rounds leave idle: step
// |i| after round i + 1.
struct Nothing {
  static constexpr size_t kSteps = 0;
  INLINE void step(size_t) const {}
};

// All rounds but the last, on n vectors side by side that the first round key was added to.
template <Direction direction, class V, size_t n, class Between = Nothing>
INLINE void inner_rounds(const AesKey& key, V (&x)[n], const Between& between = {}) {
  const uint8_t* k = key.storage + kAesBlockLen;
  unsigned left = key.rounds - 1;
  if constexpr (n > 1) {
    size_t i = 0;
    for (; left != 0; --left, k += kAesBlockLen) {
      one_round<direction>(x, k);
      if (i < Between::kSteps) between.step(i++);
    }
    for (; i < Between::kSteps; ++i) between.step(i);
  } else {  // where the loop would cost more than the rounds: nine in a row, as AES-128 has
    if (left != 9) [[unlikely]] {
      for (; left != 9 && left != 0; --left, k += kAesBlockLen) one_round<direction>(x, k);
      if (left == 0) return;
    }
    UNROLL for (size_t i = 0; i < 9; ++i) one_round<direction>(x, k + kAesBlockLen * i);
  }
}

// The modes whose blocks do not wait for each other are classes. Their objects are made of key and
// iv, batch<V, n> does n vectors of type V, and finish leaves the iv with which the message goes
// on. Within a batch all input is read before any output is written, so |out| may be |in|, or lie
// below it.
template <class Mode>
[[gnu::noinline]] TARGET void each_batch(const AesKey& key, uint8_t* iv, const uint8_t* in,
                                         uint8_t* out, size_t blocks) {
  Mode mode(key, iv);
  for (; blocks >= kBatchBlocks; blocks -= kBatchBlocks) {
    mode.template batch<Vector, kBatch>(in, out);
    in += kAesBlockLen * kBatchBlocks, out += kAesBlockLen * kBatchBlocks;
  }
  if (blocks >= kBatchBlocks / 2) {
    mode.template batch<Vector, kBatch / 2>(in, out);
    in += kAesBlockLen * kBatchBlocks / 2, out += kAesBlockLen * kBatchBlocks / 2;
    blocks -= kBatchBlocks / 2;
  }
  if constexpr (kLanes > 1) {
    for (; blocks >= kLanes; blocks -= kLanes) {
      mode.template batch<Vector, 1>(in, out);
      in += sizeof(Vector), out += sizeof(Vector);
    }
  }
  for (; blocks != 0; --blocks) {
    mode.template batch<Block, 1>(in, out);
    in += kAesBlockLen, out += kAesBlockLen;
  }
  mode.finish(iv);
}

// A single block takes a way of its own, on which no register has to be saved.
template <class Mode>
TARGET void crypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  if (blocks != 1) return each_batch<Mode>(key, iv, in, out, blocks);
  Mode mode(key, iv);
  mode.template batch<Block, 1>(in, out);
  mode.finish(iv);
}

template <class V, size_t n>
INLINE void store_all(uint8_t* out, const V (&x)[n]) {
  UNROLL for (size_t i = 0; i < n; ++i) store(out + sizeof(V) * i, x[i]);
}

template <Direction direction>
struct Ecb {
  const AesKey& key;

  INLINE Ecb(const AesKey& k, uint8_t*) : key(k) {}
  INLINE void finish(uint8_t*) const {}

  template <class V, size_t n>
  INLINE void batch(const uint8_t* in, uint8_t* out) {
    V x[n];
    const V first = round_key<V>(key, 0);
    UNROLL for (size_t i = 0; i < n; ++i) x[i] = load<V>(in + sizeof(V) * i) ^ first;
    inner_rounds<direction>(key, x);
    const V last = round_key<V>(key, key.rounds);
    UNROLL for (size_t i = 0; i < n; ++i) x[i] = last_round<direction>(x[i], last);
    store_all(out, x);
  }
};

template <Direction direction>
TARGET void ecb(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  crypt<Ecb<direction>>(key, nullptr, in, out, blocks);
}

// The block before each block of |in|, the first one being |chain|. For vector i.
template <class V>
INLINE V blocks_before(Block chain, const uint8_t* in, size_t i) {
  if (i != 0) return load<V>(in + sizeof(V) * i - kAesBlockLen);
  if constexpr (sizeof(V) == sizeof(Block))
    return chain;
  else
    return shift_in(chain, load<V>(in));
}

struct CbcDecrypt {
  const AesKey& key;
  Block chain;

  INLINE CbcDecrypt(const AesKey& k, const uint8_t* iv) : key(k), chain(load<Block>(iv)) {}
  INLINE void finish(uint8_t* iv) const { store(iv, chain); }

  template <class V, size_t n>
  INLINE void batch(const uint8_t* in, uint8_t* out) {
    V x[n];
    const V first = round_key<V>(key, 0);
    UNROLL for (size_t i = 0; i < n; ++i) x[i] = load<V>(in + sizeof(V) * i) ^ first;
    inner_rounds<Direction::decrypt>(key, x);
    const V last = round_key<V>(key, key.rounds);
    UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        last_round<Direction::decrypt>(x[i], last ^ blocks_before<V>(chain, in, i));
    chain = load<Block>(in + sizeof(V) * n - kAesBlockLen);
    store_all(out, x);
  }
};

struct CfbDecrypt {
  const AesKey& key;
  Block chain;

  INLINE CfbDecrypt(const AesKey& k, const uint8_t* iv) : key(k), chain(load<Block>(iv)) {}
  INLINE void finish(uint8_t* iv) const { store(iv, chain); }

  template <class V, size_t n>
  INLINE void batch(const uint8_t* in, uint8_t* out) {
    V x[n];
    const V first = round_key<V>(key, 0);
    UNROLL for (size_t i = 0; i < n; ++i) x[i] = blocks_before<V>(chain, in, i) ^ first;
    inner_rounds<Direction::encrypt>(key, x);
    const V last = round_key<V>(key, key.rounds);
    UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        encrypt_last(x[i], last ^ load<V>(in + sizeof(V) * i));
    chain = load<Block>(in + sizeof(V) * n - kAesBlockLen);
    store_all(out, x);
  }
};

template <class V>
INLINE V reverse_bytes(V x) {
  return shuffle_bytes(
      x, spread<V>((Block)_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
}

alignas(64) constexpr uint64_t kLaneNumbers[8] = {0, 0, 1, 0, 2, 0, 3, 0};

template <unsigned counter_bits>
struct Ctr {
  const AesKey& key;
  Block counter;  // little-endian

  INLINE Ctr(const AesKey& k, const uint8_t* iv)
      : key(k), counter(reverse_bytes(load<Block>(iv))) {}
  INLINE void finish(uint8_t* iv) const { store(iv, reverse_bytes(counter)); }

  // Adds to the counter's bits; of 128, to the lower 64 without carry.
  template <class V>
  INLINE static V plus(V x, V n) {
    if constexpr (counter_bits == 16) return add<uint16_t>(x, n);
    if constexpr (counter_bits == 32) return add<uint32_t>(x, n);
    return add<uint64_t>(x, n);
  }
  INLINE static Block number(long long n) { return Block{n, 0}; }

  // True if the next |blocks| increments carry out of the lower 64 of 128 bits.
  INLINE bool carry_is_near(size_t blocks) const {
    const uint64_t low = static_cast<uint64_t>(counter[0]);
    return counter_bits == 128 && low + blocks < low;
  }

  template <class V, size_t n>
  INLINE void batch(const uint8_t* in, uint8_t* out) {
    constexpr size_t kBlocks = n * sizeof(V) / kAesBlockLen;
    V x[n];
    const V first = round_key<V>(key, 0);
    if (carry_is_near(kBlocks)) [[unlikely]] {
      uint8_t counters[sizeof x];
      for (size_t i = 0; i < kBlocks; ++i) {
        store(counters + kAesBlockLen * i, reverse_bytes(counter));
        counter = add<uint64_t>(counter, number(1));
        if (counter[0] == 0) counter = add<uint64_t>(counter, Block{0, 1});
      }
      UNROLL for (size_t i = 0; i < n; ++i) x[i] = load<V>(counters + sizeof(V) * i) ^ first;
    } else {
      V c = spread<V>(counter);
      if constexpr (sizeof(V) > sizeof(Block))
        c = plus(c, load<V>(reinterpret_cast<const uint8_t*>(kLaneNumbers)));
      const V step = spread<V>(number(sizeof(V) / kAesBlockLen));
      UNROLL for (size_t i = 0; i < n; ++i) {
        x[i] = reverse_bytes(c) ^ first;
        c = plus(c, step);
      }
      counter = plus(counter, number(kBlocks));
    }
    inner_rounds<Direction::encrypt>(key, x);
    const V last = round_key<V>(key, key.rounds);
    UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        encrypt_last(x[i], last ^ load<V>(in + sizeof(V) * i));
    store_all(out, x);
  }
};

void ctr(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
         unsigned counter_bits) {
  switch (counter_bits) {
    case 16:
      return crypt<Ctr<16>>(key, iv, in, out, blocks);
    case 32:
      return crypt<Ctr<32>>(key, iv, in, out, blocks);
    case 64:
      return crypt<Ctr<64>>(key, iv, in, out, blocks);
    default:
      return crypt<Ctr<128>>(key, iv, in, out, blocks);
  }
}

// Products with alpha^|bits| in GF(2^128), which is little-endian and modulo
// x^128 + x^7 + x^2 + x + 1: what leaves at the top, |c|, comes back at the bottom times
// x^7 + x^2 + x + 1. |bits| < 58.
template <int bits, class V>
INLINE V times_alpha_to(V x) {
  typedef uint64_t Elements __attribute__((vector_size(sizeof(V))));
  V rotated, c;
  if constexpr (bits % 8 == 0) {
    constexpr int k = bits / 8;
    uint8_t from[16] = {}, top[16] = {};
    UNROLL for (int i = 0; i < 16; ++i) {
      from[i] = static_cast<uint8_t>((i - k) & 15);
      top[i] = static_cast<uint8_t>(i < k ? 16 - k + i : 0x80);
    }
    rotated = shuffle_bytes(x, spread<V>(load<Block>(from)));
    c = shuffle_bytes(x, spread<V>(load<Block>(top)));
  } else {
    const Block swap = (Block)_mm_set_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    const V out = shuffle_bytes((V)((Elements)x >> (64 - bits)), spread<V>(swap));
    rotated = shift_left(x, bits) ^ out;
    c = out & spread<V>(Block{-1, 0});
  }
  const V c1 = add<uint64_t>(c, c), c2 = add<uint64_t>(c1, c1);
  return (rotated ^ c1 ^ c2) ^ shift_left(c, 7);
}

// The tweaks of the next batch from those of this one, a vector a step.
struct NextTweaks {
  static constexpr size_t kSteps = kBatch;
  const uint8_t* tweaks;
  uint8_t* out_next;

  INLINE void step(size_t i) const {
    const Vector t = load<Vector>(tweaks + sizeof(Vector) * i);
    store(out_next + sizeof(Vector) * i, times_alpha_to<8 * kLanes>(t));
  }
};

template <Direction direction>
struct Xts {
  const AesKey& key;
  // Where the tweaks of the next batch are, and a place for those of the one behind it. Smaller
  // batches, at the message's end, use them up one by one.
  uint8_t *tweaks = buffers[0], *spare = buffers[1];
  alignas(64) uint8_t buffers[2][kAesBlockLen * kBatchBlocks];

  INLINE Xts(const AesKey& k, const uint8_t* tweak) : key(k) {
    Block lanes[kLanes] = {load<Block>(tweak)};
    if constexpr (kLanes > 1) lanes[1] = times_alpha_to<1>(lanes[0]);
    if constexpr (kLanes > 2) {
      lanes[2] = times_alpha_to<2>(lanes[0]);
      lanes[3] = times_alpha_to<3>(lanes[0]);
    }
    Vector t[kBatch] = {join(lanes)};
    t[1] = times_alpha_to<kLanes>(t[0]);
    UNROLL for (size_t i = 2; i < 4; ++i) t[i] = times_alpha_to<2 * kLanes>(t[i - 2]);
    UNROLL for (size_t i = 4; i < 8; ++i) t[i] = times_alpha_to<4 * kLanes>(t[i - 4]);
    static_assert(kBatch == 8);
    store_all(tweaks, t);
  }
  INLINE void finish(uint8_t* tweak) {
    store(tweak, load<Block>(tweaks));
    const Vector zeros[2 * kBatch] = {};
    store_all(buffers[0], zeros);
    __asm__ volatile("" : : "r"(buffers) : "memory");  // as in base/wipe.h
  }

  template <class V, size_t n>
  INLINE void batch(const uint8_t* in, uint8_t* out) {
    V x[n];
    const V first = round_key<V>(key, 0);
    UNROLL for (size_t i = 0; i < n; ++i) {
      x[i] = load<V>(in + sizeof(V) * i) ^ first ^ load<V>(tweaks + sizeof(V) * i);
    }
    if constexpr (n == kBatch)
      inner_rounds<direction>(key, x, NextTweaks{tweaks, spare});
    else
      inner_rounds<direction>(key, x);
    const V last = round_key<V>(key, key.rounds);
    UNROLL for (size_t i = 0; i < n; ++i) x[i] =
        last_round<direction>(x[i], last ^ load<V>(tweaks + sizeof(V) * i));
    store_all(out, x);
    if constexpr (n == kBatch) {
      uint8_t* const used = tweaks;
      tweaks = spare;
      spare = used;
    } else {
      tweaks += sizeof x;
    }
  }
};

// For aes_chained_modes.h.
struct EncryptKeys {
  using State = Block;
  const AesKey& key;
  Block first = round_key<Block>(key, 0), last = round_key<Block>(key, key.rounds);

  INLINE explicit EncryptKeys(const AesKey& k) : key(k) {}
  INLINE void inner_rounds(Block (&x)[1]) const {
    incore::inner_rounds<Direction::encrypt>(key, x);
  }
  INLINE static Block last_round(Block x, Block k) { return encrypt_last(x, k); }
  INLINE static Block load(const uint8_t* p) { return incore::load<Block>(p); }
  INLINE static void store(Block x, uint8_t* p) { incore::store(p, x); }
};

}  // namespace
}  // namespace incore
