// CBC and CFB128 encryption of many messages side by side: part of aes_power8.cpp. A chained mode
// waits for each block; other messages fill the time. Each lane, a register, has a message of its
// own and the round keys of that message's key.
#pragma once

#include "crypto/aes/aes_power8.h"

namespace incore::power8 {
namespace {

enum class ChainMode { cbc, cfb };

constexpr size_t kNumLanes = 8;

// |blocks| blocks of all messages, whose keys have |rounds| rounds.
template <ChainMode mode>
static void encrypt_lanes(AesChain (&lanes)[kNumLanes], unsigned rounds, size_t blocks) {
  const uint8_t* keys[kNumLanes];
  uint8x16_p8 x[kNumLanes], data[kNumLanes];
  POWER8_UNROLL for (size_t i = 0; i < kNumLanes; ++i) {
    keys[i] = lanes[i].key->storage;
    x[i] = VectorLoadBE(lanes[i].iv);
  }
  const size_t last = kAesBlockLen * rounds;
  for (size_t at = 0; at != kAesBlockLen * blocks; at += kAesBlockLen) {
    POWER8_UNROLL for (size_t i = 0; i < kNumLanes; ++i) {
      data[i] = VectorLoadBE(lanes[i].in, at);
      if (mode == ChainMode::cbc) x[i] = vec_xor(x[i], data[i]);
      x[i] = vec_xor(x[i], VectorLoad(keys[i]));
    }
    for (size_t k = kAesBlockLen; k != last; k += kAesBlockLen) {
      POWER8_UNROLL for (size_t i = 0; i < kNumLanes; ++i) x[i] =
          vcipher(x[i], VectorLoad(keys[i], k));
    }
    POWER8_UNROLL for (size_t i = 0; i < kNumLanes; ++i) {
      const uint8x16_p8 k = VectorLoad(keys[i], last);
      x[i] = vcipherlast(x[i], mode == ChainMode::cbc ? k : vec_xor(k, data[i]));
      VectorStoreBE(x[i], lanes[i].out, at);
    }
  }
  for (size_t i = 0; i < kNumLanes; ++i) VectorStoreBE(x[i], lanes[i].iv);
}

// The chains whose keys have |rounds| rounds. Idle lanes do what lane 0 does, and write the same
// bytes to the same place.
template <ChainMode mode>
static void encrypt_with_rounds(const AesChain* chains, const AesChain* end, unsigned rounds) {
  AesChain lanes[kNumLanes];
  size_t num_busy = 0;
  for (;;) {
    for (; num_busy < kNumLanes && chains != end; ++chains)
      if (chains->key->rounds == rounds && chains->blocks != 0) lanes[num_busy++] = *chains;
    if (num_busy == 0) return;
    for (size_t i = num_busy; i < kNumLanes; ++i) lanes[i] = lanes[0];
    size_t blocks = lanes[0].blocks;
    for (const AesChain& lane : lanes)
      if (lane.blocks < blocks) blocks = lane.blocks;
    encrypt_lanes<mode>(lanes, rounds, blocks);
    // The last busy lane takes the place of one that is done.
    for (size_t i = num_busy; i-- != 0;) {
      AesChain& lane = lanes[i];
      lane.in += kAesBlockLen * blocks, lane.out += kAesBlockLen * blocks, lane.blocks -= blocks;
      if (lane.blocks == 0) lane = lanes[--num_busy];
    }
  }
}

template <ChainMode mode>
static void encrypt_many(const AesChain* chains, size_t num_chains) {
  size_t num_with[kAesMaxRounds + 1] = {};
  for (size_t i = 0; i < num_chains; ++i) ++num_with[chains[i].key->rounds];
  for (unsigned rounds = 1; rounds <= kAesMaxRounds; ++rounds)
    if (num_with[rounds] != 0) encrypt_with_rounds<mode>(chains, chains + num_chains, rounds);
}

}  // namespace
}  // namespace incore::power8
