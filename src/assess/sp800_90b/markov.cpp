// Markov Estimate (SP 800-90B, section 6.3.3): the likeliest sequence of 128 bits of a first-order
// Markov chain. It is one of six: constant, alternating, or constant after the first bit.
#include <algorithm>
#include <cmath>

#include "assess/sp800_90b/estimator.h"

namespace incore::assess::sp800_90b {
namespace {

// The entropy of |p| taken |times| times; without end where p is 0, so that it is never the least.
double times_entropy(double times, double p) {
  return p > 0 ? times * entropy_of(p) : HUGE_VAL;
}

std::vector<Estimate> run(const Symbols& symbols, const Stop&) {
  const std::span<const uint8_t> s = symbols.s;
  uint32_t ones = 0, after_one = 0;  // ones before the last bit; those with a one after them
  uint32_t equal = 0;                // pairs of neighbours that are equal
  for (size_t i = 0; i + 1 < s.size(); ++i) {
    ones += s[i];
    after_one += s[i] & s[i + 1];
    equal += s[i] == s[i + 1];
  }
  const auto n = static_cast<double>(s.size());
  const double c_1 = ones, c_0 = n - 1 - c_1;
  const double c_11 = after_one, c_00 = equal - c_11;
  const double p_00 = c_0 > 0 ? c_00 / c_0 : 0, p_01 = c_0 > 0 ? 1 - p_00 : 0;
  const double p_10 = c_1 > 0 ? (c_1 - c_11) / c_1 : 0, p_11 = c_1 > 0 ? 1 - p_10 : 0;
  const double p_0 = (c_0 + (s.back() == 0)) / n, p_1 = 1 - p_0;

  const auto likeliest = [](double first, double p_a, double times_a, double p_b, double times_b) {
    return times_entropy(1, first) + times_entropy(times_a, p_a) + times_entropy(times_b, p_b);
  };
  const double least = std::min({
      times_entropy(1, p_0) + times_entropy(127, p_00),
      likeliest(p_0, p_01, 64, p_10, 63),
      likeliest(p_0, p_01, 1, p_11, 126),
      likeliest(p_1, p_10, 1, p_00, 126),
      likeliest(p_1, p_10, 64, p_01, 63),
      times_entropy(1, p_1) + times_entropy(127, p_11),
      128.0,
  });
  return {{.test = "Markov Estimate",
           .min_entropy = least / 128,
           .figures = {{"P_0", p_0},
                       {"P_1", p_1},
                       {"P_0,0", p_00},
                       {"P_0,1", p_01},
                       {"P_1,0", p_10},
                       {"P_1,1", p_11},
                       {"p-hat_max", std::exp2(-least)}}}};
}

}  // namespace

extern const Estimator estimator_markov = {
    "Markov Estimate", "how much a bit depends on the one before it", true, run};

}  // namespace incore::assess::sp800_90b
