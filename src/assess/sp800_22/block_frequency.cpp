// Frequency Test within a Block, SP 800-22 section 2.2.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "assess/sp800_22/fair.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {

Outcome block_frequency(const Sequence& epsilon, unsigned M) {
  const size_t N = epsilon.n() / M;
  double sum = 0;  // of (2 ones - M)^2
  for (size_t i = 0; i < N; ++i) {
    int ones = 0;
    for (unsigned j = 0; j < M; j += 64) {
      const unsigned count = M - j < 64 ? M - j : 64;
      ones += std::popcount(epsilon.bits(i * M + j, count));
    }
    const double excess = 2.0 * ones - M;
    sum += excess * excess;
  }
  const double chi_square = sum / M;
  return {.p_value = chi_square_p(chi_square, static_cast<double>(N)),
          .statistic = chi_square,
          .figures = {{"M", static_cast<double>(M)}, {"N", static_cast<double>(N)}}};
}

namespace {

// The sum of (2 ones - M)^2 over N fair blocks, which are even numbers' squares for an even M.
double share(uint64_t n, const Parameters& parameters, const std::string&, double p) {
  const unsigned M = parameters.block_frequency_M;
  const size_t N = n / M;
  const double least = at_least(chi_square_quantile(p, static_cast<double>(N)) * M / 4);
  const auto end = static_cast<size_t>(std::ceil(least));  // sums below it are no rejection
  if (end > N * M / 2 * M / 2) return 0;
  const Choose choose(M);
  std::vector<double> one_block(M / 2 * M / 2 + 1), sums(end), next(end);
  for (unsigned ones = 0; ones <= M; ++ones) {
    const unsigned away = ones < M / 2 ? M / 2 - ones : ones - M / 2;
    one_block[size_t{away} * away] += choose.share(M, ones);
  }
  if (end == 0) return 1;
  sums[0] = 1;
  for (size_t block = 0; block < N; ++block) {
    std::fill(next.begin(), next.end(), 0);
    for (unsigned away = 0; away <= M / 2; ++away)
      for (size_t sum = 0; sum + away * away < end; ++sum)
        next[sum + away * away] += sums[sum] * one_block[size_t{away} * away];
    sums.swap(next);
  }
  return std::max(0.0, 1 - std::accumulate(sums.begin(), sums.end(), 0.0));
}

}  // namespace

extern const Test test_block_frequency = {
    .name = "Block Frequency",
    .section = "2.2",
    .looks_at = "the balance of ones and zeros in each block",
    .least_n = 100,
    .run =
        [](const Sequence& epsilon, const Parameters& parameters, Outcomes& out) {
          out.push_back(block_frequency(epsilon, parameters.block_frequency_M));
        },
    .share = share};

}  // namespace incore::assess::sp800_22
