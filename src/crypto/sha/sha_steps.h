// The steps of SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512 as FIPS 180-4 writes them, in its
// words. Plain and not fast: kernels are checked against it. Everything is constexpr, free of the
// host's byte order, and calls nothing.
//
//   H  hash value: 5 or 8 words       W  message schedule       K  round constants       t  round
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::sha {

// 3.2: rotations and shifts of 32- and 64-bit words.
template <class Word>
constexpr Word ROTL(unsigned n, Word x) {
  return x << n | x >> (8 * sizeof(Word) - n);
}
template <class Word>
constexpr Word ROTR(unsigned n, Word x) {
  return x >> n | x << (8 * sizeof(Word) - n);
}

// 4.1: functions. Capital Sigma works on the working variables, small sigma on the message
// schedule.
template <class Word>
constexpr Word Ch(Word x, Word y, Word z) {
  return (x & y) ^ (~x & z);
}
template <class Word>
constexpr Word Parity(Word x, Word y, Word z) {
  return x ^ y ^ z;
}
template <class Word>
constexpr Word Maj(Word x, Word y, Word z) {
  return (x & y) ^ (x & z) ^ (y & z);
}
constexpr uint32_t Sigma0(uint32_t x) {
  return ROTR(2, x) ^ ROTR(13, x) ^ ROTR(22, x);
}
constexpr uint32_t Sigma1(uint32_t x) {
  return ROTR(6, x) ^ ROTR(11, x) ^ ROTR(25, x);
}
constexpr uint32_t sigma0(uint32_t x) {
  return ROTR(7, x) ^ ROTR(18, x) ^ x >> 3;
}
constexpr uint32_t sigma1(uint32_t x) {
  return ROTR(17, x) ^ ROTR(19, x) ^ x >> 10;
}
constexpr uint64_t Sigma0(uint64_t x) {
  return ROTR(28, x) ^ ROTR(34, x) ^ ROTR(39, x);
}
constexpr uint64_t Sigma1(uint64_t x) {
  return ROTR(14, x) ^ ROTR(18, x) ^ ROTR(41, x);
}
constexpr uint64_t sigma0(uint64_t x) {
  return ROTR(1, x) ^ ROTR(8, x) ^ x >> 7;
}
constexpr uint64_t sigma1(uint64_t x) {
  return ROTR(19, x) ^ ROTR(61, x) ^ x >> 6;
}

// 4.2.1: one constant for each 20 rounds of SHA-1.
inline constexpr uint32_t kSha1K[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

// 4.2.3: the fractional parts of the cube roots of the first 80 primes, 64 bits of each.
inline constexpr uint64_t kSha512K[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

// 5.3.1: SHA-1. 5.3.5 and 5.3.4: the fractional parts of the square roots of the first 8 primes,
// and of the next 8.
inline constexpr uint32_t kSha1H[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
inline constexpr uint64_t kSha512H[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
inline constexpr uint64_t kSha384H[8] = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};

template <size_t kNum>
struct Words32 {
  uint32_t word[kNum];
  constexpr uint32_t operator[](size_t i) const { return word[i]; }
};
template <size_t kNum>
constexpr Words32<kNum> words_from(const uint64_t* source, unsigned shift) {
  Words32<kNum> result = {};
  for (size_t i = 0; i < kNum; ++i) result.word[i] = static_cast<uint32_t>(source[i] >> shift);
  return result;
}
// 4.2.2, 5.3.3: SHA-256 takes the first 32 bits of the same roots. 5.3.2: SHA-224 the second 32
// bits.
alignas(16) inline constexpr Words32<64> kSha256K = words_from<64>(kSha512K, 32);
inline constexpr Words32<8> kSha256H = words_from<8>(kSha512H, 32);
inline constexpr Words32<8> kSha224H = words_from<8>(kSha384H, 0);

// 5.2: a block as big-endian words M.
template <class Word>
constexpr Word message_word(const uint8_t* block, size_t i) {
  Word w = 0;
  for (size_t byte = 0; byte < sizeof w; ++byte)
    w = static_cast<Word>(w << 8 | block[i * sizeof w + byte]);
  return w;
}

// 6.1.2: SHA-1 over one block of 64 bytes.
constexpr void sha1_block(uint32_t H[5], const uint8_t* block) {
  uint32_t W[80] = {};
  for (size_t t = 0; t < 16; ++t) W[t] = message_word<uint32_t>(block, t);
  for (size_t t = 16; t < 80; ++t) W[t] = ROTL(1, W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16]);

  uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4];
  for (size_t t = 0; t < 80; ++t) {
    const uint32_t f = t < 20 ? Ch(b, c, d) : t >= 40 && t < 60 ? Maj(b, c, d) : Parity(b, c, d);
    const uint32_t T = ROTL(5, a) + f + e + kSha1K[t / 20] + W[t];
    e = d, d = c, c = ROTL(30, b), b = a, a = T;
  }
  H[0] += a, H[1] += b, H[2] += c, H[3] += d, H[4] += e;
}

// 6.2.2 and 6.4.2: SHA-256 over a block of 64 bytes, SHA-512 over a block of 128: one text,
// |kRounds| 64 or 80.
template <size_t kRounds, class Word, class Constants>
constexpr void sha2_block(Word H[8], const uint8_t* block, const Constants& K) {
  Word W[kRounds] = {};
  for (size_t t = 0; t < 16; ++t) W[t] = message_word<Word>(block, t);
  for (size_t t = 16; t < kRounds; ++t)
    W[t] = sigma1(W[t - 2]) + W[t - 7] + sigma0(W[t - 15]) + W[t - 16];

  Word a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
  for (size_t t = 0; t < kRounds; ++t) {
    const Word T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];
    const Word T2 = Sigma0(a) + Maj(a, b, c);
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }
  H[0] += a, H[1] += b, H[2] += c, H[3] += d, H[4] += e, H[5] += f, H[6] += g, H[7] += h;
}
constexpr void sha256_block(uint32_t H[8], const uint8_t* block) {
  sha2_block<64>(H, block, kSha256K);
}
constexpr void sha512_block(uint64_t H[8], const uint8_t* block) {
  sha2_block<80>(H, block, kSha512K);
}

// 5.1: padding. |tail| is what follows the message's last whole block, |tail_len| < kBlockLen
// bytes; |message_len| is the whole message in bytes. Writes one or two blocks to |out| (2 *
// kBlockLen bytes) and returns how many. |out| may equal |tail|. kBlockLen is 64, or 128 for
// SHA-384 and SHA-512, whose length field is twice as long.
template <size_t kBlockLen>
constexpr size_t pad(const uint8_t* tail, size_t tail_len, uint64_t message_len, uint8_t* out) {
  constexpr size_t kLengthField = kBlockLen / 8;
  const size_t blocks = tail_len + 1 + kLengthField <= kBlockLen ? 1 : 2;
  const size_t padded_len = blocks * kBlockLen;
  for (size_t i = 0; i < tail_len; ++i) out[i] = tail[i];
  out[tail_len] = 0x80;
  for (size_t i = tail_len + 1; i < padded_len - 8; ++i) out[i] = 0;
  if (kLengthField == 16) out[padded_len - 9] = static_cast<uint8_t>(message_len >> 61);
  for (size_t i = 0; i < 8; ++i)
    out[padded_len - 1 - i] = static_cast<uint8_t>((message_len << 3) >> (8 * i));
  return blocks;
}

}  // namespace incore::sha
