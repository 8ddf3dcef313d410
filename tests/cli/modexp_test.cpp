// `incore modexp` as a user sees it: the sample MMTEST's job.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;

ProcessResult modexp(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "modexp"});
  return test::run(arguments);
}

TEST(cli_modexp, every_size_has_a_rate_of_gmp_and_of_ours) {
  if (dlopen("libgmp.so.10", RTLD_NOW) == nullptr) GTEST_SKIP() << "libgmp.so.10 is missing";
  const ProcessResult result = modexp({"--repeat", "1", "--count", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::vector<size_t> sizes;
  // clause: PLK-TOOL-082
  const std::regex size(
      "LENGTH = ([0-9]+) bits\\.\n  GMP: +([0-9]+\\.[0-9]|inf) ModExp/per sec\n"
      "  Incore: +([0-9]+\\.[0-9]|inf) ModExp/per sec\n\n");
  for (std::sregex_iterator each(result.out.begin(), result.out.end(), size), end; each != end;
       ++each)
    sizes.push_back(std::stoul((*each)[1]));
  std::vector<size_t> expected;
  for (size_t bits = 256; bits <= 2048; bits += 128) expected.push_back(bits);
  // clause: PLK-TOOL-067
  // clause: PLK-TOOL-068
  EXPECT_EQ(sizes, expected) << result.out;
}

TEST(cli_modexp, a_size_has_74_powers_unless_told_otherwise) {
  const ProcessResult result = modexp({"--bits", "256", "--seed", "3", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report.at("seed"), 3);
  // clause: PLK-TOOL-069
  EXPECT_EQ(report.at("sizes")[0].at("powers"), 2 * 37);
  EXPECT_GT(report.at("sizes")[0].at("powers_per_second"), 0);
}

TEST(cli_modexp, given_numbers_give_their_power) {
  // Fermat: 3^(p - 1) = 1 modulo the prime 2^256 - 189.
  const std::string head(62, 'f');
  const auto power = [&](const std::string& base, const std::string& exponent) {
    return modexp({"--base", base, "--exponent", exponent, "--modulus", head + "43"});
  };
  EXPECT_EQ(power("3", head + "42").out, "1\n");
  // An exponent whose highest words are zero is handled.
  // clause: PLK-TOOL-078
  EXPECT_EQ(power("2", std::string(128, '0') + "100").out, "bd\n");
  EXPECT_EQ(power("2", "0").out, "1\n");
  EXPECT_EQ(power("0", "5").out, "0\n");
  const test::TemporaryDirectory folder;
  const std::string file = folder.write("exponent", "0x" + head + "\n42\n");
  EXPECT_EQ(power("3", "@" + file).out, "1\n");
  const ProcessResult machine =
      modexp({"--base", "2", "--exponent", "100", "--modulus", head + "43", "--json"});
  EXPECT_EQ(json::parse(machine.out).at("result"), "bd");
}

TEST(cli_modexp, mistakes_get_one_line) {
  const std::string even(64, 'e'), odd(64, 'f');
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--base", "2"},
           {"--base", "2", "--exponent", "2", "--modulus", even},
           {"--base", "2", "--exponent", "2", "--modulus", "f" + std::string(8192, 'f')},
           {"--base", "2", "--exponent", "2", "--modulus", odd.substr(1)},
           {"--base", odd, "--exponent", "2", "--modulus", odd},
           {"--base", "", "--exponent", "2", "--modulus", odd},
           {"--base", "2", "--exponent", "0x", "--modulus", odd},
           {"--base", "2", "--exponent", "12 34", "--modulus", odd},
           {"--base", "2", "--exponent", "@/nonexistent", "--modulus", odd},
           {"--base", "2", "--exponent", "@/dev/zero", "--modulus", odd},
           {"--bits", "x"},
           {"--repeat", "0"},
           {"--seed", "x"}}) {
    const ProcessResult result = modexp(wrong);
    EXPECT_EQ(result.exit_code, 2) << wrong.back();
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_LT(result.err.size(), 300u);
  }
}

}  // namespace
}  // namespace incore
