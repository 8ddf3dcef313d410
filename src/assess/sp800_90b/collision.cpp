// Collision Estimate (SP 800-90B, section 6.3.2): how long it takes until a bit occurs again, which
// is two bits or three. The standard's equation for p is then X-bar' = 2 + 2p(1 - p).
#include <algorithm>
#include <cmath>

#include "assess/sp800_90b/estimator.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr const char* kName = "Collision Estimate";

// The probability of the likelier bit.
double likelier(double lower_mean) {
  return lower_mean < 2.5 ? 0.5 + std::sqrt(1.25 - 0.5 * lower_mean) : 0.5;
}

std::vector<Estimate> run(const Symbols& symbols, const Stop&) {
  const std::span<const uint8_t> s = symbols.s;
  size_t i = 0, v = 0;
  // After two different bits, whichever comes is a collision.
  while (i + 2 < s.size()) {
    i += 2u + (s[i] ^ s[i + 1]);
    ++v;
  }
  if (i + 2 == s.size() && s[i] == s[i + 1]) {
    i += 2;
    ++v;
  }
  if (v < 2) return {{.test = kName, .skipped = "needs two collisions"}};

  const auto count = static_cast<double>(v);
  const auto sum = static_cast<double>(i);
  const double sum_squares = 5 * sum - 6 * count;  // of t_i: 4 for each 2, 9 for each 3
  const double mean = sum / count;
  const double sigma = std::sqrt(std::max(0.0, sum_squares - sum * mean) / (count - 1));
  const double lower = std::max(2.0, mean - kZAlpha * sigma / std::sqrt(count));
  const double p = likelier(lower);
  return {{.test = kName,
           .min_entropy = entropy_of(p),
           .figures = {
               {"v", count}, {"X-bar", mean}, {"sigma-hat", sigma}, {"X-bar'", lower}, {"p", p}}}};
}

}  // namespace

double collision_entropy(double lower_mean) {
  return entropy_of(likelier(lower_mean));
}

extern const Estimator estimator_collision = {kName, "how soon a bit occurs again", true, run};

}  // namespace incore::assess::sp800_90b
