// Montgomery multiplication with MULX, ADCX and ADOX (BMI2, ADX): Intel, "New Instructions
// Supporting Large Integer Arithmetic on Intel Architecture Processors". Row by row, as
// mont_steps.h does it (coarsely integrated: one row of a * b[i], then one of m * u). The partial
// product is not moved down; the rows move up instead.
//
// Two chains of carries run side by side through a block: ADCX adds the high half of the product
// before, ADOX the partial product. Compilers keep no two flags apart, hence assembly.
#if defined(__x86_64__)

#include "crypto/mont/mont_kernel.h"
#include "crypto/mont/mont_words.h"

namespace incore {
namespace {

// One word: t[at] += a[at] * b + |in|; the high half goes to |out|.
#define INCORE_MULTIPLY_ADD(at, in, out)  \
  "mulx " #at "*8(%[a]), %[low], %[" #out \
  "]\n"                                   \
  "adcx %[" #in                           \
  "], %[low]\n"                           \
  "adox " #at                             \
  "*8(%[t]), %[low]\n"                    \
  "mov %[low], " #at "*8(%[t])\n"
#define INCORE_MULTIPLY_ADD_2(at, next) \
  INCORE_MULTIPLY_ADD(at, carry, high)  \
  INCORE_MULTIPLY_ADD(next, high, carry)
// The block |code|, with an even number of words; the first XOR clears both carries.
#define INCORE_BLOCK(code)                                                             \
  uint64_t low, high, zero;                                                            \
  __asm__ volatile(                                                                    \
      "xor %k[zero], %k[zero]\n" code                                                  \
      "adcx %[zero], %[carry]\n"                                                       \
      "adox %[zero], %[carry]\n"                                                       \
      : [carry] "+&r"(carry), [low] "=&r"(low), [high] "=&r"(high), [zero] "=&r"(zero) \
      : [a] "r"(a), [t] "r"(t), "d"(b)                                                 \
      : "cc", "memory")

inline uint64_t add_block_of_8(uint64_t* t, const uint64_t* a, uint64_t b, uint64_t carry) {
  INCORE_BLOCK(INCORE_MULTIPLY_ADD_2(0, 1) INCORE_MULTIPLY_ADD_2(2, 3) INCORE_MULTIPLY_ADD_2(4, 5)
                   INCORE_MULTIPLY_ADD_2(6, 7));
  return carry;
}
inline uint64_t add_block_of_2(uint64_t* t, const uint64_t* a, uint64_t b, uint64_t carry) {
  INCORE_BLOCK(INCORE_MULTIPLY_ADD_2(0, 1));
  return carry;
}

// t[0] to t[words - 1] += a * b; returns the word that is carried out.
inline uint64_t add_row(uint64_t* t, const uint64_t* a, uint64_t b, size_t words) {
  uint64_t carry = 0;
  for (; words >= 8; words -= 8, a += 8, t += 8) carry = add_block_of_8(t, a, b, carry);
  for (; words >= 2; words -= 2, a += 2, t += 2) carry = add_block_of_2(t, a, b, carry);
  if (words != 0) {
    uint64_t last[2] = {t[0], 0};
    const uint64_t factor[2] = {a[0], 0};
    add_block_of_2(last, factor, b, carry);
    t[0] = last[0];
    carry = last[1];
  }
  return carry;
}

void mul(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
         uint64_t* scratch) {
  const size_t words = modulus.words;
  const uint64_t* const m = modulus.m;
  uint64_t* t = scratch;
  uint64_t top = 0;  // the overflow word, 0 or 1
  for (size_t j = 0; j < words; ++j) t[j] = 0;
  for (size_t i = 0; i < words; ++i, ++t) {
    const uint64_t of_product = add_row(t, a, b[i], words);
    const uint64_t of_modulus = add_row(t, m, t[0] * modulus.m_prime, words);  // t[0] becomes 0
    const bool first = __builtin_add_overflow(of_product, of_modulus, &t[words]);
    const bool second = __builtin_add_overflow(t[words], top, &t[words]);
    top = static_cast<uint64_t>(first | second);
  }
  words_reduce_once(out, t, top, m, words);
}

}  // namespace

constinit const MontKernel mont_adx = {
    {"adx", FeatureSet(Feature::bmi2, Feature::adx)}, mul, nullptr};

}  // namespace incore

#endif
