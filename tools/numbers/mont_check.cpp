#include "tools/numbers/mont_check.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "incore/mont.h"
#include "tools/base/exit.h"
#include "tools/base/json.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/numbers/gmp.h"
#include "tools/numbers/modulus.h"
#include "tools/numbers/mont_model.h"

namespace incore::tools {
namespace {

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

void check_case(const MontCase& c, const MontCheck& options, const Gmp* gmp, Tally* tally) {
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
  if (options.quiet) return;
  fmt::print("Test {} {}\n", number, passed ? "passed" : "failed");
  if (!passed)
    fmt::print("Calculated: {} (by {})\n  Expected: {}\n", number_text(calculated), by,
               number_text(c.c));
}

// All of the numbers: they show which computation is wrong.
int tell_difference(const MontCase& c, const Tally& tally) {
  fail(kDiffers, "ERROR: Results differ");
  fmt::print(stderr, "{}{}\n", mont_case_text(c), tally.failed.line());
  return kDiffers;
}

Json tally_json(const Tally& tally, const Gmp* gmp) {
  return {{"kernel", incore_mont_kernel()},
          {"compared_with_gmp", gmp != nullptr ? Json(gmp->version()) : Json()},
          {"passed", tally.passed},
          {"failed", tally.failed}};
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

}  // namespace

int check_products(const std::vector<std::string>& files, const MontCheck& options) {
  const auto gmp = Gmp::open();
  Tally tally;
  for (const std::string& name : files) {
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
  if (options.quiet)
    fmt::print("{}", json_text(tally_json(tally, gmp.get())));
  else
    fmt::print("{} passed, {} failed\n", tally.passed, tally.failed.size());
  return tally.failed.empty() ? kDone : kDiffers;
}

int compare_products(RandomCases cases, bool print_cases, bool json) {
  cases.resolve();
  std::string why_no_gmp;
  const auto gmp = Gmp::open(&why_no_gmp);
  std::mt19937_64 random(*cases.seed);
  Tally tally;
  uint64_t done = 0;
  Progress progress("montmul", cases.sizes.size() * cases.count);
  for (const size_t bits : cases.sizes) {
    for (size_t i = 0; i < cases.count; ++i) {
      progress.update_count(done++, fmt::format("{} bits", bits));
      const MontCase c = make_case(bits, random);
      if (print_cases) {
        if (c.words > kMaxCaseWords)
          throw std::invalid_argument(fmt::format(
              "--print-cases: a file's cases have at most {} bits", 16 * kMaxCaseWords));
        fmt::print("{}", mont_case_text(c));
        continue;
      }
      check_case(c, {.quiet = true}, gmp.get(), &tally);
      if (tally.failed.empty()) continue;
      return tell_difference(c, tally);
    }
  }
  if (print_cases) return kDone;
  Json report = tally_json(tally, gmp.get());
  report["seed"] = *cases.seed;
  if (json)
    fmt::print("{}", json_text(report));
  else
    fmt::print("{} products of {} bits: library (kernel {}), model and {} agree; --seed {}\n",
               tally.passed, cases.bits, incore_mont_kernel(),
               gmp ? "GMP " + gmp->version() : "no GMP (" + why_no_gmp + ")", *cases.seed);
  return kDone;
}

int compute_product(Bytes a, Bytes b, Bytes m, bool trace, bool json) {
  MontCase c{0, std::move(m), std::move(a), std::move(b), {}, {}};
  const size_t bits = bit_length(c.m);
  if (!is_odd(c.m) || bits < 2 || bits > INCORE_MONT_MAX_BITS)
    return fail(kBadInput,
                fmt::format("the modulus is not an odd number above 1 of at most {} bits",
                            INCORE_MONT_MAX_BITS));
  if (!is_below(c.a, c.m)) return fail(kBadInput, "a is not below the modulus");
  if (!is_below(c.b, c.m)) return fail(kBadInput, "b is not below the modulus");
  c.words = (bits + 15) / 16;
  c.rm = MontModel(c.m, c.words).r_squared();
  c.c = by_model(c, trace);
  Tally tally;
  const auto gmp = Gmp::open();
  check_case(c, {.quiet = true}, gmp.get(), &tally);
  if (!tally.failed.empty()) return tell_difference(c, tally);
  if (json)
    fmt::print("{}",
               json_text(Json{{"result", number_text(c.c)},
                              {"kernel", library_takes(c.m) ? Json(incore_mont_kernel()) : Json()},
                              {"compared_with_gmp", gmp ? Json(gmp->version()) : Json()}}));
  else
    fmt::print("{}\n", number_text(c.c));
  return kDone;
}

}  // namespace incore::tools
