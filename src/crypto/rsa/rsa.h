// RSA's two operations on numbers, RSAEP and RSADP with the Chinese remainder theorem (RFC 8017,
// sections 5.1.1 and 5.1.2), without any padding scheme. Numbers are arrays of 64-bit words, lowest
// first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/mont/mont_kernel.h"

namespace incore {

inline constexpr size_t kRsaMinBits = 512;
inline constexpr size_t kRsaMaxBits = 16384;

// How much longer than half the modulus a prime may be.
inline constexpr size_t kRsaPrimeSlackBits = 64;

// A key; its arrays lie elsewhere, but for a public one the secret ones are not used.
struct RsaKey {
  const MontKernel* kernel;
  MontModulus n, p, q;
  const uint64_t* q_inv;  // 1 / q mod p; p.words
  const uint8_t* e;       // exponents are bytes, highest first
  const uint8_t* d_p;     // of the length of p, leading zeros included
  const uint8_t* d_q;
  size_t e_len, d_p_len, d_q_len;
};

constexpr size_t rsa_max_prime_words(size_t bits) {
  return mont_words_of_bits(bits / 2 + kRsaPrimeSlackBits);
}

constexpr size_t rsa_public_scratch_words(size_t bits) {
  return mont_power_scratch_words(mont_words_of_bits(bits));
}
constexpr size_t rsa_private_scratch_words(size_t bits) {
  const size_t prime_words = mont_aligned_words(rsa_max_prime_words(bits));
  const size_t n_power = rsa_public_scratch_words(bits);
  const size_t prime_powers = 2 * mont_power_scratch_words(rsa_max_prime_words(bits));
  return 8 * prime_words + (n_power > prime_powers ? n_power : prime_powers);
}

// out = in^e mod n, for in < n. |out| may be |in|. Scratch begins at a multiple of 64 bytes.
void rsa_public(const RsaKey& key, uint64_t* out, const uint64_t* in, uint64_t* scratch);

// out = in^d mod n, for in < n; not in place. Then checks the result with e: a fault in one of the
// two powers, or a wrong part of the key, would otherwise give the primes away to whoever sees the
// result (Boneh, DeMillo and Lipton, "On the Importance of Checking Cryptographic Protocols for
// Faults", 1997; Lenstra's remark). Returns 0, or all ones if |out| is wrong and may not be
// released. Scratch is wiped.
uint64_t rsa_private(const RsaKey& key, uint64_t* out, const uint64_t* in, uint64_t* scratch);

}  // namespace incore
