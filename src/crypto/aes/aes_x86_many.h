// CBC and CFB128 encryption of many messages side by side: the text of aes_x86_modes.h continued. A
// chained mode waits for each block; other messages fill the time. Every lane has a message of its
// own and the round keys of that message's key.
#pragma once

#include "crypto/aes/aes_plain_modes.h"
#include "crypto/aes/aes_x86_modes.h"

namespace incore {
namespace {

enum class ChainMode { cbc, cfb };

// What all lanes have in common: the mode and the number of rounds.
template <ChainMode mode, unsigned rounds>
class Lanes {
 public:
  // All chains with |rounds| rounds.
  TARGET void encrypt(const AesChain* chains, size_t num_chains) {
    const AesChain* const end = chains + num_chains;
    for (;;) {
      for (; num_busy_ < kNumLanes && chains != end; ++chains)
        if (chains->key->rounds == rounds && chains->blocks != 0) begin(num_busy_++, *chains);
      if (num_busy_ == 0) break;
      for (size_t lane = num_busy_; lane < kNumLanes; ++lane) copy(0, lane);
      size_t blocks = lanes_[0].blocks;
      for (const AesChain& lane : lanes_)
        if (lane.blocks < blocks) blocks = lane.blocks;
      step(blocks);
      for (size_t lane = num_busy_; lane-- != 0;) advance(lane, blocks);
    }
    wipe(keys_);
    wipe(chain_);
    wipe(data_);
  }

 private:
  // Enough for the latency of the instructions, of which a CPU starts as many bits a cycle in
  // either width.
  static constexpr size_t kGroups = kLanes == 4 ? 4 : 8;
  static constexpr size_t kNumLanes = kGroups * kLanes;
  static constexpr size_t kRun = 16;  // blocks of each lane that are read at a time
  // Rounds whose keys stay in registers: AVX-512 has room, and would wait for memory otherwise.
  static constexpr unsigned kRoundsHeld = kLanes == 4 ? 3 : 0;

  INLINE void begin(size_t lane, const AesChain& chain) {
    lanes_[lane] = chain;
    for (unsigned r = 0; r <= rounds; ++r)
      store(keys_[r] + kAesBlockLen * lane, load<Block>(chain.key->storage + kAesBlockLen * r));
    store(chain_ + kAesBlockLen * lane, load<Block>(chain.iv));
  }

  INLINE void copy(size_t from, size_t to) {
    lanes_[to] = lanes_[from];
    for (unsigned r = 0; r <= rounds; ++r)
      store(keys_[r] + kAesBlockLen * to, load<Block>(keys_[r] + kAesBlockLen * from));
    store(chain_ + kAesBlockLen * to, load<Block>(chain_ + kAesBlockLen * from));
  }

  // The last busy lane takes the place of one that is done, so that the busy ones are the first.
  INLINE void advance(size_t lane, size_t blocks) {
    AesChain& c = lanes_[lane];
    c.in += kAesBlockLen * blocks, c.out += kAesBlockLen * blocks, c.blocks -= blocks;
    if (c.blocks != 0) return;
    store(c.iv, load<Block>(chain_ + kAesBlockLen * lane));
    if (lane != --num_busy_) copy(num_busy_, lane);
  }

  // |blocks| blocks of all lanes. Idle lanes do what lane 0 does, and write the same bytes to the
  // same place.
  INLINE void step(size_t blocks) {
    Vector first[kGroups], both[kGroups], x[kGroups], held[kRoundsHeld + 1][kGroups];
    UNROLL for (size_t g = 0; g < kGroups; ++g) {
      first[g] = key(0, g);
      both[g] = first[g] ^ key(rounds, g);
      x[g] = first[g] ^ load<Vector>(chain_ + sizeof(Vector) * g);
    }
    UNROLL for (unsigned r = 1; r <= kRoundsHeld; ++r) {
      UNROLL for (size_t g = 0; g < kGroups; ++g) held[r][g] = key(r, g);
    }
    const Vector zeros = {};
    for (size_t done = 0; done != blocks;) {
      const size_t n = blocks - done < kRun ? blocks - done : kRun;
      read(kAesBlockLen * done, n);
      // As in cbc_encrypt, the last round adds what the next block begins with: its first round key
      // and, in CBC, its data; behind the last block of a run stand zeros instead.
      UNROLL for (size_t g = 0; g < kGroups; ++g) {
        if (mode == ChainMode::cbc) x[g] ^= data(0, g);
        store(data_[n] + sizeof(Vector) * g, zeros);
      }
      for (size_t block = 0; block < n; ++block) {
        UNROLL for (unsigned r = 1; r < rounds; ++r) {
          UNROLL for (size_t g = 0; g < kGroups; ++g) x[g] =
              encrypt_round(x[g], r <= kRoundsHeld ? held[r][g] : key(r, g));
        }
        UNROLL for (size_t g = 0; g < kGroups; ++g) {
          const Vector added = data(mode == ChainMode::cbc ? block + 1 : block, g);
          x[g] = encrypt_last(x[g], both[g] ^ added);
          store(data_[block] + sizeof(Vector) * g,
                mode == ChainMode::cbc ? x[g] ^ first[g] ^ added : x[g] ^ first[g]);
        }
      }
      write(kAesBlockLen * done, n);
      done += n;
    }
    UNROLL for (size_t g = 0; g < kGroups; ++g) store(chain_ + sizeof(Vector) * g, x[g] ^ first[g]);
  }

