// Montgomery multiplication with VIA's PadLock, REP MONTMUL (PadLock guide 1.66, chapter 5; clauses
// PLK-PMM). In 32-bit code only: its context holds 32-bit pointers. Numbers have a multiple of 128
// bits, from 256 to 32768, and are aligned; what others have is the portable kernel's.
#if defined(__i386__)

#include "crypto/mont/mont_kernel.h"
#include "crypto/mont/mont_words.h"

namespace incore {
namespace {

constexpr size_t kMinWords = 256 / 64, kMaxWords = 32768 / 64;

// What ESI addresses.
struct Context {
  uint32_t m_zero_prime;
  const uint64_t* a;
  const uint64_t* b;
  uint64_t* t;
  const uint64_t* m;
  uint64_t* scratch;
};
static_assert(sizeof(Context) == 24);

void montmul(const Context& context, uint32_t bits) {
  uint32_t start = 0;
  __asm__ volatile(".byte 0xF3, 0x0F, 0xA6, 0xC0"
                   : "+a"(start), "+c"(bits)
                   : "S"(&context)
                   : "edx", "memory", "cc");
}

void mul(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
         uint64_t* scratch) {
  const size_t words = modulus.words;
  if (words % 2 != 0 || words < kMinWords || words > kMaxWords)
    return mont_portable.mul(out, a, b, modulus, scratch);
  alignas(16) uint64_t work[4];  // the instruction's own
  // Aligned copies, one behind the other; the result last, as it takes two words more.
  uint64_t* const copy_a = scratch + reinterpret_cast<uintptr_t>(scratch) % 16 / 8;
  uint64_t* const copy_b = copy_a + words;
  uint64_t* const copy_m = copy_b + words;
  uint64_t* const t = copy_m + words;
  words_copy(copy_a, a, words);
  words_copy(copy_b, b, words);
  words_copy(copy_m, modulus.m, words);
  words_set(t, 0, words + 2);
  montmul({static_cast<uint32_t>(modulus.m_prime), copy_a, copy_b, t, copy_m, work},
          static_cast<uint32_t>(64 * words));
  words_reduce_once(out, t, t[words], modulus.m, words);
}

}  // namespace

constinit const MontKernel mont_padlock = {
    {"padlock", FeatureSet(Feature::padlock_pmm)}, mul, nullptr};

}  // namespace incore

#endif
