// Cumulative Sums (Cusum) Test, SP 800-22 sections 2.13 and 3.13.
#include <algorithm>
#include <array>
#include <cmath>

#include "assess/sp800_22/fair.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

// Where a walk over some bits, up for 1 and down for 0, gets to.
struct Walk {
  int64_t end = 0, highest = 0, lowest = 0;
  void step(unsigned bit) {
    end += bit != 0 ? 1 : -1;
    highest = std::max(highest, end);
    lowest = std::min(lowest, end);
  }
};

std::array<Walk, 256> walks_of_bytes() {
  std::array<Walk, 256> walks;
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned i = 0; i < 8; ++i) walks[byte].step(byte >> (7 - i) & 1);
  return walks;
}

// The probability that a random walk of n steps gets z or more away (section 2.13.4, step 4). The
// limits are rounded toward 0, as in NIST's program and examples; what that leaves out is 0 for all
// but the shortest sequences.
double p_of(double z, double n) {
  const double unit = z / std::sqrt(n);
  const auto between = [&](double low, double high) {
    return normal_cdf(high * unit) - normal_cdf(low * unit);
  };
  double p = 1;
  for (double k = std::trunc((-n / z + 1) / 4); k <= (n / z - 1) / 4; ++k)
    p -= between(4 * k - 1, 4 * k + 1);
  for (double k = std::trunc((-n / z - 3) / 4); k <= (n / z - 1) / 4; ++k)
    p += between(4 * k + 1, 4 * k + 3);
  return std::clamp(p, 0.0, 1.0);
}

// Walks that stay between -z and z, counted by reflection at both.
double share(uint64_t n, const Parameters&, const std::string&, double p) {
  const double steps = static_cast<double>(n);
  // The least z whose P-value is p or less.
  uint64_t low = 0, high = n + 1;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    (p_of(static_cast<double>(middle), steps) <= p ? high : low) = middle;
  }
  if (high > n) return 0;
  const auto z = static_cast<int64_t>(high), end = static_cast<int64_t>(n);
  const Choose choose(n);
  std::vector<double> up_to(n + 1);  // up_to[k]: a fair walk has k steps up, or fewer
  double sum = 0;
  for (uint64_t k = 0; k <= n; ++k) up_to[k] = sum += choose.share(n, k);
  const auto ends_below = [&](int64_t place) {  // ends at |place| - 1 or lower
    const int64_t ups = (place - 1 + end) >> 1;
    return ups < 0 ? 0 : ups >= end ? 1 : up_to[static_cast<size_t>(ups)];
  };
  const auto ends_between = [&](int64_t a, int64_t b) { return ends_below(b) - ends_below(a + 1); };
  double inside = 0;
  const int64_t most = end / (4 * z) + 1;
  for (int64_t k = -most; k <= most; ++k)
    inside += ends_between((4 * k - 1) * z, (4 * k + 1) * z) -
              ends_between((4 * k + 1) * z, (4 * k + 3) * z);
  return std::clamp(1 - inside, 0.0, 1.0);
}

}  // namespace

Outcomes cumulative_sums(const Sequence& epsilon) {
  static const std::array<Walk, 256> kWalks = walks_of_bytes();
  const size_t n = epsilon.n();
  Walk walk;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const Walk& byte = kWalks[epsilon.bits(i, 8)];
    walk.highest = std::max(walk.highest, walk.end + byte.highest);
    walk.lowest = std::min(walk.lowest, walk.end + byte.lowest);
    walk.end += byte.end;
  }
  for (; i < n; ++i) walk.step(epsilon.bit(i));
  const auto outcome = [&](const char* mode, int64_t away) {
    const double z = static_cast<double>(away);
    return Outcome{mode, p_of(z, static_cast<double>(n)), z, {{"z", z}}};
  };
  // Backward, the sums are those from the end.
  return {outcome("forward", std::max(walk.highest, -walk.lowest)),
          outcome("backward", std::max(walk.highest - walk.end, walk.end - walk.lowest))};
}

extern const Test test_cumulative_sums = {
    .name = "Cumulative Sums",
    .section = "2.13",
    .looks_at = "how far the sums of the bits drift from balance",
    .least_n = 100,
    .run = [](const Sequence& epsilon, const Parameters&,
              Outcomes& out) { out = cumulative_sums(epsilon); },
    .share = share};

}  // namespace incore::assess::sp800_22
