// SHA-1, SHA-256 and SHA-512 of many messages with POWER8: four lanes of 32 bits, two of 64. FIPS
// 180-4, sections 6.1, 6.2 and 6.4; a vector holds the same word of all messages, lane 0 leftmost,
// so every step is the standard's and no part of a register is idle. SHA-1 has no instruction of
// its own here, but a rotate of all lanes is one.
#if defined(__powerpc64__)

#include "crypto/sha/sha2_power8.h"
#include "crypto/sha/sha_many_kernel.h"
#include "crypto/sha/sha_steps.h"

namespace incore {
namespace {

// The words of the left, or right, halves of |a| and |b| in turns.
template <class Vector>
POWER8_INLINE Vector merge_left(Vector a, Vector b) {
  return power8::kLittleEndian ? vec_mergel(b, a) : vec_mergeh(a, b);
}
template <class Vector>
POWER8_INLINE Vector merge_right(Vector a, Vector b) {
  return power8::kLittleEndian ? vec_mergeh(b, a) : vec_mergel(a, b);
}

// The block at |offset| of each lane as the first 16 words of the schedule.
POWER8_INLINE void load_block(const uint8_t* const (&data)[4], size_t offset,
                              uint32x4_p8 (&W)[16]) {
  for (size_t i = 0; i < 16; i += 4) {
    uint32x4_p8 row[4];
    for (size_t lane = 0; lane < 4; ++lane)
      row[lane] = reinterpret_cast<uint32x4_p8>(power8::VectorLoadBE(data[lane] + offset + 4 * i));
    const uint32x4_p8 even01 = merge_left(row[0], row[2]), odd01 = merge_left(row[1], row[3]);
    const uint32x4_p8 even23 = merge_right(row[0], row[2]), odd23 = merge_right(row[1], row[3]);
    W[i] = merge_left(even01, odd01);
    W[i + 1] = merge_right(even01, odd01);
    W[i + 2] = merge_left(even23, odd23);
    W[i + 3] = merge_right(even23, odd23);
  }
}
POWER8_INLINE void load_block(const uint8_t* const (&data)[2], size_t offset,
                              uint64x2_p8 (&W)[16]) {
  for (size_t i = 0; i < 16; i += 2) {
    uint64x2_p8 row[2];
    for (size_t lane = 0; lane < 2; ++lane)
      row[lane] = reinterpret_cast<uint64x2_p8>(power8::VectorLoadBE(data[lane] + offset + 8 * i));
    W[i] = merge_left(row[0], row[1]);
    W[i + 1] = merge_right(row[0], row[1]);
  }
}

template <int kCount>
POWER8_INLINE uint32x4_p8 ROTL(uint32x4_p8 x) {
  return vec_rl(x, vec_splats(uint32_t{kCount}));
}

template <size_t t>
POWER8_INLINE void sha1_round(uint32x4_p8 (&v)[5], uint32x4_p8 (&W)[16]) {
  uint32x4_p8& w = W[t % 16];
  if constexpr (t >= 16) w = ROTL<1>(w ^ W[(t + 2) % 16] ^ W[(t + 8) % 16] ^ W[(t + 13) % 16]);
  const uint32x4_p8 a = v[(80 - t) % 5], c = v[(82 - t) % 5], d = v[(83 - t) % 5];
  uint32x4_p8& b = v[(81 - t) % 5];
  uint32x4_p8& e = v[(84 - t) % 5];
  constexpr uint32_t K = sha::kSha1K[t / 20];
  e += w + vec_splats(K);
  if constexpr (t < 20)
    e += VectorCh(b, c, d);
  else if constexpr (t >= 40 && t < 60)
    e += VectorMaj(b, c, d);
  else
    e += b ^ c ^ d;
  e += ROTL<5>(a);
  b = ROTL<30>(b);
}
template <size_t... t>
POWER8_INLINE void sha1_rounds(uint32x4_p8 (&v)[5], uint32x4_p8 (&W)[16],
                               std::index_sequence<t...>) {
  (sha1_round<t>(v, W), ...);
}

template <bool kFirst, size_t t, class Vector>
POWER8_INLINE void sha2_round_of_all(Vector (&v)[8], Vector (&W)[16], unsigned long long K) {
  Vector& w = W[t];
  if constexpr (!kFirst) w += sigma0(W[(t + 1) % 16]) + W[(t + 9) % 16] + sigma1(W[(t + 14) % 16]);
  sha2_round<t>(v, w + reinterpret_cast<Vector>(vec_splats(K)));
}
template <bool kFirst, class Vector, size_t... t>
POWER8_INLINE void sha2_16_rounds_of_all(Vector (&v)[8], Vector (&W)[16],
                                         const unsigned long long* K, std::index_sequence<t...>) {
  (sha2_round_of_all<kFirst, t>(v, W, K[t]), ...);
}

// |compress_block| makes of v, the hash value, and W what is added to the hash value.
template <size_t kWords, class Vector, class Word, class CompressBlock>
POWER8_INLINE void compress(ShaLanes<Word>* lanes, size_t first, size_t num_lanes,
                            size_t num_blocks, CompressBlock compress_block) {
  constexpr size_t kNum = 16 / sizeof(Word), kBlockLen = ShaLanes<Word>::kBlockLen;
  const uint8_t* data[kNum];  // lanes without work repeat the first, and what they compute is lost
  for (size_t i = 0; i < kNum; ++i) data[i] = lanes->data[first + (i < num_lanes ? i : 0)];
  for (size_t offset = 0; offset < kBlockLen * num_blocks; offset += kBlockLen) {
    Vector W[16], v[kWords];
    load_block(data, offset, W);
    for (size_t i = 0; i < kWords; ++i) v[i] = load_words(&lanes->state[i][first]);
    compress_block(v, W);
    for (size_t i = 0; i < kWords; ++i)
      store_words(v[i] + load_words(&lanes->state[i][first]), &lanes->state[i][first]);
  }
}

struct Sha1Block {
  [[gnu::always_inline]] void operator()(uint32x4_p8 (&v)[5], uint32x4_p8 (&W)[16]) const {
    sha1_rounds(v, W, std::make_index_sequence<80>());
  }
};

// The constants as doublewords, which a load spreads over a vector; those of 32 bits twice in each.
template <size_t kRounds>
struct Sha2Block {
  unsigned long long K[kRounds] = {};
  template <class Source>
  constexpr explicit Sha2Block(const Source& source) {
    for (size_t t = 0; t < kRounds; ++t)
      K[t] = sizeof source[t] == 4 ? source[t] * 0x100000001ULL : source[t];
  }
  template <class Vector>
  [[gnu::always_inline]] void operator()(Vector (&v)[8], Vector (&W)[16]) const {
    constexpr std::make_index_sequence<16> kSixteen;
    sha2_16_rounds_of_all<true>(v, W, K, kSixteen);
    for (size_t t = 16; t < kRounds; t += 16) sha2_16_rounds_of_all<false>(v, W, K + t, kSixteen);
  }
};
constexpr Sha2Block<64> kSha256Block(sha::kSha256K);
constexpr Sha2Block<80> kSha512Block(sha::kSha512K);

void sha1_compress(ShaLanes<uint32_t>* lanes, size_t first, size_t num_lanes, size_t num_blocks) {
  compress<5, uint32x4_p8>(lanes, first, num_lanes, num_blocks, Sha1Block());
}
void sha256_compress(ShaLanes<uint32_t>* lanes, size_t first, size_t num_lanes, size_t num_blocks) {
  compress<8, uint32x4_p8>(lanes, first, num_lanes, num_blocks, kSha256Block);
}
void sha512_compress(ShaLanes<uint64_t>* lanes, size_t first, size_t num_lanes, size_t num_blocks) {
  compress<8, uint64x2_p8>(lanes, first, num_lanes, num_blocks, kSha512Block);
}

constexpr FeatureSet kNeeds(Feature::vcrypto);

}  // namespace

// The costs follow the pipeline model, in proportion to the one message of the kernels `portable`.
constinit const Sha1ManyKernel sha1_many_power8 = {{"power8", kNeeds}, 4, 300, sha1_compress};
constinit const Sha256ManyKernel sha256_many_power8 = {{"power8", kNeeds}, 4, 460, sha256_compress};
constinit const Sha512ManyKernel sha512_many_power8 = {{"power8", kNeeds}, 2, 595, sha512_compress};

}  // namespace incore

#endif
