// `incore modexp --mmtest`, the sample MMTEST's job: numbers from XSTORE, powers by MONTMUL, and
// what it says when another library disagrees.
#include "tools/samples/mmtest.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "support/process.h"
#include "tools/base/exit.h"
#include "tools/samples/pmm.h"

#if INCORE_HAVE_GMP
#include <gmpxx.h>
#endif

namespace incore {
namespace {

using tools::Bytes;
using Json = nlohmann::json;

class EmulatedChip {
 public:
  explicit EmulatedChip(uint64_t seed) {
    EXPECT_EQ(incore_padlock_init_emulated(&chip_, "esther", seed, nullptr, 0), INCORE_OK);
  }
  ~EmulatedChip() { incore_padlock_wipe(&chip_); }
  incore_padlock* get() { return &chip_; }

 private:
  incore_padlock chip_;
};

test::ProcessResult mmtest(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "modexp", "--mmtest"});
  return test::run(arguments);
}

TEST(samples_mmtest, numbers_come_from_the_generator_and_are_put_in_order) {
  for (const char* seed : {"1", "2", "3", "4"}) {
    const auto result = mmtest({"--cpu", "esther", "--seed", seed, "--bits", "256", "--count", "1",
                                "--repeat", "1", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Json c = Json::parse(result.out).at("sizes").at(0).at("cases").at(0);
    const Bytes base = tools::parse_number(c.at("base")),
                exponent = tools::parse_number(c.at("exponent")),
                modulus = tools::parse_number(c.at("modulus"));
    // clause: PLK-TOOL-071
    EXPECT_FALSE(tools::is_below(modulus, base));
    EXPECT_FALSE(tools::is_below(modulus, exponent));
    // clause: PLK-TOOL-072
    EXPECT_TRUE(tools::is_odd(modulus));
    // The same generator, quality factor 3, read here: the numbers are its bytes but for their
    // order and the modulus's lowest bit.
    // clause: PLK-TOOL-070
    EmulatedChip chip(std::stoull(seed));
    std::vector<Bytes> made, used = {base, exponent, modulus};
    for (int i = 0; i < 3; ++i) {
      made.push_back(tools::trimmed(tools::xstore_bytes(chip.get(), 32)));
      made.back().back() |= 1;
    }
    for (Bytes& number : used) number.back() |= 1;
    std::sort(made.begin(), made.end());
    std::sort(used.begin(), used.end());
    EXPECT_EQ(made, used);
  }
}

TEST(samples_mmtest, disagreement_is_said) {
  EmulatedChip chip(1);
  const tools::OtherPowers liar = {"liar",
                                   [](const tools::RandomCase& c, size_t) { return c.base; }};
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_mmtest(chip.get(), &liar, {.sizes = {256}, .cases = 1, .repeat = 1}),
            tools::kDiffers);
  // clause: PLK-TOOL-081
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "ERROR: Results differ\n");
}

TEST(samples_mmtest, prints_two_lines_for_each_size) {
  EmulatedChip chip(1);
  tools::OtherPowers other = {
      "other", [&](const tools::RandomCase& c, size_t) {
        EmulatedChip another(2);
        return tools::PmmModulus(another.get(), c.modulus).power(c.base, c.exponent);
      }};
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_mmtest(chip.get(), &other, {.sizes = {256, 384}, .cases = 1, .repeat = 1}), 0);
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(out.find("LENGTH = 256 bits.\n  GMP: "), 0u) << out;
  EXPECT_NE(out.find(" ModExp/per sec\n  PMM: "), std::string::npos);
  EXPECT_NE(out.find("\n\nLENGTH = 384 bits.\n"), std::string::npos);
}

TEST(samples_mmtest, sizes_that_montmul_does_not_take_are_refused) {
  const auto result = mmtest({"--bits", "300"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "incore modexp: --bits: MONTMUL takes multiples of 128 bits, not 300\n");
}

#if INCORE_HAVE_GMP
mpz_class integer(const Bytes& number) {
  return mpz_class("0" + tools::number_text(number), 16);
}

TEST(samples_mmtest, powers_are_gmp_s) {
  EmulatedChip chip(77);
  // clause: PLK-TOOL-077
  // clause: PLK-TOOL-113
  for (size_t i = 0; i < 60; ++i) {
    const size_t len = 16 * (2 + i % 4);
    Bytes exponent = tools::xstore_bytes(chip.get(), len);
    if (i % 5 == 0) std::fill_n(exponent.begin(), 1 + i % 9, 0);
    const auto c = tools::ordered_case(tools::xstore_bytes(chip.get(), len), exponent,
                                       tools::xstore_bytes(chip.get(), len));
    const Bytes ours = tools::PmmModulus(chip.get(), c.modulus).power(c.base, c.exponent);
    mpz_class expected;
    mpz_powm(expected.get_mpz_t(), integer(c.base).get_mpz_t(), integer(c.exponent).get_mpz_t(),
             integer(c.modulus).get_mpz_t());
    EXPECT_EQ(integer(ours), expected) << i;
  }
}
#endif

}  // namespace
}  // namespace incore
