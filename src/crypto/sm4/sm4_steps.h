// The steps of SM4 as GB/T 32907-2016 (and ISO/IEC 18033-3:2010/Amd 1:2021) writes them, in its
// words. Constant-time: the standard prints the S-box as a table; here it is computed, four bytes
// at a time, from the algebra behind it, S(x) = A(1 / (A(x) + c)) + c in GF(2^8) with A linear
// (Liu, Ji, Hu, Ding, Lv, Pyshkin, Weinmann: Analysis of the SMS4 Block Cipher, ACISP 2007).
//
//   X  state words     rk  round keys     MK, K  key and its schedule     tau  four S-boxes
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace incore::sm4 {

inline constexpr size_t kBlockLen = 16;
inline constexpr size_t kKeyLen = 16;
inline constexpr unsigned kNumRounds = 32;

// ---- Four elements of GF(2^8), modulo x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1, in a word ----

inline constexpr uint32_t kEachByte = 0x01010101;

// FF in each byte whose bit |i| is set.
constexpr uint32_t spread_bit(uint32_t a, unsigned i) {
  return (a >> i & kEachByte) * 0xFF;
}

constexpr uint32_t times_x(uint32_t a) {
  return (a << 1 & 0xFEFEFEFE) ^ (a >> 7 & kEachByte) * 0xF5;
}

constexpr uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (unsigned i = 8; i-- > 0;) product = times_x(product) ^ (a & spread_bit(b, i));
  return product;
}

// A linear map of bytes, by the images of 1, 2, 4, ..., 128, each in all four bytes.
struct LinearMap {
  uint32_t images[8];

  constexpr uint32_t operator()(uint32_t a) const {
    uint32_t image = 0;
    for (unsigned i = 0; i < 8; ++i) image ^= images[i] & spread_bit(a, i);
    return image;
  }
};

// a to the power 2^|num_squarings|.
constexpr LinearMap make_power_map(unsigned num_squarings) {
  LinearMap map = {};
  for (unsigned i = 0; i < 8; ++i) {
    map.images[i] = kEachByte << i;
    for (unsigned n = 0; n < num_squarings; ++n)
      map.images[i] = multiply(map.images[i], map.images[i]);
  }
  return map;
}
inline constexpr LinearMap kPower2 = make_power_map(1);
inline constexpr LinearMap kPower4 = make_power_map(2);
inline constexpr LinearMap kPower16 = make_power_map(4);

// 1 / a as a^254; 0 for 0.
constexpr uint32_t inverse(uint32_t a) {
  const uint32_t a2 = kPower2(a);
  const uint32_t a3 = multiply(a2, a);
  const uint32_t a12 = kPower4(a3);
  const uint32_t a240 = kPower16(multiply(a12, a3));
  return multiply(multiply(a240, a12), a2);
}

// ---- Section 6.2: the round transformation T = L(tau()) ----

constexpr LinearMap make_affine_map() {  // the image of 2^i is CB rotated by i
  LinearMap map = {};
  for (unsigned i = 0; i < 8; ++i)
    map.images[i] = std::rotl(static_cast<uint8_t>(0xCB), static_cast<int>(i)) * kEachByte;
  return map;
}
inline constexpr LinearMap kA = make_affine_map();
inline constexpr uint32_t kC = 0xD3D3D3D3;

constexpr uint32_t tau(uint32_t a) {
  return kA(inverse(kA(a) ^ kC)) ^ kC;
}

constexpr uint32_t L(uint32_t B) {
  return B ^ std::rotl(B, 2) ^ std::rotl(B, 10) ^ std::rotl(B, 18) ^ std::rotl(B, 24);
}

// ---- Section 7.3: key expansion ----

constexpr uint32_t L_prime(uint32_t B) {
  return B ^ std::rotl(B, 13) ^ std::rotl(B, 23);
}

inline constexpr uint32_t kFK[4] = {0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC};

constexpr uint32_t CK(unsigned i) {  // bytes (4i + j) * 7 mod 256
  uint32_t word = 0;
  for (unsigned j = 0; j < 4; ++j) word = word << 8 | ((4 * i + j) * 7 & 0xFF);
  return word;
}

struct RoundKeys {
  uint32_t rk[kNumRounds];
};

inline void expand_key(const uint8_t* MK, RoundKeys* out) {
  uint32_t K[4];
  for (unsigned i = 0; i < 4; ++i) K[i] = load_be32(MK + 4 * i) ^ kFK[i];
  for (unsigned i = 0; i < kNumRounds; ++i) {
    uint32_t& next = K[i % 4];  // K[i + 4] takes the place of K[i]
    next ^= L_prime(tau(K[(i + 1) % 4] ^ K[(i + 2) % 4] ^ K[(i + 3) % 4] ^ CK(i)));
    out->rk[i] = next;
  }
}

// ---- Section 7.1 and 7.2: encryption, and decryption with the round keys in reverse ----

inline void cipher(const RoundKeys& keys, bool decrypt, const uint8_t* in, uint8_t* out) {
  uint32_t X[4];
  for (unsigned i = 0; i < 4; ++i) X[i] = load_be32(in + 4 * i);
  for (unsigned i = 0; i < kNumRounds; ++i) {
    const uint32_t rk = keys.rk[decrypt ? kNumRounds - 1 - i : i];
    X[i % 4] ^= L(tau(X[(i + 1) % 4] ^ X[(i + 2) % 4] ^ X[(i + 3) % 4] ^ rk));
  }
  for (unsigned i = 0; i < 4; ++i) store_be32(out + 4 * i, X[3 - i]);  // R: the words in reverse
}

}  // namespace incore::sm4