  INLINE Vector key(unsigned round, size_t g) const {
    return load<Vector>(keys_[round] + sizeof(Vector) * g);
  }
  INLINE Vector data(size_t block, size_t g) const {
    return load<Vector>(data_[block] + sizeof(Vector) * g);
  }

  // The next |n| blocks of each lane, which stand |offset| bytes behind where it is, into data_. A
  // few messages at a time: they often stand a power of two apart, and then the cache holds the
  // same place of no more than eight.
  INLINE void read(size_t offset, size_t n) {
    const size_t in_vectors = n / kLanes * kLanes;
    for (size_t g = 0; g < kGroups; ++g)
      for (size_t block = 0; block != in_vectors; block += kLanes) {
        Vector x[kLanes];
        UNROLL for (size_t i = 0; i < kLanes; ++i) x[i] =
            load<Vector>(lanes_[g * kLanes + i].in + offset + kAesBlockLen * block);
        transpose(x);
        UNROLL for (size_t i = 0; i < kLanes; ++i)
            store(data_[block + i] + sizeof(Vector) * g, x[i]);
      }
    for (size_t lane = 0; lane < kNumLanes; ++lane)
      for (size_t block = in_vectors; block < n; ++block)
        store(data_[block] + kAesBlockLen * lane,
              load<Block>(lanes_[lane].in + offset + kAesBlockLen * block));
  }

  // And back from data_.
  INLINE void write(size_t offset, size_t n) const {
    const size_t in_vectors = n / kLanes * kLanes;
    for (size_t g = 0; g < kGroups; ++g)
      for (size_t block = 0; block != in_vectors; block += kLanes) {
        Vector x[kLanes];
        UNROLL for (size_t i = 0; i < kLanes; ++i) x[i] = data(block + i, g);
        transpose(x);
        UNROLL for (size_t i = 0; i < kLanes; ++i)
            store(lanes_[g * kLanes + i].out + offset + kAesBlockLen * block, x[i]);
      }
    for (size_t lane = 0; lane < kNumLanes; ++lane)
      for (size_t block = in_vectors; block < n; ++block)
        store(lanes_[lane].out + offset + kAesBlockLen * block,
              load<Block>(data_[block] + kAesBlockLen * lane));
  }

  alignas(64) uint8_t keys_[rounds + 1][kNumLanes * kAesBlockLen];
  alignas(64) uint8_t chain_[kNumLanes * kAesBlockLen];
  alignas(64) uint8_t data_[kRun + 1][kNumLanes * kAesBlockLen];  // of the run at work
  AesChain lanes_[kNumLanes];                                     // what each has left
  size_t num_busy_ = 0;
};

template <ChainMode mode, unsigned rounds>
TARGET void encrypt_in_lanes(const AesChain* chains, size_t num_chains) {
  Lanes<mode, rounds> lanes;
  lanes.encrypt(chains, num_chains);
}

template <ChainMode mode>
void encrypt_many(const AesChain* chains, size_t num_chains) {
  size_t num_with[kAesMaxRounds + 1] = {};
  for (size_t i = 0; i < num_chains; ++i) ++num_with[chains[i].key->rounds];
  if (num_with[10] != 0) encrypt_in_lanes<mode, 10>(chains, num_chains);
  if (num_with[12] != 0) encrypt_in_lanes<mode, 12>(chains, num_chains);
  if (num_with[14] != 0) encrypt_in_lanes<mode, 14>(chains, num_chains);
  for (const AesChain* c = chains; c != chains + num_chains; ++c) {
    if (c->key->rounds == 10 || c->key->rounds == 12 || c->key->rounds == 14) continue;
    if (mode == ChainMode::cbc)
      cbc_encrypt(*c->key, c->iv, c->in, c->out, c->blocks);
    else
      cfb_encrypt(*c->key, c->iv, c->in, c->out, c->blocks);
  }
}

}  // namespace
}  // namespace incore
