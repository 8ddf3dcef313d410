// Montgomery products in binary fields: results, pass by pass, and what they refuse. Counts are in
// montgomery_counts_test.cpp.
#include <algorithm>

#include "crypto/gf2/curves.h"
#include "vemicry/montgomery_gf2_testing.h"

namespace incore::test {
namespace {

using vemicry::gf2_montgomery_product;
using vemicry::polynomial;
using vemicry::random_number;
using vemicry::Reduction;
using vemicry::Step;

Number exclusive_or(Number a, const Number& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] ^= b[i];
  return a;
}

Number to_number(const Words& words, size_t num_words) {
  Number number(num_words);
  for (size_t i = 0; i < num_words; ++i)
    number[i] = static_cast<uint32_t>(words[i / 2] >> (i % 2 * 32));
  return number;
}

// x^(64 M) mod f: what brings an element into Montgomery's form.
Number square_of_r(const Number& f, size_t degree) {
  Number r2(f.size());
  r2[0] = 1;
  for (size_t i = 0; i < 64 * f.size(); ++i) {
    for (size_t k = r2.size(); k-- > 0;) r2[k] = r2[k] << 1 | (k == 0 ? 0 : r2[k - 1] >> 31);
    if ((r2[degree / 32] >> degree % 32 & 1) != 0) r2 = exclusive_or(r2, f);
  }
  return r2;
}

// y^2 + xy = x^3 + a x^2 + b for the curve's generator, with products of |routine| alone.
void expect_generator_on_curve(const Curve& curve, const Routine& routine) {
  SCOPED_TRACE(curve.name + " " + routine.function);
  const size_t degree = curve.exponents[0], words = degree / 32 + 1;
  Number f(words);
  for (const unsigned e : curve.exponents) f[e / 32] |= 1u << e % 32;
  Program program(routine.file);
  const auto multiply = [&](const Number& a, const Number& b) {
    return gf2_product(program, routine.function, a, b, f);
  };
  const Number r2 = square_of_r(f, degree);
  const auto form = [&](const Words& element) { return multiply(to_number(element, words), r2); };
  const Number x = form(curve.x), y = form(curve.y), a = form(curve.a), b = form(curve.b);
  const Number x2 = multiply(x, x);
  const Number left = exclusive_or(multiply(y, y), multiply(x, y));
  const Number right = exclusive_or(exclusive_or(multiply(x2, x), multiply(a, x2)), b);
  EXPECT_EQ(left, right);
  EXPECT_NE(left, Number(words));
}

const Curve& curve_called(const std::vector<Curve>& curves, const std::string& name) {
  for (const Curve& curve : curves)
    if (curve.name == name) return curve;
  throw std::runtime_error("no curve " + name);
}

TEST(vemicry_montgomery_gf2, generators_of_published_curves_lie_on_them) {
  const std::vector<Curve> curves = load_curves();
  // clause: VM-RES-024
  for (const Routine& routine : kRoutines191)
    expect_generator_on_curve(curve_called(curves, "c2tnb191v1"), routine);
  // clause: VM-ALG-037
  for (const Routine& routine : kRoutines256)
    expect_generator_on_curve(curve_called(curves, "sect233r1"), routine);
}

TEST(vemicry_montgomery_gf2, every_routine_agrees_with_the_definition) {
  for (const Routine& routine : kRoutines191) {
    SCOPED_TRACE(routine.function);
    for (const bool junk : {false, true}) {
      Config config;
      config.junk = junk;
      Program program(routine.file, config);
      for (uint64_t seed = 1; seed <= 20; ++seed) {
        uint64_t random = seed;
        const Number a = random_number(6, 191, &random), b = random_number(6, 191, &random);
        // clause: VM-ALG-022
        // clause: VM-ALG-032
        EXPECT_EQ(gf2_product(program, routine.function, a, b, kF191),
                  gf2_montgomery_product(a, b, kF191));
        if (junk) program.machine().reset();
      }
      const Number ones = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u >> 1};
      EXPECT_EQ(gf2_product(program, routine.function, ones, ones, kF191),
                gf2_montgomery_product(ones, ones, kF191));
      EXPECT_EQ(gf2_product(program, routine.function, Number(6), ones, kF191), Number(6));
    }
  }
}

