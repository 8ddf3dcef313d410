#include "tools/samples/mmtest.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <system_error>

#include "tools/base/exit.h"
#include "tools/base/json.h"
#include "tools/base/progress.h"
#include "tools/samples/pmm.h"

namespace incore::tools {
namespace {

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// By the clock of the processor that does the work.
double padlock_seconds(const incore_padlock* padlock) {
  return incore_padlock_is_native(padlock) != 0 ? wall_seconds() : incore_padlock_seconds(padlock);
}

}  // namespace

int run_mmtest(incore_padlock* padlock, const OtherPowers* other,
               const MmtestOptions& options) try {
  Json sizes = Json::array();
  Progress progress("mmtest", options.sizes.size() * options.cases);
  uint64_t done = 0;
  for (const size_t bits : options.sizes) {
    double ours = 0, theirs = 0;
    Json cases = Json::array();
    for (size_t i = 0; i < options.cases; ++i) {
      progress.update_count(done++, fmt::format("{} bits", bits));
      const RandomCase c =
          ordered_case(xstore_bytes(padlock, bits / 8), xstore_bytes(padlock, bits / 8),
                       xstore_bytes(padlock, bits / 8));
      PmmModulus modulus(padlock, c.modulus);
      Bytes result;
      double start = padlock_seconds(padlock);
      for (size_t n = 0; n < options.repeat; ++n) result = modulus.power(c.base, c.exponent);
      ours += padlock_seconds(padlock) - start;
      if (other != nullptr) {
        start = wall_seconds();
        const Bytes expected = other->power(c, options.repeat);
        theirs += wall_seconds() - start;
        if (trimmed(expected) != trimmed(result)) {
          fmt::print("ERROR: Results differ\n");
          return kDiffers;
        }
      }
      cases.push_back({{"base", number_text(c.base)},
                       {"exponent", number_text(c.exponent)},
                       {"modulus", number_text(c.modulus)},
                       {"result", number_text(result)}});
    }
    const auto powers = static_cast<double>(options.cases * options.repeat);
    if (options.json) {
      sizes.push_back({{"bits", bits}, {"powers", powers}, {"powers_per_second", powers / ours}});
      if (other != nullptr) sizes.back()["gmp_powers_per_second"] = powers / theirs;
      sizes.back()["cases"] = cases;
      continue;
    }
    fmt::print("LENGTH = {} bits.\n", bits);
    if (other != nullptr) fmt::print("  GMP: {:9.1f} ModExp/per sec\n", powers / theirs);
    fmt::print("  PMM: {:9.1f} ModExp/per sec\n\n", powers / ours);
  }
  if (options.json)
    fmt::print("{}", json_text(Json{{"processor", incore_padlock_name(padlock)},
                                    {"compared_with_gmp", other ? Json(other->name) : Json()},
                                    {"sizes", sizes}}));
  return kDone;
} catch (const std::system_error&) {  // of standard output
  throw;
} catch (const std::runtime_error& refused) {
  return fail(kDiffers, refused.what());
}

}  // namespace incore::tools
