// Serial Test, SP 800-22 section 2.11. Its two P-values are called by their statistics, del psi^2
// and del^2 psi^2.
#include <algorithm>
#include <cmath>

#include "assess/sp800_22/fair.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

// psi^2 of patterns whose counts these are.
double psi_squared(const std::vector<uint32_t>& counts, double n) {
  double sum = 0;  // of whole numbers, so exact below 2^53
  for (const uint32_t count : counts) sum += static_cast<double>(count) * count;
  return static_cast<double>(counts.size()) / n * sum - n;
}

// Counts of patterns that are one bit shorter.
std::vector<uint32_t> shorter(const std::vector<uint32_t>& counts) {
  std::vector<uint32_t> made(counts.size() / 2);
  for (size_t i = 0; i < made.size(); ++i) made[i] = counts[2 * i] + counts[2 * i + 1];
  return made;
}

constexpr char kDel[] = "del psi^2", kDel2[] = "del^2 psi^2";

// For m = 2: over all numbers of ones, and of runs of ones in the ring that the sequence is closed
// to. These two say how often each pattern of two bits occurs.
double share(uint64_t n, const Parameters& parameters, const std::string& variant, double p) {
  if (parameters.serial_m != 2) return kNone;
  const bool second = variant == kDel2;
  const double bits = static_cast<double>(n);
  const double least = at_least(chi_square_quantile(p, second ? 1 : 2));
  const Choose choose(n);
  const auto square = [](uint64_t count) {
    return static_cast<double>(count) * static_cast<double>(count);
  };
  double sum = 0;
  for (uint64_t ones = 0; ones <= n; ++ones) {
    const uint64_t zeros = n - ones;
    const bool constant = ones == 0 || zeros == 0;
    const double psi_1 = 2 / bits * (square(ones) + square(zeros)) - bits;
    for (uint64_t runs = constant ? 0 : 1; runs <= std::min(ones, zeros); ++runs) {
      const double squares = square(ones - runs) + square(zeros - runs) + 2 * square(runs);
      const double psi_2 = 4 / bits * squares - bits;
      if (psi_2 - (second ? 2 : 1) * psi_1 < least) continue;
      const double log_count = constant ? 0
                                        : std::log(bits / static_cast<double>(runs)) +
                                              choose.log(ones - 1, runs - 1) +
                                              choose.log(zeros - 1, runs - 1);
      sum += std::exp(log_count - bits * std::log(2.0));
    }
  }
  return std::min(1.0, sum);
}

}  // namespace

Outcomes serial(const Sequence& epsilon, unsigned m) {
  const double n = static_cast<double>(epsilon.n());
  const std::vector<uint32_t> counts_m = ring_counts(epsilon, m), counts_m1 = shorter(counts_m);
  const double psi_m = psi_squared(counts_m, n), psi_m1 = psi_squared(counts_m1, n),
               psi_m2 = m > 2 ? psi_squared(shorter(counts_m1), n) : 0;
  const double del = psi_m - psi_m1, del2 = psi_m - 2 * psi_m1 + psi_m2;
  const std::vector<Figure> figures = {{"m", static_cast<double>(m)},
                                       {"psi^2 m", psi_m},
                                       {"psi^2 m-1", psi_m1},
                                       {"psi^2 m-2", psi_m2}};
  return {{kDel, igamc(std::exp2(static_cast<double>(m) - 2), del / 2), del, figures},
          {kDel2, igamc(std::exp2(static_cast<double>(m) - 3), del2 / 2), del2, figures}};
}

extern const Test test_serial = {
    .name = "Serial",
    .section = "2.11",
    .looks_at = "how evenly all patterns are used",
    .least_n = 100,
    .run = [](const Sequence& epsilon, const Parameters& parameters,
              Outcomes& out) { out = serial(epsilon, parameters.serial_m); },
    .share = share};

}  // namespace incore::assess::sp800_22
