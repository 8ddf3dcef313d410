// Runs Test, SP 800-22 section 2.3. Where ones are too rare or too many for it (step 2), the
// standard sets the P-value to 0, which good sequences meet once in 16,000. The P-value of the
// Frequency Test stands here instead: it is below 0.0001 then, and as rare as it says.
#include <algorithm>
#include <bit>
#include <cmath>

#include "assess/sp800_22/fair.h"
#include "assess/sp800_22/statistics.h"

namespace incore::assess::sp800_22 {

Outcome runs(const Sequence& epsilon) {
  const Outcome monobit = frequency(epsilon);
  const double n = static_cast<double>(epsilon.n());
  const double pi = monobit.figures[1].value;
  if (std::fabs(pi - 0.5) >= 2 / std::sqrt(n))
    return {.p_value = monobit.p_value, .figures = {{"pi", pi}}};
  uint64_t changes = 0;
  const size_t last = epsilon.n() - 1;  // changes lie between i and i + 1, i < last
  for (size_t i = 0; i < last; i += 64) {
    const uint64_t change = epsilon.word_at(i) ^ epsilon.word_at(i + 1);
    changes +=
        static_cast<unsigned>(std::popcount(last - i < 64 ? change >> (64 - (last - i)) : change));
  }
  const double V_n = static_cast<double>(changes) + 1;
  const double both = pi * (1 - pi);
  return {.p_value = std::erfc(std::fabs(V_n - 2 * n * both) / (2 * std::sqrt(2 * n) * both)),
          .statistic = V_n,
          .figures = {{"pi", pi}, {"V_n", V_n}}};
}

namespace {

// Over all numbers of ones, and of runs among so many.
double share(uint64_t n, const Parameters&, const std::string&, double p) {
  const double bits = static_cast<double>(n), z = two_sided_quantile(p);
  const Choose choose(n);
  double sum = 0;
  for (uint64_t ones = 0; ones <= n; ++ones) {
    const double pi = static_cast<double>(ones) / bits, both = pi * (1 - pi);
    if (std::fabs(pi - 0.5) >= 2 / std::sqrt(bits)) {
      if (std::fabs(2 * pi - 1) * std::sqrt(bits) >= at_least(z)) sum += choose.share(n, ones);
      continue;
    }
    const uint64_t zeros = n - ones;
    const auto of_so_many = [&](uint64_t V_n) {  // the share of sequences with these two numbers
      const uint64_t half = V_n / 2;
      if (V_n % 2 == 0)
        return 2 * std::exp(choose.log(ones - 1, half - 1) + choose.log(zeros - 1, half - 1) -
                            bits * std::log(2.0));
      return std::exp(choose.log(ones - 1, half) + choose.log(zeros - 1, half - 1) -
                      bits * std::log(2.0)) +
             std::exp(choose.log(ones - 1, half - 1) + choose.log(zeros - 1, half) -
                      bits * std::log(2.0));
    };
    const double away = at_least(2 * std::sqrt(bits) * both * z), mean = 2 * bits * both;
    const uint64_t most = std::min(n, 2 * std::min(ones, zeros) + 1);
    for (uint64_t V_n = 2; V_n <= most; ++V_n)
      if (std::fabs(static_cast<double>(V_n) - mean) >= away) sum += of_so_many(V_n);
  }
  return std::min(1.0, sum);
}

}  // namespace

extern const Test test_runs = {.name = "Runs",
                               .section = "2.3",
                               .looks_at = "how often ones and zeros alternate",
                               .least_n = 100,
                               .run = [](const Sequence& epsilon, const Parameters&,
                                         Outcomes& out) { out.push_back(runs(epsilon)); },
                               .share = share};

}  // namespace incore::assess::sp800_22
