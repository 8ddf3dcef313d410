// Most Common Value Estimate (SP 800-90B, section 6.3.1): how often the most common symbol occurs.
#include <algorithm>
#include <array>
#include <cmath>

#include "assess/sp800_90b/estimator.h"

namespace incore::assess::sp800_90b {

double upper_bound(double p, double n) {
  return std::min(1.0, p + kZAlpha * std::sqrt(p * (1 - p) / (n - 1)));
}

double entropy_of(double p) {
  return p < 1 ? -std::log2(p) : 0;
}

Estimate most_common_value(const Symbols& symbols) {
  std::array<uint32_t, 256> counts{};
  for (const uint8_t symbol : symbols.s) ++counts[symbol];
  const double mode = *std::max_element(counts.begin(), counts.end());
  const auto n = static_cast<double>(symbols.s.size());
  const double p_hat = mode / n;
  const double p_u = upper_bound(p_hat, n);
  return {.test = "Most Common Value Estimate",
          .min_entropy = entropy_of(p_u),
          .figures = {{"mode", mode}, {"p-hat", p_hat}, {"p_u", p_u}}};
}

extern const Estimator estimator_most_common_value = {
    "Most Common Value Estimate", "how often the most common symbol occurs", false,
    [](const Symbols& symbols, const Stop&) { return std::vector{most_common_value(symbols)}; }};

}  // namespace incore::assess::sp800_90b
