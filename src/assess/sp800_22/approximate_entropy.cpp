// Approximate Entropy Test, SP 800-22 section 2.12.
#include <cmath>

#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

// phi of patterns of |width| bits.
double phi(const Sequence& epsilon, unsigned width) {
  const double n = static_cast<double>(epsilon.n());
  double sum = 0;
  for (const uint32_t count : ring_counts(epsilon, width))
    if (count != 0) sum += count * std::log(count / n);
  return sum / n;
}

}  // namespace

Outcome approximate_entropy(const Sequence& epsilon, unsigned m) {
  const double n = static_cast<double>(epsilon.n());
  const double ApEn = phi(epsilon, m) - phi(epsilon, m + 1);
  const double statistic = 2 * n * (std::log(2.0) - ApEn);
  return {.p_value = igamc(std::exp2(static_cast<double>(m) - 1), statistic / 2),
          .statistic = statistic,
          .figures = {{"m", static_cast<double>(m)}, {"ApEn", ApEn}}};
}

extern const Test test_approximate_entropy = {
    .name = "Approximate Entropy",
    .section = "2.12",
    .looks_at = "how much a pattern tells of the next bit",
    .least_n = 256,  // the least for which m = 2 is below log2 n - 5
    .run =
        [](const Sequence& epsilon, const Parameters& parameters, Outcomes& out) {
          out.push_back(approximate_entropy(epsilon, parameters.approximate_entropy_m));
        },
    .least_n_of_several = 1000};

}  // namespace incore::assess::sp800_22