TEST(vemicry_montgomery_gf2, first_word_of_a_is_the_least) {
  Program program("gf2_product.s");
  uint64_t seed = 5;
  const Number b = random_number(6, 191, &seed), r2 = square_of_r(kF191, 191);
  for (size_t word = 0; word < 6; ++word) {
    Number a(6);
    a[word] = 1;
    // b * x^(32 word) / r, times r: b shifted by words, reduced; compared after a shift by bits.
    Number expected = b;
    for (size_t i = 0; i < 32 * word; ++i) {
      for (size_t k = 6; k-- > 0;)
        expected[k] = expected[k] << 1 | (k == 0 ? 0 : expected[k - 1] >> 31);
      if (expected[5] >> 31 != 0) expected = exclusive_or(expected, kF191);
    }
    // clause: VM-ALG-023
    EXPECT_EQ(gf2_product(program, "gf2_191_product",
                          gf2_product(program, "gf2_191_product", a, b, kF191), r2, kF191),
              expected)
        << word;
  }
}

// c += a_word * x^(32 shift) * b, then the multiple of f is added that makes the word at |shift| 0.
void add_product(Number* c, const Number& b, uint32_t a_word, size_t shift) {
  for (size_t i = 0; i < 32; ++i) {
    if ((a_word >> i & 1) == 0) continue;
    for (size_t bit = 0; bit < 32 * b.size(); ++bit)
      if ((b[bit / 32] >> bit % 32 & 1) != 0) (*c)[(bit + i) / 32 + shift] ^= 1u << (bit + i) % 32;
  }
}
void clear_word(Number* c, const Number& f, size_t shift) {
  for (size_t bit = 0; bit < 32; ++bit)
    if (((*c)[shift] >> bit & 1) != 0) add_product(c, f, 1u << bit, shift);
}

// The values of c after each pass of |words_per_pass| words, as figure 3 of the paper has them.
std::vector<Number> passes(const Number& a, const Number& b, const Number& f,
                           size_t words_per_pass) {
  std::vector<Number> result;
  Number c(8 + words_per_pass + 2);
  for (size_t j = 0; j < a.size(); j += words_per_pass) {
    for (size_t k = 0; k < words_per_pass; ++k) add_product(&c, b, a[j + k], k);
    for (size_t k = 0; k < words_per_pass; ++k) clear_word(&c, f, k);
    std::copy(c.begin() + static_cast<ptrdiff_t>(words_per_pass), c.end(), c.begin());
    std::fill(c.end() - static_cast<ptrdiff_t>(words_per_pass), c.end(), 0);
    result.emplace_back(c.begin(), c.begin() + 8);
  }
  return result;
}

// The values of c behind each VWSHR.
std::vector<Number> traced_passes(const std::string& function, const Number& a, const Number& b) {
  Program program("gf2_product.s");
  const uint32_t* const c = program.machine().state().v[0];
  std::vector<Number> result;
  bool shifted = false;
  vemicry::Outcome outcome;
  gf2_product(program, function, a, b, kF191, &outcome, [&](const Step& step) {
    if (shifted) result.emplace_back(c, c + 8);
    shifted = step.insn == &vemicry::vwshr;
  });
  return result;
}

TEST(vemicry_montgomery_gf2, each_pass_leaves_what_the_algorithm_says) {
  uint64_t seed = 11;
  const Number a = random_number(6, 191, &seed), b = random_number(6, 191, &seed);
  // clause: VM-ALG-024
  EXPECT_EQ(traced_passes("gf2_191_product", a, b), passes(a, b, kF191, 1));
  EXPECT_EQ(traced_passes("gf2_191_product_rolled", a, b), passes(a, b, kF191, 1));
  // clause: VM-ALG-038
  const std::vector<Number> by_64 = traced_passes("gf2_191_product_64", a, b);
  EXPECT_EQ(by_64.size(), 3u);
  EXPECT_EQ(by_64, passes(a, b, kF191, 2));
  EXPECT_EQ(traced_passes("gf2_191_product_64_rolled", a, b), by_64);
}

