#include "tools/numbers/compare_powers.h"

#include <fmt/format.h>

#include <chrono>

#include "incore/mont.h"
#include "tools/base/exit.h"
#include "tools/base/json.h"
#include "tools/base/progress.h"
#include "tools/numbers/gmp.h"
#include "tools/numbers/modulus.h"

namespace incore::tools {
namespace {

template <class Call>
double seconds(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One size: its rates as lines, and in |*out_json|. False if results differ.
bool run_size(const ModexpComparison& options, size_t bits, const Gmp* gmp, std::mt19937_64& random,
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

}  // namespace

int compare_powers(ModexpComparison options) {
  options.cases.resolve();
  std::string why_no_gmp;
  const auto gmp = Gmp::open(&why_no_gmp);
  std::mt19937_64 random(*options.cases.seed);
  if (!options.json)
    fmt::print("kernel {}; {}; --seed {}\n", incore_mont_kernel(),
               gmp ? "GMP " + gmp->version() : "nothing is compared with GMP: " + why_no_gmp,
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
    fmt::print("{}", json_text(Json{{"kernel", incore_mont_kernel()},
                                    {"compared_with_gmp", gmp ? Json(gmp->version()) : Json()},
                                    {"seed", *options.cases.seed},
                                    {"sizes", sizes}}));
  return kDone;
}

}  // namespace incore::tools
