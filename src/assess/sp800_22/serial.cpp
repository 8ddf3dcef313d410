// Serial Test, SP 800-22 section 2.11. Its two P-values are called by their statistics, del psi^2
// and del^2 psi^2.
#include <cmath>

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
  return {{"del psi^2", igamc(std::exp2(static_cast<double>(m) - 2), del / 2), del, figures},
          {"del^2 psi^2", igamc(std::exp2(static_cast<double>(m) - 3), del2 / 2), del2, figures}};
}

extern const Test test_serial = {
    .name = "Serial",
    .section = "2.11",
    .looks_at = "how evenly all patterns are used",
    .least_n = 100,
    .run = [](const Sequence& epsilon, const Parameters& parameters, Outcomes& out) {
      out = serial(epsilon, parameters.serial_m);
    }};

}  // namespace incore::assess::sp800_22
