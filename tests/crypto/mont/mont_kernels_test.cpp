// Every kernel of Montgomery multiplication against the plain steps, against GMP, and against the
// others.
#include <gtest/gtest.h>

#include <algorithm>

#include "crypto/mont/mont_testing.h"

namespace incore::test {
namespace {

// Sizes at which something changes: number of words, number of 52-bit digits, forms of the kernels.
constexpr size_t kSizes[] = {256,  257,  320,  321,  383,  384,  448,  511,  512,  513,  575,
                             640,  768,  1000, 1023, 1024, 1025, 1152, 1280, 1535, 1536, 1600,
                             2047, 2048, 2112, 3071, 3072, 3136, 4095, 4096, 4160};

class mont_kernels : public testing::TestWithParam<const KernelInfo*> {
 protected:
  void SetUp() override {
    if (!detect_features().has_all(GetParam()->needs))
      GTEST_SKIP() << "this CPU cannot run the kernel " << GetParam()->name;
  }
  static const MontKernel& kernel() { return *reinterpret_cast<const MontKernel*>(GetParam()); }

  static Words64 product(const Words64& a, const Words64& b, Modulus& modulus) {
    Words64 out(a.size());
    kernel().mul(out.data(), a.data(), b.data(), modulus.view(), modulus.scratch());
    return out;
  }
};

std::string name_of(const testing::TestParamInfo<const KernelInfo*>& param_info) {
  return param_info.param->name;
}

Words64 product_by_steps(const Words64& a, const Words64& b, const Words64& m) {
  const auto halves = [](const Words64& words) {
    std::vector<uint32_t> result;
    for (uint64_t word : words) {
      result.push_back(static_cast<uint32_t>(word));
      result.push_back(static_cast<uint32_t>(word >> 32));
    }
    return result;
  };
  const std::vector<uint32_t> m32 = halves(m);
  std::vector<uint32_t> t(m32.size() + 1);
  montmul(t.data(), halves(a).data(), halves(b).data(), m32.data(), mont_m_zero_prime(m32[0]),
          m32.size());
  mont_subtract_if_not_below(t.data(), m32.data(), m32.size());
  Words64 result(m.size());
  for (size_t i = 0; i < 2 * m.size(); ++i) result[i / 2] |= uint64_t{t[i]} << (i % 2 * 32);
  return result;
}

Words64 any_number(size_t words, uint64_t seed) {
  return odd_number(64 * words, 0, seed);
}

// Below m, for an m whose top word is not 0.
Words64 below(const Words64& m, uint64_t seed) {
  Words64 number = any_number(m.size(), seed);
  number.back() %= m.back();
  return number;
}

TEST_P(mont_kernels, products_equal_the_steps) {
  uint64_t seed = 1;
  for (size_t bits : kSizes)
    for (int shape = 0; shape < 3; ++shape) {
      SCOPED_TRACE(std::to_string(bits) + " bits, shape " + std::to_string(shape));
      Modulus modulus(kernel(), odd_number(bits, shape, ++seed));
      const Words64& m = modulus.m();
      Words64 zero(m.size()), one(zero), largest(m);
      one[0] = 1;
      largest[0] -= 1;
      const Words64 all_ones(m.size(), ~uint64_t{0});
      const Words64 b = m.back() > 1 ? below(m, seed + 1000) : largest;
      for (const Words64& first : {any_number(m.size(), seed + 2000), zero, one, largest, all_ones})
        for (const Words64& second : {b, zero, one, largest})
          ASSERT_EQ(product(first, second, modulus), product_by_steps(first, second, m));
    }
}

TEST_P(mont_kernels, every_number_of_words_gives_the_steps_product) {
  for (size_t words = 4; words <= 70; ++words) {
    Modulus modulus(kernel(), odd_number(64 * words, 0, words));
    const Words64 a = any_number(words, words + 100), b = below(modulus.m(), words + 200);
    ASSERT_EQ(product(a, b, modulus), product_by_steps(a, b, modulus.m())) << words;
  }
}

TEST_P(mont_kernels, a_product_may_replace_its_factors) {
  for (size_t words : {4, 5, 8, 13, 16, 32}) {
    Modulus modulus(kernel(), odd_number(64 * words, 0, words));
    const Words64 a = below(modulus.m(), 1), b = below(modulus.m(), 2);
    Words64 first(a), second(b), both(a);
    kernel().mul(first.data(), first.data(), b.data(), modulus.view(), modulus.scratch());
    EXPECT_EQ(first, product(a, b, modulus));
    kernel().mul(second.data(), a.data(), second.data(), modulus.view(), modulus.scratch());
    EXPECT_EQ(second, product(a, b, modulus));
    kernel().mul(both.data(), both.data(), both.data(), modulus.view(), modulus.scratch());
    EXPECT_EQ(both, product(a, a, modulus));
  }
}

#if INCORE_HAVE_GMP

TEST_P(mont_kernels, rr_is_the_square_of_r) {
  for (size_t bits : kSizes)
    for (int shape = 0; shape < 3; ++shape) {
      Modulus modulus(kernel(), odd_number(bits, shape, bits));
      const mpz_class rr = (mpz_class(1) << (128 * modulus.m().size())) % to_mpz(modulus.m());
      EXPECT_EQ(to_mpz(modulus.rr()), rr) << bits;
    }
}

struct Power {
  Words64 base;
  Bytes exponent;
};

// Computes the powers, one or two side by side, and compares them with GMP.
void expect_powers(const MontKernel& kernel, const std::vector<Modulus*>& moduli,
                   const std::vector<Power>& powers, bool public_exponent = false) {
  const size_t words = moduli[0]->m().size();
  PowerScratch scratch(words, powers.size());
  std::vector<Words64> results(powers.size(), Words64(words));
  std::vector<MontPower> calls;
  for (size_t i = 0; i < powers.size(); ++i)
    calls.push_back({&moduli[i]->view(), powers[i].base.data(), powers[i].exponent.data(),
                     powers[i].exponent.size(), results[i].data(), public_exponent});
  mont_power(kernel, calls.data(), calls.size(), scratch.get());
  for (size_t i = 0; i < powers.size(); ++i)
    ASSERT_EQ(to_mpz(results[i]), power_by_gmp(to_mpz(powers[i].base), to_mpz(powers[i].exponent),
                                               to_mpz(moduli[i]->m())))
        << "power " << i << ", exponent " << to_hex(powers[i].exponent);
  for (size_t i = 0; i < powers.size() * mont_power_scratch_words(words); ++i)
    ASSERT_EQ(scratch.get()[i], 0u) << "scratch is not wiped";
}

TEST_P(mont_kernels, powers_equal_gmp) {
  uint64_t seed = 5000;
  for (size_t bits : kSizes)
    for (int shape = 0; shape < 3; ++shape) {
      SCOPED_TRACE(std::to_string(bits) + " bits, shape " + std::to_string(shape));
      Modulus modulus(kernel(), odd_number(bits, shape, ++seed));
      Words64 base = any_number(modulus.m().size(), seed + 1000);
      base = to_words(to_mpz(base) % to_mpz(modulus.m()), base.size());
      expect_powers(kernel(), {&modulus},
                    {{base, random_bytes(std::min<size_t>(bits / 8, 129), seed)}});
    }
}

TEST_P(mont_kernels, extreme_bases_and_exponents_equal_gmp) {
  for (size_t bits : {256, 512, 576, 1024, 1536, 2048, 2112, 3072})
    for (int shape = 0; shape < 3; ++shape) {
      SCOPED_TRACE(std::to_string(bits) + " bits, shape " + std::to_string(shape));
      Modulus modulus(kernel(), odd_number(bits, shape, bits));
      Words64 zero(modulus.m().size()), one(zero), largest(modulus.m());
      one[0] = 1;
      largest[0] -= 1;
      for (const Words64& base : {zero, one, largest, below(modulus.m(), 3)})
        for (const Bytes& exponent :
             {Bytes(), Bytes{0}, Bytes{1}, Bytes{2}, Bytes{3}, Bytes{0x1F}, Bytes{0x20},
              Bytes{0, 0, 0, 5}, Bytes{1, 0, 1}, Bytes(40), Bytes(31, 0xFF)}) {
          expect_powers(kernel(), {&modulus}, {{base, exponent}});
          expect_powers(kernel(), {&modulus}, {{base, exponent}}, true);
        }
    }
}

TEST_P(mont_kernels, every_length_of_exponent_equals_gmp) {
  Modulus modulus(kernel(), odd_number(512, 0, 1));
  for (size_t len = 0; len < 100; ++len) {
    Bytes exponent = random_bytes(len, len);
    expect_powers(kernel(), {&modulus}, {{below(modulus.m(), len), exponent}});
    exponent.insert(exponent.begin(), 9, 0);
    expect_powers(kernel(), {&modulus}, {{below(modulus.m(), len), exponent}});
  }
}

TEST_P(mont_kernels, two_powers_side_by_side_equal_gmp) {
  uint64_t seed = 9000;
  for (size_t bits : kSizes) {
    SCOPED_TRACE(bits);
    Modulus p(kernel(), odd_number(bits, 0, ++seed)), q(kernel(), odd_number(bits, 1, ++seed));
    const Words64 p_base = below(p.m(), ++seed), q_base = below(q.m(), ++seed);
    expect_powers(kernel(), {&p, &q},
                  {{p_base, random_bytes(64, ++seed)}, {q_base, random_bytes(64, ++seed)}});
    expect_powers(kernel(), {&p, &q},
                  {{p_base, random_bytes(9, ++seed)}, {q_base, random_bytes(30, ++seed)}});
    expect_powers(kernel(), {&p, &q}, {{p_base, random_bytes(12, ++seed)}, {q_base, {}}});
  }
}

TEST_P(mont_kernels, large_moduli_equal_gmp) {
  for (size_t bits : {8192, 16384, 20000, 32767, 32768}) {
    SCOPED_TRACE(bits);
    Modulus modulus(kernel(), odd_number(bits, bits % 3 == 0 ? 1 : 0, bits));
    const Words64 a = any_number(modulus.m().size(), 1), b = below(modulus.m(), 2);
    ASSERT_EQ(product(a, b, modulus), product_by_steps(a, b, modulus.m()));
    expect_powers(kernel(), {&modulus}, {{b, Bytes{0x80, 0x01, 0x01}}});
    expect_powers(kernel(), {&modulus}, {{b, Bytes{1, 0, 1}}}, true);
  }
}

#else
TEST_P(mont_kernels, powers_equal_gmp) {
  GTEST_SKIP() << "GMP is not installed for this architecture";
}
#endif

INSTANTIATE_TEST_SUITE_P(all, mont_kernels,
                         testing::ValuesIn(mont_kernel_list.kernels,
                                           mont_kernel_list.kernels + mont_kernel_list.num_kernels),
                         name_of);

}  // namespace
}  // namespace incore::test
