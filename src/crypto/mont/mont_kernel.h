// What a kernel of Montgomery multiplication is, and what all share. Numbers are arrays of 64-bit
// words, lowest first; R = 2^(64 * words). Time and addresses depend on the number of words and on
// the lengths of exponents alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/kernel_choice.h"
#include "crypto/mont/mont_steps.h"

namespace incore {

// A modulus, and what belongs to it. Does not own its arrays.
struct MontModulus {
  const uint64_t* m;   // odd; has mont_words_of_bits() of its length
  const uint64_t* rr;  // R * R mod m
  uint64_t m_prime;    // -1 / m modulo 2^64; its low half is mZeroPrime
  size_t words;
};

// One power to be computed: base ^ exponent mod m.
struct MontPower {
  const MontModulus* modulus;
  const uint64_t* base;     // below m; not in Montgomery's form
  const uint8_t* exponent;  // highest byte first
  size_t exponent_len;
  uint64_t* out;         // fully reduced; may be |base|
  bool public_exponent;  // of an RSA public key: its value may determine the time
};

struct MontKernel {
  KernelInfo info;

  // out = a * b / R mod m, fully reduced, for a < R and b < m. |out| may be |a| or |b|. |scratch|
  // has mont_mul_scratch_words().
  void (*mul)(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
              uint64_t* scratch);

  // One power, or two side by side, whose moduli have equally many words and whose exponents are
  // of one kind. |scratch| has num_powers * mont_power_scratch_words() and begins at a multiple of
  // 64 bytes. Null: mont_power_by_mul() does it.
  void (*power)(const MontPower* powers, size_t num_powers, uint64_t* scratch);
};

constexpr size_t mont_words_of_bits(size_t bits) {
  return (bits + 63) / 64;
}

// Sizes of arrays are multiples of 64 bytes, so that one behind another stays aligned.
constexpr size_t mont_aligned_words(size_t words) {
  return (words + 7) / 8 * 8;
}
constexpr size_t mont_mul_scratch_words(size_t words) {
  return mont_aligned_words(4 * words + 8);
}
// Kernels may round sizes up, to fewer forms that code is made for.
constexpr size_t mont_rounded_words(size_t words) {
  const size_t step = words <= 16 ? 4 : words <= 32 ? 8 : words <= 64 ? 16 : 8;
  return (words + step - 1) / step * step;
}
// Enough for digits of 52 bits too: a table of 32 numbers and a few more.
constexpr size_t mont_power_scratch_words(size_t words) {
  return 40 * mont_aligned_words((64 * mont_rounded_words(words) + 2 + 51) / 52);
}

// -1 / m0 modulo 2^64, for an odd m0.
constexpr uint64_t mont_m_prime(uint64_t m0) {
  const uint64_t half = mont_m_zero_prime(static_cast<uint32_t>(m0));
  return half * (2 + m0 * half);  // one Newton step from 32 to 64 bits
}

// R * R mod m for m of |bits| bits, of which |modulus| has all but rr.
void mont_compute_rr(const MontKernel& kernel, const MontModulus& modulus, size_t bits,
                     uint64_t* out_rr, uint64_t* scratch);

// Computes powers with |kernel|, with its own way of doing so if it has one. |scratch| as for
// MontKernel::power; it is wiped.
void mont_power(const MontKernel& kernel, const MontPower* powers, size_t num_powers,
                uint64_t* scratch);

#define X(kernel) extern const MontKernel mont_##kernel;
#include "crypto/mont/mont_kernels.def"
#undef X

// KernelList::self_test.
bool mont_self_test(const KernelInfo& kernel);

extern const KernelList mont_kernel_list;

// The kernel that serves this process, chosen at the first call; null if INCORE_KERNEL is wrong.
const MontKernel* mont_kernel();

}  // namespace incore
