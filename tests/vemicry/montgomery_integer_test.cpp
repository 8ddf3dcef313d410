// Montgomery products and powers of integers of 1024 and 2048 bits, in one register and in pieces,
// against GMP and against signatures of third parties.
#include <functional>

#include "crypto/rsa/rsa_vectors.h"
#include "vemicry/montgomery_testing.h"

#if INCORE_HAVE_GMP
#include <gmpxx.h>
#endif

namespace incore::test {
namespace {

using vemicry::random_number;

constexpr uint32_t kPlaceLen = 0x400;
constexpr uint32_t kA = Program::kData, kB = kA + kPlaceLen, kN = kB + kPlaceLen,
                   kResult = kN + 2 * kPlaceLen, kSquare = kResult + 2 * kPlaceLen,
                   kRoom = kSquare + kPlaceLen;

// The functions of montmul.s for numbers of |words| words on machines of p words.
class Montmul {
 public:
  Montmul(uint32_t words, uint32_t p)
      : words_(words),
        form_(vemicry::montmul_form(words, p)),
        program_("montmul.s", registers_of(p)) {}

  const vemicry::MontmulForm& form() const { return form_; }

  Number multiply(const Number& a, const Number& b, const Number& n) {
    set(a, b, n);
    const uint32_t address =
        program_.call("montmul_" + bits(), {kA, kB, kN, kResult, vemicry::minus_inverse(n)}).value;
    return program_.read(address, words_ + 1);
  }
  Number power(const Number& base, const Number& exponent, const Number& n) {
    set(base, exponent, n);
    program_.write(kSquare, vemicry::power_of_2(2 * form_.r_bits, n));
    const uint32_t address =
        program_
            .call("modexp_" + bits(),
                  {kA, kB, kN, kResult, vemicry::minus_inverse(n), kSquare, kRoom})
            .value;
    return program_.read(address, words_);
  }

 private:
  std::string bits() const { return std::to_string(32 * words_); }
  void set(const Number& a, const Number& b, const Number& n) {
    program_.write(kA, a);
    program_.write(kB, b);
    program_.write(kN, n);
    program_.write(kN + 4 * form_.place, vemicry::complement(n, form_.place));
  }

