// Frequency (Monobit) Test, SP 800-22 section 2.1.
#include <bit>
#include <cmath>

#include "assess/sp800_22/statistics.h"

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

extern const Test test_frequency = {
    .name = "Frequency",
    .section = "2.1",
    .looks_at = "the balance of ones and zeros",
    .least_n = 100,
    .run = [](const Sequence& epsilon, const Parameters&, Outcomes& out) {
      out.push_back(frequency(epsilon));
    }};

}  // namespace incore::assess::sp800_22
