// CBC and CFB128 encryption of many messages side by side: the text of aes_x86_modes.h continued. A
// chained mode waits for each block; other messages fill the time. A row is up to eight messages in
// registers of one block. Wider registers have lanes, each with a message of its own and the round
// keys of that message's key: more at a time, but worth setting up for many long messages only.
#pragma once

#include "crypto/aes/aes_plain_modes.h"
#include "crypto/aes/aes_x86_modes.h"

namespace incore {
namespace {

enum class ChainMode { cbc, cfb };

// Enough for the latency of the instructions, of which a CPU starts as many bits a cycle in either
// width.
constexpr size_t kGroups = kLanes == 4 ? 4 : 8;
constexpr size_t kNumLanes = kGroups * kLanes;
constexpr size_t kShortestInLanes = 16;  // blocks
static_assert(kNumLanes * kShortestInLanes >= kAesLanesBlocks);

// What all lanes have in common: the mode and the number of rounds.
template <ChainMode mode, unsigned rounds>
class Lanes {
 public:
  // All chains with |rounds| rounds and at least kShortestInLanes blocks.
  TARGET void encrypt(const AesChain* chains, size_t num_chains) {
    const AesChain* const end = chains + num_chains;
    for (;;) {
      for (; num_busy_ < kNumLanes && chains != end; ++chains)
        if (chains->key->rounds == rounds && chains->blocks >= kShortestInLanes)
          begin(num_busy_++, *chains);
      if (num_busy_ == 0) break;
      for (size_t lane = num_busy_; lane < kNumLanes; ++lane) copy(0, lane);
      size_t blocks = lanes_[0].blocks;
      for (const AesChain& lane : lanes_)
        if (lane.blocks < blocks) blocks = lane.blocks;
      step(blocks);
      for (size_t lane = num_busy_; lane-- != 0;) advance(lane, blocks);
    }
  }

