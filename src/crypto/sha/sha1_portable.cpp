// SHA-1 without special instructions: FIPS 180-4, section 6.1, with the message schedule kept in 16
// words.
#include <utility>

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_steps.h"

namespace incore {
namespace {

// Round |t|. The working variables stay where they are; their names move by one each round.
template <size_t t>
[[gnu::always_inline]] inline void round(uint32_t (&v)[5], uint32_t (&W)[16],
                                         const uint8_t* block) {
  uint32_t& w = W[t % 16];
  if constexpr (t < 16)
    w = load_be32(block + 4 * t);
  else
    w = sha::ROTL(1, W[(t - 3) % 16] ^ W[(t - 8) % 16] ^ W[(t - 14) % 16] ^ w);

  const uint32_t a = v[(80 - t) % 5], c = v[(82 - t) % 5], d = v[(83 - t) % 5];
  uint32_t& b = v[(81 - t) % 5];
  uint32_t& e = v[(84 - t) % 5];
  e += sha::ROTL(5, a) + sha::kSha1K[t / 20] + w;
  if constexpr (t < 20)
    e += d ^ (b & (c ^ d));  // Ch
  else if constexpr (t >= 40 && t < 60)
    e += (b & c) + (d & (b ^ c));  // Maj: the two terms have no bit in common
  else
    e += sha::Parity(b, c, d);
  b = sha::ROTL(30, b);
}

template <size_t... t>
[[gnu::always_inline]] inline void rounds(uint32_t (&v)[5], uint32_t (&W)[16], const uint8_t* block,
                                          std::index_sequence<t...>) {
  (round<t>(v, W, block), ...);
}

void compress(uint32_t state[5], const uint8_t* blocks, size_t num_blocks) {
  uint32_t W[16];
  for (; num_blocks != 0; --num_blocks, blocks += 64) {
    uint32_t v[5] = {state[0], state[1], state[2], state[3], state[4]};
    rounds(v, W, blocks, std::make_index_sequence<80>());
    for (size_t i = 0; i < 5; ++i) state[i] += v[i];
  }
  wipe(W);
}

}  // namespace

constinit const Sha1Kernel sha1_portable = {{"portable", FeatureSet()}, compress};

}  // namespace incore
