// Frequency (Monobit) Test, SP 800-22 section 2.1.
#include <algorithm>
#include <bit>
#include <cmath>

#include "assess/sp800_22/fair.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {

Outcome frequency(const Sequence& epsilon) {
  int64_t ones = 0;
  for (const uint64_t word : epsilon.words()) ones += std::popcount(word);
  const double n = static_cast<double>(epsilon.n());
  const double S_n = 2 * static_cast<double>(ones) - n;
  const double s_obs = std::fabs(S_n) / std::sqrt(n);
  return {.p_value = std::erfc(s_obs / std::sqrt(2.0)),
          .statistic = s_obs,
          .figures = {{"S_n", S_n}, {"proportion of ones", static_cast<double>(ones) / n}}};
}

double frequency_share(uint64_t n, double p) {
  // S_n = 2 ones - n is that far from 0 or farther, on either side.
  const double bits = static_cast<double>(n);
  const double away = at_least(two_sided_quantile(p) * std::sqrt(bits));
  const double ones = std::ceil((bits + away) / 2);
  return std::min(1.0, 2 * binomial_at_least(ones, bits, 0.5));
}

extern const Test test_frequency = {.name = "Frequency",
                                    .section = "2.1",
                                    .looks_at = "the balance of ones and zeros",
                                    .least_n = 100,
                                    .run = [](const Sequence& epsilon, const Parameters&,
                                              Outcomes& out) { out.push_back(frequency(epsilon)); },
                                    .share = [](uint64_t n, const Parameters&, const std::string&,
                                                double p) { return frequency_share(n, p); }};

}  // namespace incore::assess::sp800_22
