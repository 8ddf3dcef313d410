// AES rounds with the POWER8 instructions (Power ISA 2.07B, Vector.AES; FIPS 197) on blocks side by
// side, and how a key is stored: for the modes (aes_power8.cpp) and for the GCM loop.
//
// A round instruction takes 6 cycles, and one is started each cycle: so 6 blocks or more in flight.
// Blocks and round keys are big-endian images. Peculiar: vncipher adds the round key before
// InvMixColumns, as the straightforward inverse cipher of FIPS 197 section 5.3 does, so that it
// takes the round keys of encryption as they are.
#pragma once

#include "crypto/aes/aes_kernel.h"
#include "crypto/power8/vector.h"

// Loops over registers are unrolled before anything else is done to them: else they would be
// arrays.
#define POWER8_UNROLL _Pragma("GCC unroll 16")
#define POWER8_INLINE_MEMBER [[gnu::always_inline]] inline

namespace incore::power8 {
namespace {

enum class Direction { encrypt, decrypt };

// Storage of a key: the round keys that the record's load_key got, and behind them the same with
// MixColumns applied to the inner ones. A schedule of the equivalent inverse cipher becomes that of
// encryption by it, last round key first. load_key is not told the direction, and its schedule is
// used for one of them.
constexpr size_t kScheduleLen = (kAesMaxRounds + 1) * kAesBlockLen;
static_assert(2 * kScheduleLen <= AesKey::kStorageLen && alignof(AesKey) >= 16);

template <Direction direction>
POWER8_INLINE uint8x16_p8 round_key(const AesKey& key, size_t round) {
  const size_t schedule = direction == Direction::encrypt ? 0 : kScheduleLen;
  return VectorLoad(key.storage + schedule + kAesBlockLen * round);
}

template <Direction direction, size_t n>
POWER8_INLINE void one_round(uint8x16_p8 (&x)[n], uint8x16_p8 k) {
  POWER8_UNROLL for (size_t i = 0; i < n; ++i) x[i] =
      direction == Direction::encrypt ? vcipher(x[i], k) : vncipher(x[i], k);
}
template <Direction direction>
POWER8_INLINE uint8x16_p8 last_round(uint8x16_p8 x, uint8x16_p8 k) {
  return direction == Direction::encrypt ? vcipherlast(x, k) : vncipherlast(x, k);
}

// The round keys of one key and direction, of |rounds| rounds; 0: any number, and a loop over them.
// |hold|: as many as AES-128 has stay in registers. The others are read each time, which costs one
// load for all blocks.
template <Direction direction, unsigned rounds, bool hold = rounds != 0>
class RoundKeys {
 public:
  uint8x16_p8 first, last;

  POWER8_INLINE_MEMBER explicit RoundKeys(const AesKey& key)
      : first(round_key<direction>(key, 0)),
        last(round_key<direction>(key, key.rounds)),
        key_(key) {
    POWER8_UNROLL for (size_t i = 0; i < kNumHeld; ++i) held_[i] =
        round_key<direction>(key, kNumRead + 1 + i);
  }

  // All rounds but the last, on n blocks that the first round key was added to.
  template <size_t n>
  POWER8_INLINE_MEMBER void inner_rounds(uint8x16_p8 (&x)[n]) const {
    if constexpr (rounds == 0) {
      for (size_t r = 1; r < key_.rounds; ++r)
        one_round<direction>(x, round_key<direction>(key_, r));
    } else {
      POWER8_UNROLL for (size_t r = 1; r <= kNumRead; ++r)
          one_round<direction>(x, round_key<direction>(key_, r));
      POWER8_UNROLL for (size_t i = 0; i < kNumHeld; ++i) one_round<direction>(x, held_[i]);
    }
  }

 private:
  static constexpr size_t kNumHeld = hold ? 9 : 0;
  static constexpr size_t kNumRead = rounds == 0 ? 0 : rounds - 1 - kNumHeld;
  const AesKey& key_;
  uint8x16_p8 held_[kNumHeld + 1];  // of the last inner rounds; one more, since it may be none
};

}  // namespace
}  // namespace incore::power8