 private:
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
[[gnu::noinline]] TARGET void encrypt_in_lanes(const AesChain* chains, size_t num_chains) {
  Lanes<mode, rounds> lanes;
  lanes.encrypt(chains, num_chains);
}

// |blocks| blocks of each of |n| messages, whose keys have |rounds| rounds; |one_key|: and are the
// same.
template <ChainMode mode, unsigned rounds, size_t n, bool one_key>
[[gnu::noinline]] TARGET void encrypt_row(const AesChain* chains, size_t blocks) {
  const uint8_t* keys[n];
  Block x[n];
  UNROLL for (size_t i = 0; i < n; ++i) {
    keys[i] = chains[one_key ? 0 : i].key->storage;
    x[i] = load<Block>(chains[i].iv);
  }
  for (size_t at = 0; at != kAesBlockLen * blocks; at += kAesBlockLen) {
    UNROLL for (size_t i = 0; i < n; ++i) {
      x[i] ^= load<Block>(keys[i]);
      if (mode == ChainMode::cbc) x[i] ^= load<Block>(chains[i].in + at);
    }
#pragma GCC unroll 1
    for (unsigned r = 1; r < rounds; ++r) {
      UNROLL for (size_t i = 0; i < n; ++i) x[i] =
          encrypt_round(x[i], load<Block>(keys[i] + kAesBlockLen * r));
    }
    UNROLL for (size_t i = 0; i < n; ++i) {
      x[i] = encrypt_last(x[i], load<Block>(keys[i] + kAesBlockLen * rounds));
      if (mode == ChainMode::cfb) x[i] ^= load<Block>(chains[i].in + at);
      store(chains[i].out + at, x[i]);
    }
  }
  UNROLL for (size_t i = 0; i < n; ++i) store(chains[i].iv, x[i]);
}

template <ChainMode mode>
void encrypt_one(const AesChain& c) {
  if (mode == ChainMode::cbc)
    cbc_encrypt<EncryptKeys>(*c.key, c.iv, c.in, c.out, c.blocks);
  else
    cfb_encrypt<EncryptKeys>(*c.key, c.iv, c.in, c.out, c.blocks);
}

// Messages that come next and can make a row.
struct Row {
  size_t num;
  size_t blocks;  // of the shortest
  bool one_key;
};

// The first chains, up to |end| and those that |is_done| knows, which have one number of rounds.
template <class IsDone>
Row find_row(const AesChain* chains, const AesChain* end, IsDone is_done) {
  constexpr size_t kMax = 8;
  const AesKey* const key = chains->key;
  Row row = {1, chains->blocks, true};
  for (const AesChain* c = chains + 1; c != end && row.num != kMax; ++c, ++row.num) {
    if (c->key != key) {
      if (c->key->rounds != key->rounds) break;
      row.one_key = false;
    }
    if (is_done(*c)) break;
    if (c->blocks < row.blocks) row.blocks = c->blocks;
  }
  return row;
}

// |n| messages: as far as the shortest goes side by side, then each to its end.
template <ChainMode mode, unsigned rounds, size_t n>
void encrypt_in_row(const AesChain* chains, const Row& row) {
  if (row.one_key)
    encrypt_row<mode, rounds, n, true>(chains, row.blocks);
  else
    encrypt_row<mode, rounds, n, false>(chains, row.blocks);
  const size_t done = kAesBlockLen * row.blocks;
  for (const AesChain* c = chains; c != chains + n; ++c)
    if (c->blocks != row.blocks)
      encrypt_one<mode>({c->key, c->iv, c->in + done, c->out + done, c->blocks - row.blocks});
}

// As many messages of |row| as there is code for; returns how many.
template <ChainMode mode, unsigned rounds>
size_t encrypt_begin_of(const Row& row, const AesChain* chains) {
  if (row.num == 8) return encrypt_in_row<mode, rounds, 8>(chains, row), 8;
  if (row.num >= 4) return encrypt_in_row<mode, rounds, 4>(chains, row), 4;
  if (row.num == 3) return encrypt_in_row<mode, rounds, 3>(chains, row), 3;
  if (row.num == 2) return encrypt_in_row<mode, rounds, 2>(chains, row), 2;
  return encrypt_one<mode>(*chains), 1;
}

// All that |is_done| does not know.
template <ChainMode mode, class IsDone>
void encrypt_in_rows(const AesChain* chains, size_t num_chains, IsDone is_done) {
  const AesChain* const end = chains + num_chains;
  while (chains != end) {
    if (is_done(*chains)) {
      ++chains;
      continue;
    }
    const Row row = find_row(chains, end, is_done);
    switch (chains->key->rounds) {
      case 10:
        chains += encrypt_begin_of<mode, 10>(row, chains);
        break;
      case 12:
        chains += encrypt_begin_of<mode, 12>(row, chains);
        break;
      case 14:
        chains += encrypt_begin_of<mode, 14>(row, chains);
        break;
      default:
        encrypt_one<mode>(*chains++);
        break;
    }
  }
}

// Lanes gain by as many long messages of one number of rounds as there are lanes.
template <ChainMode mode>
void encrypt_many(const AesChain* chains, size_t num_chains) {
  size_t num_long = 0, num_with[kAesMaxRounds + 1] = {};
  if (kLanes > 1 && num_chains >= kNumLanes)
    for (const AesChain* c = chains; c != chains + num_chains; ++c)
      num_long += c->blocks >= kShortestInLanes ? 1 : 0;
  if (num_long < kNumLanes)
    return encrypt_in_rows<mode>(chains, num_chains, [](const AesChain&) { return false; });

  for (const AesChain* c = chains; c != chains + num_chains; ++c)
    num_with[c->key->rounds] += c->blocks >= kShortestInLanes ? 1 : 0;
  const auto has_lanes = [&num_with](unsigned rounds) { return num_with[rounds] >= kNumLanes; };
  if (has_lanes(10)) encrypt_in_lanes<mode, 10>(chains, num_chains);
  if (has_lanes(12)) encrypt_in_lanes<mode, 12>(chains, num_chains);
  if (has_lanes(14)) encrypt_in_lanes<mode, 14>(chains, num_chains);
  encrypt_in_rows<mode>(chains, num_chains, [&](const AesChain& c) {
    const unsigned rounds = c.key->rounds;
    return c.blocks >= kShortestInLanes && has_lanes(rounds) &&
           (rounds == 10 || rounds == 12 || rounds == 14);
  });
}

}  // namespace
}  // namespace incore
