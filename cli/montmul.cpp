// `incore montmul`: the job of the sample MM (PadLock guide, 6.5), products modulo big numbers from
// files of cases; random cases, which the library, MM's model and GMP compute; or the product of
// given numbers.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options/random_case_options.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/numbers/gmp.h"
#include "tools/numbers/modulus.h"
#include "tools/numbers/mont_cases.h"
#include "tools/numbers/mont_model.h"
#include "tools/numbers/random_cases.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  std::string a, b, modulus;
  RandomCases cases;
  bool print_cases = false, trace = false, json = false;
};

bool library_takes(const Bytes& modulus) {
  return bit_length(modulus) >= INCORE_MONT_MIN_BITS;
}

// a * b mod m by the model: into Montgomery's form with |rm|, and out of it by the second factor.
Bytes by_model(const MontCase& c, bool trace) {
  const MontModel model(c.m, c.words);
  const MontModel::Product first = model.multiply(c.a, c.rm);
  const MontModel::Product second = model.multiply(first.value, c.b);
  if (trace)
    for (const MontModel::Product* product : {&first, &second})
      fmt::print("  T={} loop of {} words{}\n", number_text(product->unreduced),
                 product->loop_words, product->subtracted ? ", m subtracted" : "");
  return second.value;
}

struct Tally {
  size_t passed = 0;
  Json failed = Json::array();
};

void check_case(const MontCase& c, const Options& options, const Gmp* gmp, Tally* tally) {
  const size_t number = tally->passed + tally->failed.size() + 1;
  Bytes calculated = by_model(c, options.trace);
  const char* by = "the model";
  const auto take_other = [&](const Bytes& result, const char* name) {
    if (trimmed(result) == calculated || calculated != c.c) return;
    calculated = trimmed(result);
    by = name;
  };
  if (library_takes(c.m)) take_other(Modulus(c.m).multiply(c.a, c.b), "the library");
  if (gmp != nullptr) take_other(gmp->multiply(c.a, c.b, c.m), "GMP");
  const bool passed = calculated == c.c;
  if (passed)
    ++tally->passed;
  else
    tally->failed.push_back({{"test", number},
                             {"by", by},
                             {"calculated", number_text(calculated)},
                             {"expected", number_text(c.c)}});
  if (options.json) return;
  fmt::print("Test {} {}\n", number, passed ? "passed" : "failed");
  if (!passed)
    fmt::print("Calculated: {} (by {})\n  Expected: {}\n", number_text(calculated), by,
               number_text(c.c));
}

// All of the numbers: they show which computation is wrong.
int tell_difference(const MontCase& c, const Tally& tally) {
  fail(kDiffers, "ERROR: Results differ");
  fmt::print(stderr, "{}{}\n", mont_case_text(c), tally.failed.dump());
  return kDiffers;
}

Json tally_json(const Tally& tally, const Gmp* gmp) {
  return {{"kernel", incore_mont_kernel()},
          {"compared_with_gmp", gmp != nullptr ? Json(gmp->version()) : Json()},
          {"passed", tally.passed},
          {"failed", tally.failed}};
}

int check_files(const Options& options) {
  const auto gmp = Gmp::open();
  Tally tally;
  for (const std::string& name : options.files) {
    std::ifstream file;
    if (name != "-") {
      file.open(name);
      if (!file) return fail(kBadInput, quoted_if_needed(name) + ": cannot be opened");
    }
    MontCaseReader reader(name == "-" ? std::cin : file, quoted_if_needed(name));
    Progress progress("montmul " + quoted_if_needed(name), 0);
    for (MontCase c; reader.next(&c);) {
      progress.update_count(tally.passed + tally.failed.size(), "");
      check_case(c, options, gmp.get(), &tally);
    }
  }
  const size_t all = tally.passed + tally.failed.size();
  if (all == 0) return fail(kBadInput, "no test case in the input");
  if (options.json)
    fmt::print("{}\n", tally_json(tally, gmp.get()).dump(2));
  else
    fmt::print("{} passed, {} failed\n", tally.passed, tally.failed.size());
  return tally.failed.empty() ? kDone : kDiffers;
}

// One random case of |bits| bits. The model is the oracle here, as it is plain.
MontCase make_case(size_t bits, std::mt19937_64& random) {
  const RandomCase numbers = random_case(bits, random);
  MontCase c{(bits + 15) / 16, numbers.modulus, numbers.base, numbers.exponent, {}, {}};
  if (c.b == c.m) c.b.back() &= 0xfe;
  c.rm = MontModel(c.m, c.words).r_squared();
  c.c = by_model(c, false);
  return c;
}