TEST(vemicry_montgomery_gf2, thousand_products_stay_below_the_degree) {
  for (const Routine& routine : {kRoutines191[0], kRoutines191[6]}) {
    Program program(routine.file);
    uint64_t seed = 1;
    Number highest(6);
    for (int i = 0; i < 1000; ++i) {
      const Number a = random_number(6, 191, &seed), b = random_number(6, 191, &seed);
      const Number c = gf2_product(program, routine.function, a, b, kF191);
      // clause: VM-ALG-026
      ASSERT_EQ(c[5] >> 31, 0u);
      for (size_t k = 0; k < 6; ++k) highest[k] |= c[k];
    }
    EXPECT_EQ(highest[5], ~0u >> 1);  // and they use all terms below it
  }
}

TEST(vemicry_montgomery_gf2, is_called_by_the_o32_convention) {
  // A caller that jumps there itself: M and N0 at 16 and 20 above its stack pointer.
  Program program("gf2_product.s", {}, R"(
caller: addiu   $29, $29, -32
        sw      $31, 28($29)
        la      $4, data_a
        la      $5, data_b
        la      $6, data_f
        la      $7, data_c
        li      $8, 6
        sw      $8, 16($29)
        li      $9, 0x08040201
before: jal     gf2_191_product
        sw      $9, 20($29)
behind: lw      $31, 28($29)
        li      $2, 0x1234
        jr      $31
        addiu   $29, $29, 32
        .data
data_a: .word   1, 2, 3, 4, 5, 6
data_b: .word   7, 8, 9, 10, 11, 12
data_f: .word   0x201, 0, 0, 0, 0, 0x80000000
data_c: .space  24
)");
  uint32_t result_address = 0;
  uint64_t of_function = 0, executed = 0;
  const uint32_t stack = program.machine().state().gpr[29];
  const vemicry::Outcome outcome = program.call("caller", {}, [&](const Step& step) {
    if (step.insn == &vemicry::jal) {
      result_address = program.machine().state().gpr[7];
      of_function = executed;
    }
    // The caller's lw behind the call reads its return address from this place.
    if (step.insn == &vemicry::lw && step.word.rt() == 31) of_function = executed - of_function;
    ++executed;
  });
  EXPECT_EQ(outcome.value, 0x1234u);
  EXPECT_NE(stack, 0u);
  // clause: VM-ALG-027
  EXPECT_EQ(program.read(result_address, 6),
            gf2_montgomery_product({1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, kF191));
  EXPECT_EQ(of_function, 94u + 2);  // the call: jal and its delay slot
}

TEST(vemicry_montgomery_gf2, paper_layout_needs_a_load_without_delay) {
  Config config;
  config.load_delay = true;
  Program program("gf2_product.s", config);
  uint64_t seed = 3;
  const Number a = random_number(6, 191, &seed), b = random_number(6, 191, &seed);
  const Number expected = gf2_montgomery_product(a, b, kF191);
  vemicry::Outcome outcome;
  const auto none = [](const Step&) {};
  // clause: VM-ALG-029
  EXPECT_NE(gf2_product(program, "gf2_191_product", a, b, kF191, &outcome, none), expected);
  EXPECT_EQ(gf2_product(program, "gf2_191_product_wait", a, b, kF191, &outcome, none), expected);
  EXPECT_EQ(outcome.executed, 100u);
}

TEST(vemicry_montgomery_gf2, fields_above_224_bits_lose_a_word_in_the_paper_layout) {
  const auto right = [](const char* file, const char* function,
                        std::initializer_list<uint32_t> f_exponents, const Config& config = {}) {
    const Number f = polynomial(f_exponents);
    uint64_t seed = 9;
    const size_t degree = *f_exponents.begin();
    Program program(file, config);
    for (int i = 0; i < 10; ++i) {
      const Number a = random_number(f.size(), degree, &seed),
                   b = random_number(f.size(), degree, &seed);
      if (gf2_product(program, function, a, b, f) != gf2_montgomery_product(a, b, f)) return false;
    }
    return true;
  };
  // clause: VM-ALG-036
  EXPECT_FALSE(right("gf2_product.s", "gf2_256_product_paper", {233, 74, 0}));
  EXPECT_FALSE(right("gf2_product.s", "gf2_256_product_paper", {251, 7, 4, 2, 0}));
  // With a word to spare, or below 225 bits, it is right.
  EXPECT_TRUE(right("gf2_product.s", "gf2_256_product_paper", {233, 74, 0}, registers_of(9)));
  EXPECT_TRUE(right("gf2_product.s", "gf2_256_product_paper", {223, 33, 0}));
  // clause: VM-ALG-037
  for (const Routine& routine : kRoutines256) {
    EXPECT_TRUE(right(routine.file, routine.function, {233, 74, 0})) << routine.function;
    EXPECT_TRUE(right(routine.file, routine.function, {251, 7, 4, 2, 0})) << routine.function;
    EXPECT_TRUE(right(routine.file, routine.function, {255, 254, 253, 252, 0})) << routine.function;
  }
  // clause: VM-ALG-040
  EXPECT_FALSE(right("gf2_product.s", "gf2_256_product_64", {233, 74, 0}));
  EXPECT_TRUE(right("gf2_product.s", "gf2_256_product_64", {233, 74, 0}, registers_of(10)));
}

// The other reading of CAR, in which products are added to it and VWSHR clears it: the printed
// routine is then right for fields of up to 256 bits, as section 5.4 says, if what v3 holds above
// its low word is 0.
TEST(vemicry_montgomery_gf2, paper_layout_is_right_above_224_bits_where_car_accumulates) {
  constexpr int kProducts = 1000;
  const auto num_right = [](std::initializer_list<uint32_t> f_exponents, const Config& config) {
    const Number f = polynomial(f_exponents);
    uint64_t seed = 11;
    Program program("gf2_product.s", config);
    int right = 0;
    for (int i = 0; i < kProducts; ++i) {
      const Number a = random_number(f.size(), *f_exponents.begin(), &seed),
                   b = random_number(f.size(), *f_exponents.begin(), &seed);
      right +=
          gf2_product(program, "gf2_256_product_paper", a, b, f) == gf2_montgomery_product(a, b, f);
    }
    return right;
  };
  Config accumulates;
  accumulates.car_accumulates = true;
  // clause: VM-ALG-036
  for (const std::initializer_list<uint32_t>& f :
       {std::initializer_list<uint32_t>{233, 74, 0}, {251, 7, 4, 2, 0}, {255, 52, 0}}) {
    EXPECT_EQ(num_right(f, accumulates), kProducts) << *f.begin();
    EXPECT_LE(num_right(f, {}), kProducts / 100) << *f.begin();
  }
  // The product that gives the quotient adds to CAR what those words make, so the routine is wrong
  // with junk there: this reading asks for a program that clears v3 first.
  accumulates.junk = true;
  accumulates.junk_seed = 1;
  EXPECT_LT(num_right({233, 74, 0}, accumulates), kProducts);
}

TEST(vemicry_montgomery_gf2, refuses_what_would_be_wrong) {
  using vemicry::gf2_refusal;
  const Number f233 = polynomial({233, 74, 0});
  // clause: VM-ALG-040
  EXPECT_EQ(gf2_refusal(kF191, 191, Reduction::by_64, 8), "");
  EXPECT_EQ(gf2_refusal(kF191, 191, Reduction::by_64, 7),
            "reduction by 64 bits needs registers of 8 words");
  EXPECT_EQ(gf2_refusal(f233, 233, Reduction::by_64, 8),
            "reduction by 64 bits needs registers of 10 words");
  EXPECT_EQ(gf2_refusal(polynomial({223, 33, 0}), 223, Reduction::by_64, 16),
            "reduction by 64 bits needs an even number of words");
  EXPECT_EQ(gf2_refusal(f233, 233, Reduction::by_32, 8), "it needs registers of 9 words");
  EXPECT_EQ(gf2_refusal(f233, 233, Reduction::by_32_without_room, 8), "");
  // clause: VM-ALG-042
  EXPECT_NE(gf2_refusal(polynomial({191, 9, 1}), 191, Reduction::by_32, 8), "");
  // A machine that the programs are not for.
  Config config = registers_of(7);
  EXPECT_EQ(vemicry::find_workload("gf2-191-product")->refusal(config),
            "it needs registers of 8 words");
  config = {};
  config.car_accumulates = true;
  EXPECT_NE(vemicry::find_workload("gf2-256-product")->refusal(config), "");
}

}  // namespace
}  // namespace incore::test
