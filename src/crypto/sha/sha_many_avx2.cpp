// SHA-1, SHA-256 and SHA-512 of many messages with AVX2: eight lanes of 32 bits, four of 64. FIPS
// 180-4, sections 6.1, 6.2 and 6.4; a vector holds the same word of all messages, so every step is
// the standard's. The message schedule does not fit into the registers beside the rest.
#if defined(__x86_64__)

#include <immintrin.h>

#include <utility>

#include "base/wipe.h"
#include "crypto/sha/sha_many_kernel.h"
#include "crypto/sha/sha_steps.h"

#define INCORE_AVX2 [[gnu::target("avx2")]]
#define INCORE_AVX2_INLINE INCORE_AVX2 [[gnu::always_inline]] inline

namespace incore {
namespace {

// One word of each lane; the operators work word by word.
using Vector32 = uint32_t __attribute__((vector_size(32)));
using Vector64 = uint64_t __attribute__((vector_size(32)));

template <class Word>
struct Lanes;
template <>
struct Lanes<uint32_t> {
  using Vector = Vector32;
  static constexpr size_t kNum = 8;
};
template <>
struct Lanes<uint64_t> {
  using Vector = Vector64;
  static constexpr size_t kNum = 4;
};

template <int kCount>
INCORE_AVX2_INLINE Vector32 ROTR(Vector32 x) {
  return x >> kCount | x << (32 - kCount);
}
template <int kCount>
INCORE_AVX2_INLINE Vector64 ROTR(Vector64 x) {
  return x >> kCount | x << (64 - kCount);
}
INCORE_AVX2_INLINE Vector32 Sigma0(Vector32 x) {
  return ROTR<2>(x) ^ ROTR<13>(x) ^ ROTR<22>(x);
}
INCORE_AVX2_INLINE Vector32 Sigma1(Vector32 x) {
  return ROTR<6>(x) ^ ROTR<11>(x) ^ ROTR<25>(x);
}
INCORE_AVX2_INLINE Vector32 sigma0(Vector32 x) {
  return ROTR<7>(x) ^ ROTR<18>(x) ^ x >> 3;
}
INCORE_AVX2_INLINE Vector32 sigma1(Vector32 x) {
  return ROTR<17>(x) ^ ROTR<19>(x) ^ x >> 10;
}
INCORE_AVX2_INLINE Vector64 Sigma0(Vector64 x) {
  return ROTR<28>(x) ^ ROTR<34>(x) ^ ROTR<39>(x);
}
INCORE_AVX2_INLINE Vector64 Sigma1(Vector64 x) {
  return ROTR<14>(x) ^ ROTR<18>(x) ^ ROTR<41>(x);
}
INCORE_AVX2_INLINE Vector64 sigma0(Vector64 x) {
  return ROTR<1>(x) ^ ROTR<8>(x) ^ x >> 7;
}
INCORE_AVX2_INLINE Vector64 sigma1(Vector64 x) {
  return ROTR<19>(x) ^ ROTR<61>(x) ^ x >> 6;
}

// Round |t| of 16; |K| is its constant. The working variables stay where they are; their names move
// by one each round.
template <bool kFirst, size_t t, class Vector, class Word>
INCORE_AVX2_INLINE void sha2_round(Vector (&v)[8], Vector (&W)[16], Word K) {
  Vector& w = W[t];
  if constexpr (!kFirst) w += sigma0(W[(t + 1) % 16]) + W[(t + 9) % 16] + sigma1(W[(t + 14) % 16]);
  const Vector a = v[(16 - t) % 8], b = v[(17 - t) % 8], c = v[(18 - t) % 8];
  const Vector e = v[(20 - t) % 8], f = v[(21 - t) % 8], g = v[(22 - t) % 8];
  Vector& d = v[(19 - t) % 8];
  Vector& h = v[(23 - t) % 8];
  h += w + K + (g ^ (e & (f ^ g))) + Sigma1(e);  // T1, with Ch
  d += h;
  h += (b ^ ((a ^ b) & (b ^ c))) + Sigma0(a);  // T2, with Maj
}

template <bool kFirst, class Vector, class Word, size_t... t>
INCORE_AVX2_INLINE void sha2_16_rounds(Vector (&v)[8], Vector (&W)[16], const Word* K,
                                       std::index_sequence<t...>) {
  (sha2_round<kFirst, t>(v, W, K[t]), ...);
}

template <size_t t>
INCORE_AVX2_INLINE void sha1_round(Vector32 (&v)[5], Vector32 (&W)[16]) {
  Vector32& w = W[t % 16];
  if constexpr (t >= 16) w = ROTR<31>(w ^ W[(t + 2) % 16] ^ W[(t + 8) % 16] ^ W[(t + 13) % 16]);
  const Vector32 a = v[(80 - t) % 5], c = v[(82 - t) % 5], d = v[(83 - t) % 5];
  Vector32& b = v[(81 - t) % 5];
  Vector32& e = v[(84 - t) % 5];
  e += w + sha::kSha1K[t / 20];
  if constexpr (t < 20)
    e += d ^ (b & (c ^ d));  // Ch
  else if constexpr (t >= 40 && t < 60)
    e += c ^ ((b ^ c) & (c ^ d));  // Maj
  else
    e += b ^ c ^ d;
  e += ROTR<27>(a);
  b = ROTR<2>(b);
}
template <size_t... t>
INCORE_AVX2_INLINE void sha1_rounds(Vector32 (&v)[5], Vector32 (&W)[16],
                                    std::index_sequence<t...>) {
  (sha1_round<t>(v, W), ...);
}

INCORE_AVX2_INLINE __m256i load(const uint8_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
// Columns of pieces of 128 bits from rows, and the bytes of each word reversed.
INCORE_AVX2_INLINE void store_halves(__m256i low, __m256i high, __m256i swap_bytes, void* out_low,
                                     void* out_high) {
  _mm256_store_si256(static_cast<__m256i*>(out_low),
                     _mm256_shuffle_epi8(_mm256_permute2x128_si256(low, high, 0x20), swap_bytes));
  _mm256_store_si256(static_cast<__m256i*>(out_high),
                     _mm256_shuffle_epi8(_mm256_permute2x128_si256(low, high, 0x31), swap_bytes));
}

// The block at |offset| of each lane as the first 16 words of the schedule.
INCORE_AVX2_INLINE void load_block(const uint8_t* const* data, size_t offset, Vector32 (&W)[16]) {
  const __m256i swap_bytes =
      _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
  for (size_t half = 0; half < 16; half += 8) {
    __m256i quads[2][4];  // of rows 0 to 3 and 4 to 7: word j in the low piece, word 4 + j above
    for (size_t i = 0; i < 2; ++i) {
      const __m256i r0 = load(data[4 * i] + offset + 4 * half);
      const __m256i r1 = load(data[4 * i + 1] + offset + 4 * half);
      const __m256i r2 = load(data[4 * i + 2] + offset + 4 * half);
      const __m256i r3 = load(data[4 * i + 3] + offset + 4 * half);
      const __m256i low01 = _mm256_unpacklo_epi32(r0, r1), high01 = _mm256_unpackhi_epi32(r0, r1);
      const __m256i low23 = _mm256_unpacklo_epi32(r2, r3), high23 = _mm256_unpackhi_epi32(r2, r3);
      quads[i][0] = _mm256_unpacklo_epi64(low01, low23);
      quads[i][1] = _mm256_unpackhi_epi64(low01, low23);
      quads[i][2] = _mm256_unpacklo_epi64(high01, high23);
      quads[i][3] = _mm256_unpackhi_epi64(high01, high23);
    }
    for (size_t j = 0; j < 4; ++j)
      store_halves(quads[0][j], quads[1][j], swap_bytes, &W[half + j], &W[half + 4 + j]);
  }
}
INCORE_AVX2_INLINE void load_block(const uint8_t* const* data, size_t offset, Vector64 (&W)[16]) {
  const __m256i swap_bytes =
      _mm256_broadcastsi128_si256(_mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607));
  for (size_t quarter = 0; quarter < 16; quarter += 4) {
    const __m256i r0 = load(data[0] + offset + 8 * quarter);
    const __m256i r1 = load(data[1] + offset + 8 * quarter);
    const __m256i r2 = load(data[2] + offset + 8 * quarter);
    const __m256i r3 = load(data[3] + offset + 8 * quarter);
    store_halves(_mm256_unpacklo_epi64(r0, r1), _mm256_unpacklo_epi64(r2, r3), swap_bytes,
                 &W[quarter], &W[quarter + 2]);
    store_halves(_mm256_unpackhi_epi64(r0, r1), _mm256_unpackhi_epi64(r2, r3), swap_bytes,
                 &W[quarter + 1], &W[quarter + 3]);
  }
}

// |compress_block| makes of v, the hash value, and W what is added to the hash value.
template <size_t kWords, class Word, class CompressBlock>
INCORE_AVX2_INLINE void compress(ShaLanes<Word>* lanes, size_t first, size_t num_lanes,
                                 size_t num_blocks, CompressBlock compress_block) {
  using Vector = typename Lanes<Word>::Vector;
  constexpr size_t kNum = Lanes<Word>::kNum, kBlockLen = ShaLanes<Word>::kBlockLen;
  const uint8_t* data[kNum];  // lanes without work repeat the first, and what they compute is lost
  for (size_t i = 0; i < kNum; ++i) data[i] = lanes->data[first + (i < num_lanes ? i : 0)];
  Vector W[16];
  for (size_t offset = 0; offset < kBlockLen * num_blocks; offset += kBlockLen) {
    load_block(data, offset, W);
    Vector v[kWords];
    for (size_t i = 0; i < kWords; ++i) __builtin_memcpy(&v[i], &lanes->state[i][first], 32);
    compress_block(v, W);
    for (size_t i = 0; i < kWords; ++i) {
      Vector sum;
      __builtin_memcpy(&sum, &lanes->state[i][first], 32);
      sum += v[i];
      __builtin_memcpy(&lanes->state[i][first], &sum, 32);
    }
  }
  wipe(W);
}

struct Sha1Block {
  INCORE_AVX2_INLINE void operator()(Vector32 (&v)[5], Vector32 (&W)[16]) const {
    sha1_rounds(v, W, std::make_index_sequence<80>());
  }
};
template <size_t kRounds, class Word>
struct Sha2Block {
  const Word* K;
  template <class Vector>
  INCORE_AVX2_INLINE void operator()(Vector (&v)[8], Vector (&W)[16]) const {
    constexpr auto kSixteen = std::make_index_sequence<16>();
    sha2_16_rounds<true>(v, W, K, kSixteen);
    for (size_t t = 16; t < kRounds; t += 16) sha2_16_rounds<false>(v, W, K + t, kSixteen);
  }
};

INCORE_AVX2 void sha1_compress(ShaLanes<uint32_t>* lanes, size_t first, size_t num_lanes,
                               size_t num_blocks) {
  compress<5>(lanes, first, num_lanes, num_blocks, Sha1Block());
}
INCORE_AVX2 void sha256_compress(ShaLanes<uint32_t>* lanes, size_t first, size_t num_lanes,
                                 size_t num_blocks) {
  compress<8>(lanes, first, num_lanes, num_blocks, Sha2Block<64, uint32_t>{sha::kSha256K.word});
}
INCORE_AVX2 void sha512_compress(ShaLanes<uint64_t>* lanes, size_t first, size_t num_lanes,
                                 size_t num_blocks) {
  compress<8>(lanes, first, num_lanes, num_blocks, Sha2Block<80, uint64_t>{sha::kSha512K});
}

}  // namespace

constinit const Sha1ManyKernel sha1_many_avx2 = {
    {"avx2", FeatureSet(Feature::avx2)}, Lanes<uint32_t>::kNum, 520, sha1_compress};
constinit const Sha256ManyKernel sha256_many_avx2 = {
    {"avx2", FeatureSet(Feature::avx2)}, Lanes<uint32_t>::kNum, 1050, sha256_compress};
constinit const Sha512ManyKernel sha512_many_avx2 = {
    {"avx2", FeatureSet(Feature::avx2)}, Lanes<uint64_t>::kNum, 1350, sha512_compress};

}  // namespace incore

#endif