int compare(Options& options) {
  options.cases.resolve();
  const auto gmp = Gmp::open();
  std::mt19937_64 random(*options.cases.seed);
  Tally tally;
  uint64_t done = 0;
  Progress progress("montmul", options.cases.sizes.size() * options.cases.count);
  for (const size_t bits : options.cases.sizes) {
    for (size_t i = 0; i < options.cases.count; ++i) {
      progress.update_count(done++, fmt::format("{} bits", bits));
      const MontCase c = make_case(bits, random);
      if (options.print_cases) {
        if (c.words > kMaxCaseWords)
          throw std::invalid_argument(fmt::format(
              "--print-cases: a file's cases have at most {} bits", 16 * kMaxCaseWords));
        fmt::print("{}", mont_case_text(c));
        continue;
      }
      Options quiet;
      quiet.json = true;
      check_case(c, quiet, gmp.get(), &tally);
      if (tally.failed.empty()) continue;
      return tell_difference(c, tally);
    }
  }
  if (options.print_cases) return kDone;
  Json report = tally_json(tally, gmp.get());
  report["seed"] = *options.cases.seed;
  if (options.json)
    fmt::print("{}\n", report.dump(2));
  else
    fmt::print("{} products of {} bits: library (kernel {}), model and {} agree; --seed {}\n",
               tally.passed, options.cases.bits, incore_mont_kernel(),
               gmp ? "GMP " + gmp->version() : "no GMP, which is not installed,",
               *options.cases.seed);
  return kDone;
}

int compute(const Options& options) {
  MontCase c{0,
             number_of_option("--modulus", options.modulus),
             number_of_option("-a", options.a),
             number_of_option("-b", options.b),
             {},
             {}};
  const size_t bits = bit_length(c.m);
  if (!is_odd(c.m) || bits < 2 || bits > INCORE_MONT_MAX_BITS)
    return fail(kBadInput,
                fmt::format("the modulus is not an odd number above 1 of at most {} bits",
                            INCORE_MONT_MAX_BITS));
  if (!is_below(c.a, c.m)) return fail(kBadInput, "a is not below the modulus");
  if (!is_below(c.b, c.m)) return fail(kBadInput, "b is not below the modulus");
  c.words = (bits + 15) / 16;
  c.rm = MontModel(c.m, c.words).r_squared();
  c.c = by_model(c, options.trace);
  Options quiet;
  quiet.json = true;
  Tally tally;
  const auto gmp = Gmp::open();
  check_case(c, quiet, gmp.get(), &tally);
  if (!tally.failed.empty()) return tell_difference(c, tally);
  if (options.json)
    fmt::print("{}\n", Json{{"result", number_text(c.c)},
                            {"kernel", library_takes(c.m) ? Json(incore_mont_kernel()) : Json()},
                            {"compared_with_gmp", gmp ? Json(gmp->version()) : Json()}}
                           .dump(2));
  else
    fmt::print("{}\n", number_text(c.c));
  return kDone;
}

int montmul(Options& options) {
  const bool given = !options.a.empty() || !options.b.empty() || !options.modulus.empty();
  if (given && (options.a.empty() || options.b.empty() || options.modulus.empty()))
    return fail(kBadInput, "-a, -b and --modulus go together");
  if (given && !options.files.empty())
    return fail(kBadInput, "either FILE or -a, -b and --modulus, not both");
  if (options.trace && !given && options.files.empty())
    return fail(kBadInput, "--trace is for FILE or -a, -b and --modulus");
  try {
    if (given) return compute(options);
    return options.files.empty() ? compare(options) : check_files(options);
  } catch (const std::invalid_argument& wrong) {
    return fail(kBadInput, wrong.what());
  }
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::Option* const file = app.add_option("FILE", options->files,
                                           "test cases in the format of the sample MM; - is stdin");
  CLI::Option* const a =
      app.add_option("-a", options->a, "compute with this number: hex, or @FILE");
  app.add_option("-b", options->b, "hex, or @FILE");
  app.add_option("--modulus", options->modulus, "odd: hex, or @FILE");
  add_random_case_options(app, &options->cases, 20, {file, a});
  app.add_flag("--print-cases", options->print_cases, "print random cases in the format of MM")
      ->excludes(file)
      ->excludes(a);
  app.add_flag("--trace", options->trace, "print the model's products before their reduction");
  app.add_flag("--json", options->json, "print JSON")
      ->excludes("--trace")
      ->excludes("--print-cases");
  return [options] { return montmul(*options); };
}

}  // namespace

extern const Command montmul_command = {
    "montmul",
    "Montgomery products: test cases from files, random ones, or given numbers",
    "Without FILE and numbers: random cases, computed by the library, by a plain model with words\n"
    "of 16 bits, and by GMP where it is installed. docs/montmul.md has the format of FILE.\n"
    "\n"
    "Examples:\n"
    "  incore montmul cases.txt\n"
    "  incore montmul --bits 256-32768:4096 --count 5\n"
    "  incore montmul -a a46aa5a -b b4a3016 --modulus 10a4201d\n"
    "Exit code: 0 done, 1 if results differ, 2 for bad numbers, files or options.",
    configure,
};

}  // namespace incore::cli
