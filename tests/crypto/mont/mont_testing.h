// What the tests of Montgomery multiplication and RSA share: numbers as words, and GMP as oracle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crypto/mont/mont_kernel.h"
#include "support/hex.h"

#if INCORE_HAVE_GMP
#include <gmpxx.h>
#endif

namespace incore::test {

using Words64 = std::vector<uint64_t>;

// A number of exactly |bits| bits from random bytes. |shape| 0: as they come; 1: all ones; 2: the
// top bit and few others. Odd in any case.
inline Words64 odd_number(size_t bits, int shape, uint64_t seed) {
  const size_t words = mont_words_of_bits(bits);
  const Bytes bytes = random_bytes(8 * words, seed);
  Words64 result(words);
  for (size_t i = 0; i < 8 * words; ++i) {
    const uint64_t byte = shape == 0 ? bytes[i] : shape == 1 ? 0xFF : i < 2 ? bytes[i] : 0;
    result[i / 8] |= byte << (i % 8 * 8);
  }
  const unsigned top = (bits - 1) % 64;
  result.back() = (result.back() | uint64_t{1} << top) & (~uint64_t{0} >> (63 - top));
  result[0] |= 1;
  return result;
}

// A modulus with all that a kernel asks for.
class Modulus {
 public:
  Modulus(const MontKernel& kernel, const Words64& m)
      : m_(m), rr_(m.size()), scratch_(mont_mul_scratch_words(m.size())) {
    size_t bits = 64 * m.size();
    while ((m.back() >> (bits - 1) % 64 & 1) == 0) --bits;
    view_ = {m_.data(), rr_.data(), mont_m_prime(m[0]), m.size()};
    mont_compute_rr(kernel, view_, bits, rr_.data(), scratch_.data());
  }
  Modulus(const Modulus&) = delete;
  const MontModulus& view() const { return view_; }
  const Words64& m() const { return m_; }
  const Words64& rr() const { return rr_; }
  uint64_t* scratch() { return scratch_.data(); }

 private:
  Words64 m_, rr_, scratch_;
  MontModulus view_;
};

// Scratch for powers, aligned as the kernels ask.
class PowerScratch {
 public:
  PowerScratch(size_t words, size_t num_powers)
      : space_(num_powers * mont_power_scratch_words(words) + 8) {}
  uint64_t* get() {
    const uintptr_t address = reinterpret_cast<uintptr_t>(space_.data());
    return space_.data() + (64 - address % 64) % 64 / 8;
  }

 private:
  Words64 space_;
};

inline std::vector<const MontKernel*> runnable_mont_kernels() {
  std::vector<const MontKernel*> kernels;
  for (size_t i = 0; i < mont_kernel_list.num_kernels; ++i)
    if (detect_features().has_all(mont_kernel_list.kernels[i]->needs))
      kernels.push_back(reinterpret_cast<const MontKernel*>(mont_kernel_list.kernels[i]));
  return kernels;
}

#if INCORE_HAVE_GMP
inline mpz_class to_mpz(const Words64& words) {
  mpz_class z;
  mpz_import(z.get_mpz_t(), words.size(), -1, 8, 0, 0, words.data());
  return z;
}
inline mpz_class to_mpz(const Bytes& bytes) {
  mpz_class z;
  mpz_import(z.get_mpz_t(), bytes.size(), 1, 1, 0, 0, bytes.data());
  return z;
}
inline Words64 to_words(const mpz_class& z, size_t words) {
  Words64 result(words);
  mpz_export(result.data(), nullptr, -1, 8, 0, 0, z.get_mpz_t());
  return result;
}
inline Bytes to_bytes(const mpz_class& z, size_t len) {
  Bytes result(len);
  const size_t used = (mpz_sizeinbase(z.get_mpz_t(), 2) + 7) / 8;
  mpz_export(result.data() + len - used, nullptr, 1, 1, 0, 0, z.get_mpz_t());
  return result;
}
inline mpz_class power_by_gmp(const mpz_class& base, const mpz_class& exponent,
                              const mpz_class& m) {
  mpz_class z;
  mpz_powm(z.get_mpz_t(), base.get_mpz_t(), exponent.get_mpz_t(), m.get_mpz_t());
  return z;
}
#endif

}  // namespace incore::test
