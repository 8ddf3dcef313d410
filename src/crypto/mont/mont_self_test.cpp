// What a kernel of Montgomery multiplication has to answer before it serves (crypto/self_test.h).
#include "crypto/mont/mont_kernel.h"
#include "crypto/self_test.h"

namespace incore {
namespace {

// Lengths that kernels have different ways for, and how many powers side by side: 4 and 24 words
// are of narrow and of wide registers, 5 no multiple of a tile.
constexpr struct { size_t words, num_powers; } kCases[] = {{4, 2}, {5, 0}, {24, 1}};
constexpr size_t kMaxWords = 24;
constexpr uint8_t kExponent[] = {0xB5};

// A product and |num_powers| powers modulo one modulus of |words| words.
void add_answers(const MontKernel& kernel, size_t words, size_t num_powers, SelfTestSum* sum) {
  alignas(64) uint64_t scratch[2 * mont_power_scratch_words(kMaxWords)];
  uint64_t m[kMaxWords], rr[kMaxWords], x[2][kMaxWords];
  self_test_fill(m, 1);
  self_test_fill(x[0], 2);
  m[0] |= 1;
  m[words - 1] |= uint64_t{1} << 63;
  x[0][words - 1] &= m[words - 1] >> 1;  // below m
  const MontModulus modulus = {m, rr, mont_m_prime(m[0]), words};
  mont_compute_rr(kernel, modulus, 64 * words, rr, scratch);
  kernel.mul(x[1], x[0], rr, modulus, scratch);
  MontPower powers[2];
  for (size_t i = 0; i < num_powers; ++i)
    powers[i] = {&modulus, x[i], kExponent, sizeof kExponent, x[i], false};
  if (num_powers != 0) mont_power(kernel, powers, num_powers, scratch);
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < words; ++j) sum->add(x[i][j]);
}

}  // namespace

bool mont_self_test(const KernelInfo& kernel) {
  SelfTestSum sum;
  for (const auto& c : kCases)
    add_answers(reinterpret_cast<const MontKernel&>(kernel), c.words, c.num_powers, &sum);
  return sum.sum() == 0x520DE040300AAC84;
}

}  // namespace incore
