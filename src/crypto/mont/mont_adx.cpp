// Montgomery multiplication with MULX, ADCX and ADOX (BMI2, ADX): Intel, "New Instructions
// Supporting Large Integer Arithmetic on Intel Architecture Processors". The product first, then
// its reduction, both by tiles of 8 x 8 words, of which the 8 words that change stay in registers.
//
// Two chains of carries run side by side through a row: ADCX adds the low halves of the products,
// ADOX the high ones. Compilers keep no two flags apart, hence assembly. Numbers of other than 8k
// words go row by row instead.
#if defined(__x86_64__)

#include <utility>

#include "crypto/mont/mont_kernel.h"
#include "crypto/mont/mont_words.h"

namespace incore {
namespace {

#define INCORE_INLINE __attribute__((always_inline)) inline

constexpr size_t kTile = 8;

// One word of a row: a[at] * b added to the words |low_to| and |high_to|.
#define INCORE_MULTIPLY_ADD(at, low_to, high_to) \
  "mulx " #at                                    \
  "*8(%[a]), %[low], %[high]\n"                  \
  "adcx %[low], %[" #low_to                      \
  "]\n"                                          \
  "adox %[high], %[" #high_to "]\n"

// r += a[0..7] * b for the number in r[kFirst], r[kFirst + 1] and so on around. Returns its lowest
// word, whose place the new highest one takes.
template <size_t kFirst>
INCORE_INLINE uint64_t add_row(uint64_t (&r)[kTile], const uint64_t* a, uint64_t b) {
  uint64_t top, low, high;
  __asm__ volatile(
      "xor %k[top], %k[top]\n"  // clears both carries
      INCORE_MULTIPLY_ADD(0, r0, r1) INCORE_MULTIPLY_ADD(1, r1, r2) INCORE_MULTIPLY_ADD(2, r2, r3)
      INCORE_MULTIPLY_ADD(3, r3, r4) INCORE_MULTIPLY_ADD(4, r4, r5) INCORE_MULTIPLY_ADD(5, r5, r6)
      INCORE_MULTIPLY_ADD(6, r6, r7) INCORE_MULTIPLY_ADD(7, r7, top)
      "mov $0, %k[low]\n"
      "adcx %[low], %[top]\n"
      : [r0] "+&r"(r[kFirst]), [r1] "+&r"(r[(kFirst + 1) % kTile]),
        [r2] "+&r"(r[(kFirst + 2) % kTile]), [r3] "+&r"(r[(kFirst + 3) % kTile]),
        [r4] "+&r"(r[(kFirst + 4) % kTile]), [r5] "+&r"(r[(kFirst + 5) % kTile]),
        [r6] "+&r"(r[(kFirst + 6) % kTile]), [r7] "+&r"(r[(kFirst + 7) % kTile]),
        [top] "=&r"(top), [low] "=&r"(low), [high] "=&r"(high)
      : [a] "r"(a), "d"(b)
      : "cc", "memory");
  const uint64_t lowest = r[kFirst];
  r[kFirst] = top;
  return lowest;
}

#define INCORE_ADD_WORD(at)       \
  "adcx " #at "*8(%[t]), %[r" #at \
  "]\n"                           \
  "adox %[zero], %[r" #at "]\n"

// r += t[0..7] + carry + other. Leaves the two carries out of it in their places; each is 0 or 1.
INCORE_INLINE void add_words(uint64_t (&r)[kTile], const uint64_t* t, uint64_t& carry,
                             uint64_t& other) {
  uint64_t zero, ones;
  __asm__ volatile(
      "xor %k[zero], %k[zero]\n"
      "mov $-1, %[ones]\n"
      "adcx %[ones], %[carry]\n"
      "adox %[ones], %[other]\n"
      INCORE_ADD_WORD(0) INCORE_ADD_WORD(1) INCORE_ADD_WORD(2) INCORE_ADD_WORD(3)
      INCORE_ADD_WORD(4) INCORE_ADD_WORD(5) INCORE_ADD_WORD(6) INCORE_ADD_WORD(7)
      "mov $0, %k[carry]\n"
      "mov $0, %k[other]\n"
      "adcx %[zero], %[carry]\n"
      "adox %[zero], %[other]\n"
      : [r0] "+&r"(r[0]), [r1] "+&r"(r[1]), [r2] "+&r"(r[2]), [r3] "+&r"(r[3]),
        [r4] "+&r"(r[4]), [r5] "+&r"(r[5]), [r6] "+&r"(r[6]), [r7] "+&r"(r[7]),
        [carry] "+&r"(carry), [other] "+&r"(other), [zero] "=&r"(zero), [ones] "=&r"(ones)
      : [t] "r"(t)
      : "cc", "memory");
}

// A tile: r += a[0..7] * b[0..7]; the low half goes to t[0..7], the high half stays in r.
template <size_t... kRows>
INCORE_INLINE void add_tile(uint64_t* t, uint64_t (&r)[kTile], const uint64_t* a, const uint64_t* b,
                            std::index_sequence<kRows...>) {
  ((t[kRows] = add_row<kRows>(r, a, b[kRows])), ...);
}

// The tile that reduces: chooses out_u so that the low half of r + m[0..7] * out_u[0..7] is 0.
template <size_t... kRows>
INCORE_INLINE void reduce_tile(uint64_t* out_u, uint64_t (&r)[kTile], const uint64_t* m,
                               uint64_t m_prime, std::index_sequence<kRows...>) {
  ((out_u[kRows] = r[kRows] * m_prime, add_row<kRows>(r, m, out_u[kRows])), ...);
}

void mul_by_tiles(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
                  uint64_t* t) {
  constexpr auto kRows = std::make_index_sequence<kTile>();
  const size_t words = modulus.words;
  uint64_t* const u = t + 2 * words;
  for (size_t j = 0; j < 2 * words; ++j) t[j] = 0;
  for (size_t i = 0; i < words; i += kTile) {
    uint64_t r[kTile] = {}, carry = 0, none = 0;
    for (size_t j = 0; j < words; j += kTile) {
      add_words(r, t + i + j, carry, none);
      add_tile(t + i + j, r, a + j, b + i, kRows);
    }
    add_words(r, t + i + words, carry, none);
    words_copy(t + i + words, r, kTile);
  }

  uint64_t top = 0;  // carried out of the last words of t, 0 or 1
  for (size_t i = 0; i < words; i += kTile) {
    uint64_t r[kTile], carry = 0, none = 0;
    words_copy(r, t + i, kTile);
    reduce_tile(u, r, modulus.m, modulus.m_prime, kRows);
    for (size_t j = kTile; j < words; j += kTile) {
      add_words(r, t + i + j, carry, none);
      add_tile(t + i + j, r, modulus.m + j, u, kRows);
    }
    add_words(r, t + i + words, carry, top);
    words_copy(t + i + words, r, kTile);
    top |= carry;
  }
  words_reduce_once(out, t + words, top, modulus.m, words);
}

// t[0] to t[words - 1] += a * b; returns the word that is carried out.
uint64_t add_long_row(uint64_t* t, const uint64_t* a, uint64_t b, size_t words) {
  uint64_t carry = 0;
  for (size_t j = 0; j < words; ++j) {
    uint64_t low, high, zero;
    __asm__ volatile(
        "xor %k[zero], %k[zero]\n"
        "mulx (%[a]), %[low], %[high]\n"
        "adcx %[carry], %[low]\n"
        "adox (%[t]), %[low]\n"
        "mov %[low], (%[t])\n"
        "adcx %[zero], %[high]\n"
        "adox %[zero], %[high]\n"
        : [low] "=&r"(low), [high] "=&r"(high), [zero] "=&r"(zero)
        : [carry] "r"(carry), [a] "r"(a + j), [t] "r"(t + j), "d"(b)
        : "cc", "memory");
    carry = high;
  }
  return carry;
}

// As mont_steps.h does it, but the partial product is not moved down; the rows move up instead.
void mul_by_rows(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
                 uint64_t* t) {
  const size_t words = modulus.words;
  uint64_t top = 0;  // the overflow word, 0 or 1
  for (size_t j = 0; j < words; ++j) t[j] = 0;
  for (size_t i = 0; i < words; ++i, ++t) {
    const uint64_t of_product = add_long_row(t, a, b[i], words);
    const uint64_t of_modulus = add_long_row(t, modulus.m, t[0] * modulus.m_prime, words);
    const bool first = __builtin_add_overflow(of_product, of_modulus, &t[words]);
    const bool second = __builtin_add_overflow(t[words], top, &t[words]);
    top = static_cast<uint64_t>(first | second);
  }
  words_reduce_once(out, t, top, modulus.m, words);
}

void mul(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
         uint64_t* scratch) {
  (modulus.words % kTile == 0 ? mul_by_tiles : mul_by_rows)(out, a, b, modulus, scratch);
}

}  // namespace

constinit const MontKernel mont_adx = {
    {"adx", FeatureSet(Feature::bmi2, Feature::adx)}, mul, nullptr};

}  // namespace incore

#endif
