// AES by the letter of FIPS 197 and the modes of SP 800-38A, a byte at a time: the oracle for
// random data. It shares no code with the library, and takes any number of rounds from 1 to 16, as
// PadLock does.
#pragma once

#include <cstdint>

#include "support/hex.h"

namespace incore::padlock::test {

using incore::test::Bytes;

// The round keys w[0], w[1], ... of FIPS 197 section 5.2, 16 x (rounds + 1) bytes; continued beyond
// the standard's number of rounds where |rounds| asks for it.
Bytes expand_key(const Bytes& key, unsigned rounds);

// The schedule of the equivalent inverse cipher (section 5.3.5) in the order of use: the last round
// key first, InvMixColumns applied to the inner ones, the cipher key last.
Bytes inverse_schedule(const Bytes& forward);

// One block through Cipher() or EqInvCipher(). |full_last_round|: MixColumns in the last round too.
Bytes cipher(const Bytes& forward, const Bytes& block, bool full_last_round = false);
Bytes inverse_cipher(const Bytes& inverse, const Bytes& block);

enum class Mode : uint8_t { ecb, cbc, ctr, cfb, ofb };
inline constexpr Mode kModes[] = {Mode::ecb, Mode::cbc, Mode::ctr, Mode::cfb, Mode::ofb};
inline constexpr Mode kChainingModes[] = {Mode::cbc, Mode::ctr, Mode::cfb, Mode::ofb};
const char* name_of(Mode mode);

struct ModeResult {
  Bytes data;
  Bytes next_iv;  // the vector with which the message goes on; for ECB the one given
};

// CTR counts in the last 16 bits; CFB has 128-bit segments.
ModeResult apply_mode(Mode mode, bool decrypt, const Bytes& key, unsigned rounds, const Bytes& iv,
                      const Bytes& data);

}  // namespace incore::padlock::test
