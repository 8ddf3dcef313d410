// `incore modexp`: the job of the sample MMTEST (PadLock guide, 6.4), modular exponentiation by the
// library and by GMP, in results and speed; or the power of given numbers.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options/number_option.h"
#include "cli/options/random_case_options.h"
#include "tools/base/progress.h"
#include "tools/numbers/gmp.h"
#include "tools/numbers/modulus.h"
#include "tools/numbers/random_cases.h"
#include "tools/samples/mmtest.h"
#include "tools/samples/open_chip.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string base, exponent, modulus;
  RandomCases cases;
  size_t repeat = 37;
  bool json = false;
  bool mmtest = false;
  std::string cpu;
};

int compute(const Options& options) {
  const Bytes base = number_of_option("--base", options.base);
  const Bytes exponent = number_of_option("--exponent", options.exponent);
  const Bytes modulus = number_of_option("--modulus", options.modulus);
  Modulus m(modulus);
  if (!is_below(base, modulus)) throw std::invalid_argument("the base is not below the modulus");
  const Bytes result = m.power(base, exponent);
  const auto gmp = Gmp::open();
  if (gmp && gmp->power(base, exponent, modulus) != trimmed(result))
    return fail(kDiffers, "ERROR: Results differ");
  if (options.json)
    fmt::print("{}\n", Json{{"result", number_text(result)},
                            {"kernel", incore_mont_kernel()},
                            {"compared_with_gmp", gmp ? Json(gmp->version()) : Json()}}
                           .dump(2));
  else
    fmt::print("{}\n", number_text(result));
  return kDone;
}

template <class Call>
double seconds(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One size: its rates as lines, and in |*out_json|. False if results differ.
bool run_size(const Options& options, size_t bits, const Gmp* gmp, std::mt19937_64& random,
              Progress* progress, uint64_t* inout_done, Json* out_json) {
  double ours = 0, theirs = 0;
  for (size_t i = 0; i < options.cases.count; ++i) {
    progress->update_count((*inout_done)++, fmt::format("{} bits", bits));
    const RandomCase c = random_case(bits, random);
    Modulus modulus(c.modulus);
    Bytes result;
    ours += seconds([&] {
      for (size_t n = 0; n < options.repeat; ++n) result = modulus.power(c.base, c.exponent);
    });
    if (gmp == nullptr) continue;
    theirs += seconds([&] { gmp->repeat_power(c.base, c.exponent, c.modulus, options.repeat); });
    if (gmp->power(c.base, c.exponent, c.modulus) == trimmed(result)) continue;
    fail(kDiffers, "ERROR: Results differ");
    fmt::print(stderr, "  base={}\n  exponent={}\n  modulus={}\n", number_text(c.base),
               number_text(c.exponent), number_text(c.modulus));
    return false;
  }
  const auto powers = static_cast<double>(options.cases.count * options.repeat);
  *out_json = {{"bits", bits}, {"powers", powers}, {"powers_per_second", powers / ours}};
  if (gmp != nullptr) (*out_json)["gmp_powers_per_second"] = powers / theirs;
  if (options.json) return true;
  fmt::print("LENGTH = {} bits.\n", bits);
  if (gmp != nullptr) fmt::print("  GMP:    {:9.1f} ModExp/per sec\n", powers / theirs);
  fmt::print("  Incore: {:9.1f} ModExp/per sec\n\n", powers / ours);
  return true;
}

int compare(Options& options) {
  options.cases.resolve();
  const auto gmp = Gmp::open();
  std::mt19937_64 random(*options.cases.seed);
  if (!options.json)
    fmt::print("kernel {}; {}; --seed {}\n", incore_mont_kernel(),
               gmp ? "GMP " + gmp->version() : "GMP is not installed: nothing is compared",
               *options.cases.seed);
  Json sizes = Json::array();
  uint64_t done = 0;
  Progress progress("modexp", options.cases.sizes.size() * options.cases.count);
  for (const size_t bits : options.cases.sizes) {
    Json size;
    if (!run_size(options, bits, gmp.get(), random, &progress, &done, &size)) return kDiffers;
    sizes.push_back(size);
  }
  if (options.json)
    fmt::print("{}\n", Json{{"kernel", incore_mont_kernel()},
                            {"compared_with_gmp", gmp ? Json(gmp->version()) : Json()},
                            {"seed", *options.cases.seed},
                            {"sizes", sizes}}
                           .dump(2));
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
  const auto gmp = Gmp::open();
  OtherPowers other;
  if (gmp)
    other = {"GMP " + gmp->version(), [&](const RandomCase& c, size_t times) {
               gmp->repeat_power(c.base, c.exponent, c.modulus, times - 1);
               return gmp->power(c.base, c.exponent, c.modulus);
             }};
  if (!options.json)
    fmt::print("{}{}; {}; --seed {}\n", incore_padlock_name(chip.get()),
               incore_padlock_is_native(chip.get()) != 0 ? "" : ", emulated",
               gmp ? other.name : "GMP is not installed: nothing is compared", *options.cases.seed);
  return run_mmtest(chip.get(), gmp ? &other : nullptr,
                    {options.cases.sizes, options.cases.count, options.repeat, options.json});
}

int modexp(Options& options) {
  const bool given = !options.base.empty() || !options.exponent.empty() || !options.modulus.empty();
  if (given && (options.base.empty() || options.exponent.empty() || options.modulus.empty()))
    return fail(kBadInput, "--base, --exponent and --modulus go together");
  try {
    if (options.mmtest) return run_as_mmtest(options);
    return given ? compute(options) : compare(options);
  } catch (const std::invalid_argument& wrong) {
    return fail(kBadInput, wrong.what());
  }
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::Option* const base =
      app.add_option("--base", options->base, "compute with this number: hex, or @FILE");
  app.add_option("--exponent", options->exponent, "hex, or @FILE");
  app.add_option("--modulus", options->modulus, "odd, of 256 to 32768 bits: hex, or @FILE");
  add_random_case_options(app, &options->cases, 2, {base});
  app.add_option("--repeat", options->repeat, "powers of each random case")
      ->capture_default_str()
      ->transform(whole_number(1, 1'000'000))
      ->excludes(base);
  app.add_flag("--json", options->json, "print JSON");
  const std::string mmtest = "In the form of the guide's sample MMTEST";
  app.add_flag("--mmtest", options->mmtest,
               "random numbers by PadLock's XSTORE, powers by its MONTMUL")
      ->group(mmtest)
      ->excludes(base);
  app.add_option("--cpu", options->cpu,
                 "an emulated PadLock processor; without it this CPU's own, or esther")
      ->group(mmtest)
      ->needs("--mmtest");
  return [options] { return modexp(*options); };
}

}  // namespace

extern const Command modexp_command = {
    "modexp",
    "powers modulo big numbers, compared with GMP in results and speed",
    "Without numbers: random cases by the library, in constant time, and by GMP where it is\n"
    "installed. With numbers: their power, compared with GMP's.\n"
    "\n"
    "Examples:\n"
    "  incore modexp --bits 512,1024 --count 10\n"
    "  incore modexp --base 2 --exponent 10001 --modulus @modulus.hex\n"
    "  incore modexp --mmtest --cpu esther --seed 1\n"
    "Exit code: 0 done, 1 if results differ, 2 for bad numbers or options.",
    configure,
};

}  // namespace incore::cli
