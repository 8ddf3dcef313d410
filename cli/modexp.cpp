// `incore modexp`: the job of the sample MMTEST (PadLock guide, 6.4), modular exponentiation by the
// library and by GMP, in results and speed; or the power of given numbers.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/options/chip_options.h"
#include "cli/options/random_case_options.h"
#include "tools/base/json.h"
#include "tools/numbers/compare_powers.h"
#include "tools/numbers/gmp.h"
#include "tools/numbers/modulus.h"
#include "tools/samples/mmtest.h"
#include "tools/samples/open_chip.h"

namespace incore::cli {
namespace {

struct Options {
  std::optional<std::string> base, exponent, modulus;
  RandomCases cases;
  size_t repeat = 37;
  bool json = false, mmtest = false;
  std::string cpu;
};

int compute(const Options& options) {
  const Bytes base = number_of_option("--base", *options.base);
  const Bytes exponent = number_of_option("--exponent", *options.exponent);
  const Bytes modulus = number_of_option("--modulus", *options.modulus);
  Modulus m(modulus);
  if (!is_below(base, modulus)) throw std::invalid_argument("the base is not below the modulus");
  const Bytes result = m.power(base, exponent);
  const auto gmp = Gmp::open();
  if (gmp && gmp->power(base, exponent, modulus) != trimmed(result))
    return fail(kDiffers, "ERROR: Results differ");
  if (options.json)
    fmt::print("{}", json_text(Json{{"result", number_text(result)},
                                    {"kernel", incore_mont_kernel()},
                                    {"compared_with_gmp", gmp ? Json(gmp->version()) : Json()}}));
  else
    fmt::print("{}\n", number_text(result));
  return kDone;
}

// The form of the sample MMTEST: numbers by XSTORE, powers by MONTMUL.
int run_as_mmtest(Options& options) {
  const bool seed_given = options.cases.seed.has_value();
  options.cases.resolve();
  for (const size_t bits : options.cases.sizes)
    if (bits % 128 != 0)
      throw std::invalid_argument(
          fmt::format("--bits: MONTMUL takes multiples of 128 bits, not {}", bits));
  const Chip chip = open_chip({options.cpu, *options.cases.seed, seed_given}, "esther");
  std::string why_no_gmp;
  const auto gmp = Gmp::open(&why_no_gmp);
  OtherPowers other;
  if (gmp)
    other = {"GMP " + gmp->version(), [&](const RandomCase& c, size_t times) {
               gmp->repeat_power(c.base, c.exponent, c.modulus, times - 1);
               return gmp->power(c.base, c.exponent, c.modulus);
             }};
  if (!options.json)
    fmt::print("{}{}; {}; --seed {}\n", incore_padlock_name(chip.get()),
               incore_padlock_is_native(chip.get()) != 0 ? "" : ", emulated",
               gmp ? other.name : "nothing is compared with GMP: " + why_no_gmp,
               *options.cases.seed);
  return run_mmtest(chip.get(), gmp ? &other : nullptr,
                    {options.cases.sizes, options.cases.count, options.repeat, options.json});
}

int modexp(Options& o) {
  if (o.mmtest) return run_as_mmtest(o);
  return o.base ? compute(o) : compare_powers({o.cases, o.repeat, o.json});
}

}  // namespace

Command modexp_command() {
  auto o = std::make_shared<Options>();
  const auto hex = [](const char* name, std::optional<std::string>* out, const char* help,
                      const char* other) { return text(name, "HEX", out, help).needs(other); };
  return {
      .name = "modexp",
      .summary = "powers modulo big numbers, compared with GMP in results and speed",
      .options = joined(
          {{hex("--base", &o->base, "compute with this number: hex, or @FILE", "--exponent"),
            hex("--exponent", &o->exponent, "hex, or @FILE", "--modulus"),
            hex("--modulus", &o->modulus, "odd, of 256 to 32768 bits: hex, or @FILE", "--base")},
           random_case_options(&o->cases, 2, {"--base"}),
           {number("--repeat", "N", &o->repeat, 1, 1'000'000, "powers of each random case")
                .excludes({"--base"}),
            flag("--json", &o->json, "print JSON")},
           in_group(
               "In the form of the guide's sample MMTEST",
               {flag("--mmtest", &o->mmtest,
                     "random numbers by PadLock's XSTORE, powers by its MONTMUL")
                    .excludes({"--base"}),
                model_option(&o->cpu,
                             "an emulated PadLock processor; without it this CPU's own, or esther")
                    .needs("--mmtest")})}),
      .about =
          "Without numbers: random cases by the library, in constant time, and by GMP where it "
          "is installed. With numbers: their power, compared with GMP's.",
      .examples = {"incore modexp --bits 512,1024 --count 10",
                   "incore modexp --base 2 --exponent 10001 --modulus @modulus.hex",
                   "incore modexp --mmtest --cpu esther --seed 1"},
      .exit_codes = {{"0", "done"}, {"1", "results differ"}, {"2", "bad numbers or options"}},
      .run = [o] { return modexp(*o); },
  };
}

}  // namespace incore::cli