  uint32_t words_;
  vemicry::MontmulForm form_;
  Program program_;
};

Number number_of_bytes(const Bytes& bytes, size_t num_words) {
  Number number(num_words);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t at = bytes.size() - 1 - i;
    if (at / 4 < num_words) number[at / 4] |= uint32_t{bytes[i]} << at % 4 * 8;
  }
  return number;
}

#if INCORE_HAVE_GMP
mpz_class to_gmp(const Number& number) {
  mpz_class result;
  mpz_import(result.get_mpz_t(), number.size(), -1, 4, 0, 0, number.data());
  return result;
}

// a * b / 2^r_bits mod n is |result|, which is below |bound| n.
void expect_product(const Montmul& montmul, const Number& a, const Number& b, const Number& n,
                    const Number& result) {
  const mpz_class modulus = to_gmp(n), r = mpz_class(1) << montmul.form().r_bits,
                  c = to_gmp(result);
  EXPECT_LT(c, modulus * montmul.form().bound);
  EXPECT_EQ((c * r - to_gmp(a) * to_gmp(b)) % modulus, 0);
}

void expect_products(uint32_t words, uint32_t p) {
  SCOPED_TRACE("words " + std::to_string(words) + " p " + std::to_string(p));
  Montmul montmul(words, p);
  uint64_t seed = p;
  Number ones(words, ~0u), top(words), random_n = random_number(words, 32 * words, &seed);
  top.back() = 1u << 31;
  top.front() = 1;
  random_n.front() |= 1;
  for (const Number& n : {random_n, ones, top}) {
    Number less_1 = n, zero(words);
    less_1.front() -= 1;
    std::vector<Number> factors = {zero, less_1};
    for (int i = 0; i < 2; ++i) {
      Number a = random_number(words, 32 * words, &seed);
      while (!vemicry::is_below(a, n)) a = random_number(words, 32 * words - 1, &seed);
      factors.push_back(a);
    }
    for (const Number& a : factors)
      for (const Number& b : factors) expect_product(montmul, a, b, n, montmul.multiply(a, b, n));
  }
}

TEST(vemicry_montgomery_integers, products_are_right_for_every_register_length) {
  // clause: VM-NEXT-007
  for (uint32_t p = 5; p <= 34; ++p) expect_products(32, p);
  for (const uint32_t p : {5u, 8u, 9u, 16u, 31u, 32u, 33u, 48u, 61u, 62u, 63u, 64u, 65u, 66u})
    expect_products(64, p);
  // clause: VM-NEXT-001
  for (const uint32_t p : {35u, 36u, 64u, 256u}) expect_products(32, p);
  for (const uint32_t p : {67u, 68u, 128u}) expect_products(64, p);
}

TEST(vemicry_montgomery_integers, products_in_a_register_take_factors_below_2n) {
  Montmul montmul(32, 36);
  uint64_t seed = 77;
  for (const uint32_t top : {~0u, 1u << 31, 0u}) {
    Number n = random_number(32, 1024, &seed);
    n.front() |= 1;
    if (top != 0) n.back() = top;
    Number c(33), almost_2n(33);
    for (uint32_t i = 0; i < 33; ++i)
      almost_2n[i] = (i < 32 ? n[i] << 1 : 0) | (i == 0 ? 0 : n[i - 1] >> 31);
    almost_2n.front() -= 1;
    c = montmul.multiply(almost_2n, almost_2n, n);
    expect_product(montmul, almost_2n, almost_2n, n, c);
    c = montmul.multiply(c, almost_2n, n);
    EXPECT_LT(to_gmp(c), 2 * to_gmp(n));
  }
}

TEST(vemicry_montgomery_integers, registers_as_long_as_numbers_take_factors_below_r) {
  Montmul montmul(32, 32);
  uint64_t seed = 78;
  const Number ones(32, ~0u);
  for (const uint32_t top : {~0u, 1u << 31, 1u}) {
    Number n = random_number(32, 1024, &seed);
    n.front() |= 1;
    n.back() = top;
    const mpz_class r = mpz_class(1) << 1024;
    Number c = montmul.multiply(ones, ones, n);
    EXPECT_EQ(c.back(), 0u);  // word 32
    EXPECT_EQ((to_gmp(c) * r - to_gmp(ones) * to_gmp(ones)) % to_gmp(n), 0);
  }
}

TEST(vemicry_montgomery_integers, powers_are_right) {
  for (const auto& [words, p] :
       {std::pair{32u, 5u}, {32u, 8u}, {32u, 32u}, {32u, 35u}, {64u, 8u}, {64u, 64u}, {64u, 68u}}) {
    SCOPED_TRACE("words " + std::to_string(words) + " p " + std::to_string(p));
    Montmul montmul(words, p);
    uint64_t seed = words + p;
    Number n = random_number(words, 32 * words, &seed);
    n.front() |= 1;
    n.back() |= 1u << 31;
    const Number base = random_number(words, 32 * words - 1, &seed),
                 exponent = random_number(words, 32 * words, &seed);
    mpz_class expected;
    const mpz_class b = to_gmp(base), e = to_gmp(exponent), modulus = to_gmp(n);
    mpz_powm(expected.get_mpz_t(), b.get_mpz_t(), e.get_mpz_t(), modulus.get_mpz_t());
    EXPECT_EQ(to_gmp(montmul.power(base, exponent, n)), expected);
  }
  Montmul montmul(32, 36);
  uint64_t seed = 4;
  Number n = random_number(32, 1024, &seed), one(32), less_1, zero(32);
  n.front() |= 1;
  one.front() = 1;
  less_1 = n;
  less_1.front() -= 1;
  EXPECT_EQ(montmul.power(less_1, zero, n), one);
  EXPECT_EQ(montmul.power(less_1, one, n), less_1);
  EXPECT_EQ(montmul.power(zero, less_1, n), zero);
}
#endif

TEST(vemicry_montgomery_integers, signs_as_rsa_laboratories_did) {
  size_t num_signed = 0;
  for (const RsaVectors& key : load_rsa_laboratories()) {
    const Number n = number_of_bytes(key.n, 65);
    const uint32_t words = n[63] != 0 ? 64 : 32;
    if (n[words] != 0 || n[words - 1] >> 31 == 0) continue;  // other sizes
    Montmul montmul(words, words == 32 ? 8 : 68);
    const RsaExample& example = key.examples.at(0);
    // clause: VM-NEXT-001
    EXPECT_EQ(montmul.power(number_of_bytes(example.encoded, words), number_of_bytes(key.d, words),
                            number_of_bytes(key.n, words)),
              number_of_bytes(example.signature, words))
        << key.name;
    ++num_signed;
  }
  if (num_signed == 0) GTEST_SKIP() << "no vectors: the package cryptography_vectors is missing";
}

TEST(vemicry_montgomery_integers, refuses_registers_without_room) {
  // clause: VM-NEXT-006
  const vemicry::Workload* const rolled = vemicry::find_workload("montmul-1024-rolled");
  EXPECT_EQ(rolled->refusal(registers_of(32)), "it needs registers of 34 words");
  EXPECT_EQ(rolled->refusal(registers_of(33)), "it needs registers of 34 words");
  for (const uint32_t p : {34u, 40u})
    EXPECT_EQ(instructions_of("montmul-1024-rolled", registers_of(p)), 327u);
  EXPECT_EQ(vemicry::find_workload("montmul-1024")->refusal(registers_of(4)),
            "it needs registers of 5 words");
}

// A workload's own check, after |change| to what its function left (null: the function never ran).
std::string checked(const std::string& name, uint32_t p,
                    const std::function<void(vemicry::Run&)>& change) {
  const vemicry::Workload& workload = *vemicry::find_workload(name);
  Program program(workload.program, registers_of(p));
  const vemicry::Image no_labels;
  vemicry::Run run{program.machine(), no_labels, 1, {}, {}};
  workload.prepare(run);
  if (change) {
    program.call(workload.function, run.arguments);
    change(run);
  } else if (run.arguments.size() > 3) {
    program.machine().state().gpr[2] = run.arguments[3];  // where the result would be
  }
  return workload.check(run);
}

TEST(vemicry_montgomery_integers, checks_of_workloads_see_what_is_wrong) {
  for (const char* name :
       {"gf2-191-product", "gf2-191-product-rolled", "gf2-191-product-best", "gf2-191-product-64",
        "gf2-191-product-64-rolled", "gf2-191-product-64-best", "gf2-256-product",
        "gf2-256-product-best", "gf2-n0-32", "gf2-n0-32-best", "gf2-n0-64",
        "scalar-asm-gf2-191-product", "montmul-1024", "montmul-2048", "montmul-1024-rolled",
        "montmul-2048-rolled", "modexp-1024", "modexp-2048"}) {
    const uint32_t p = std::string(name).find("rolled") == std::string::npos ? 8 : 68;
    EXPECT_NE(checked(name, p, nullptr), "") << name;
  }
  EXPECT_EQ(checked("montmul-1024", 8, [](vemicry::Run&) {}), "");
  // n more is as right modulo n, but too much.
  EXPECT_EQ(checked("montmul-1024", 8,
                    [](vemicry::Run& run) {
                      const uint32_t result = run.machine.state().gpr[2];
                      Number sum = run.read_words(result, 33);
                      const Number n = run.read_words(run.arguments[2], 32);
                      uint64_t carry = 0;
                      for (uint32_t i = 0; i < 33; ++i) {
                        carry += uint64_t{sum[i]} + (i < 32 ? n[i] : 0);
                        sum[i] = static_cast<uint32_t>(carry);
                        carry >>= 32;
                      }
                      run.write_words(result, sum);
                    }),
            "it is not below 1 n");
}

}  // namespace
}  // namespace incore::test
