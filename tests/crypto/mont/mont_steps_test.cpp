// Montgomery multiplication against the PadLock guide's printed cases and GMP.
#include "crypto/mont/mont_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "support/hex.h"
#if INCORE_HAVE_GMP
#include <gmp.h>
#endif

namespace incore {
namespace {

using Words = std::vector<uint32_t>;

// Words of a big-endian hex number, lowest first, padded to |words| words.
Words number(std::string hex, size_t words) {
  hex.insert(0, words * 8 - hex.size(), '0');
  Words result;
  for (size_t i = 0; i < words; ++i)
    result.insert(result.begin(),
                  static_cast<uint32_t>(std::stoul(hex.substr(8 * i, 8), nullptr, 16)));
  return result;
}

// The hex digits of a number without leading zeros.
std::string text(const Words& words) {
  std::string digits;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    uint8_t bytes[4];
    store_be32(bytes, *word);
    digits += test::to_hex(bytes, 4);
  }
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

// T of the multiplication, with the spare words, which are filled beforehand and must not change.
Words multiply(const Words& a, const Words& b, const Words& m) {
  constexpr uint32_t kFiller = 0xA5A5A5A5;
  Words t(m.size() + kMontSpareWords, kFiller);
  montmul(t.data(), a.data(), b.data(), m.data(), mont_m_zero_prime(m[0]), m.size());
  for (size_t j = m.size() + 1; j < t.size(); ++j)
    EXPECT_EQ(t[j], kFiller) << "behind the overflow word";
  t.resize(m.size() + 1);
  return t;
}

Words reduce(Words t, const Words& m) {
  mont_subtract_if_not_below(t.data(), m.data(), m.size());
  return t;
}

Words random_words(size_t words, uint64_t seed) {
  const test::Bytes bytes = test::random_bytes(4 * words, seed);
  Words result(words);
  for (size_t j = 0; j < words; ++j) result[j] = load_le32(&bytes[4 * j]);
  return result;
}

// 2^256 - 189
const Words kM256 = number(std::string(62, 'f') + "43", 8);

TEST(mont_steps, m_zero_prime_is_the_negative_inverse) {
  // clause: PLK-PMM-034
  EXPECT_EQ(mont_m_zero_prime(kM256[0]), 0xEA53FA95u);
  // clause: PLK-TOOL-091
  EXPECT_EQ(mont_m_zero_prime(0x10a4201d) & 0xFFFF, 0x5dcbu);
  EXPECT_EQ(mont_m_zero_prime(0xb1ad8f1f) & 0xFFFF, 0xd321u);
  // clause: PLK-TOOL-074
  for (uint32_t word : random_words(2000, 1)) {
    const uint32_t m0 = word | 1;
    EXPECT_EQ(mont_m_zero_prime(m0) * m0 + 1, 0u) << m0;
  }
  EXPECT_EQ(mont_m_zero_prime(1), 0xFFFFFFFFu);
  EXPECT_EQ(mont_m_zero_prime(0xFFFFFFFF), 1u);
}

TEST(mont_steps, guide_example_without_subtraction) {
  // clause: PLK-PMM-036
  const Words a = number("8" + std::string(62, '0') + "1", 8);
  const Words t = multiply(a, number("3", 8), kM256);
  EXPECT_EQ(text(t), "6fbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbef6e");
  EXPECT_EQ(reduce(t, kM256), t);
}

TEST(mont_steps, guide_example_with_overflow) {
  // With A = B = M - 1 the product is R^-1 mod M; the number was computed with Python's integers.
  const Words a = number(std::string(62, 'f') + "42", 8);
  const std::string answer = "4fea53fa94fea53fa94fea53fa94fea53fa94fea53fa94fea53fa94fea53fa5a";
  const Words t = multiply(a, a, kM256);
  // clause: PLK-PMM-031
  // clause: PLK-PMM-032
  EXPECT_EQ(t[8], 1u);
  // clause: PLK-PMM-033
  EXPECT_EQ(text(t), "14fea53fa94fea53fa94fea53fa94fea53fa94fea53fa94fea53fa94fea53f99d");
  EXPECT_EQ(text(reduce(t, kM256)), answer);
}

struct MmCase {
  size_t words;
  const char *m, *a, *b, *rm, *c;
};
const MmCase kMmCases[] = {
    {1, "10a4201d", "a46aa5a", "b4a3016", "a65c865", "d71a93"},
    {2, "f180d8c8b1ad8f1f", "a78c9241808a4e34", "9c8a755b17821505", "5cdcb8ef8a4e7317",
     "3b5ab8b2823c75b5"},
};

// The sample MM has words of 16 bits; T does not depend on the size of the words, only R does,
// which is equal here.
TEST(mont_steps, printed_cases_of_mm) {
  for (const MmCase& c : kMmCases) {
    const Words m = number(c.m, c.words);
    const Words first = multiply(number(c.a, c.words), number(c.rm, c.words), m);
    Words a_prime = reduce(first, m);
    a_prime.resize(c.words);
    const Words second = multiply(a_prime, number(c.b, c.words), m);
    // clause: PLK-TOOL-085
    // clause: PLK-TOOL-086
    // clause: PLK-TOOL-088
    EXPECT_EQ(text(reduce(second, m)), c.c);
    if (c.words == 1) {
      EXPECT_EQ(second, reduce(second, m)) << "no final subtraction";
    } else {
      // clause: PLK-TOOL-087
      EXPECT_EQ(text(second), "12cdb917b33ea04d4");
    }
  }
}

TEST(mont_steps, conditional_subtraction_at_its_borders) {
  const Words m = number("8000000000000000000000000000000000000001", 5);
  Words zero(6, 0), t(m);
  t.push_back(0);
  EXPECT_EQ(reduce(t, m), zero);  // t = m
  t[0] -= 1;
  EXPECT_EQ(reduce(t, m), t);  // t = m - 1
  t[0] += 2;
  // clause: PLK-TOOL-075
  EXPECT_EQ(text(reduce(t, m)), "1");  // t = m + 1
  // A borrow runs through zero words.
  // clause: PLK-TOOL-079
  // clause: PLK-TOOL-095
  EXPECT_EQ(reduce(Words{0, 0, 1}, Words{1, 0}), (Words{0xFFFFFFFF, 0xFFFFFFFF, 0}));
}

TEST(mont_steps, a_product_resumed_after_every_step_equals_the_whole) {
  const size_t words = 16;
  Words m = random_words(words, 7);
  m[0] |= 1;
  m[words - 1] |= 0x80000000;
  const Words a = random_words(words, 8), b = random_words(words, 9);
  const uint32_t m_zero_prime = mont_m_zero_prime(m[0]);
  Words saved(words + 1, 0);
  for (size_t i = 0; i < words; ++i) {
    Words restored(saved);  // t and the index are all that goes on
    montmul_step(restored.data(), a.data(), b[i], m.data(), m_zero_prime, words);
    saved = restored;
  }
  EXPECT_EQ(saved, multiply(a, b, m));
}

#if INCORE_HAVE_GMP
struct Mpz {
  mpz_t z;
  Mpz() { mpz_init(z); }
  explicit Mpz(const Words& words) : Mpz() {
    mpz_import(z, words.size(), -1, 4, 0, 0, words.data());
  }
  ~Mpz() { mpz_clear(z); }
  Mpz(const Mpz&) = delete;
};

// a * b / R mod m by GMP.
void expect_product(const Words& a, const Words& b, const Words& m) {
  const Words t = multiply(a, b, m);
  Mpz t_z(t), m_z(m), r, expected;
  mpz_ui_pow_ui(r.z, 2, 32 * m.size());
  mpz_invert(r.z, r.z, m_z.z);
  mpz_mul(expected.z, Mpz(a).z, Mpz(b).z);
  mpz_mul(expected.z, expected.z, r.z);
  mpz_mod(expected.z, expected.z, m_z.z);
  Mpz reduced(reduce(t, m));
  EXPECT_EQ(mpz_cmp(reduced.z, expected.z), 0) << m.size() << " words, m = " << text(m);
  mpz_mul_2exp(m_z.z, m_z.z, 1);
  EXPECT_LT(mpz_cmp(t_z.z, m_z.z), 0) << "T is not below 2M";
}

Words below(const Words& m, uint64_t seed) {
  Mpz z(random_words(m.size(), seed));
  mpz_mod(z.z, z.z, Mpz(m).z);
  Words result(m.size(), 0);
  mpz_export(result.data(), nullptr, -1, 4, 0, 0, z.z);
  return result;
}

TEST(mont_steps, products_equal_gmp) {
  // clause: PLK-PMM-002
  // clause: PLK-TOOL-089
  uint64_t seed = 100;
  for (size_t bits = kMontMinBits; bits <= kMontMaxBits; bits += kMontBitsStep) {
    const int repetitions = bits <= 1024 ? 300 : bits <= 4096 ? 10 : 1;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      Words m = random_words(bits / 32, ++seed);
      m[0] |= 1;
      if (repetition % 3 == 1) m.back() = 0xFFFFFFFF;  // overflows more often
      // clause: PLK-PMM-045
      if (repetition % 3 == 2) m.back() = 0;  // padded on the left
      expect_product(below(m, seed + 1000000), below(m, seed + 2000000), m);
    }
  }
}

TEST(mont_steps, extreme_operands_equal_gmp) {
  for (size_t words : {8, 12, 32, 1024}) {
    Words all_ones(words, 0xFFFFFFFF), largest(all_ones), zero(words, 0), one(words, 0);
    largest[0] -= 1;
    one[0] = 1;
    for (const Words& a : {zero, one, largest})
      for (const Words& b : {zero, one, largest}) expect_product(a, b, all_ones);
  }
}
#else
TEST(mont_steps, products_equal_gmp) {
  GTEST_SKIP() << "GMP is not installed for this architecture";
}
#endif

}  // namespace
}  // namespace incore
