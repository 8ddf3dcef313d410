// Frequency Test within a Block, SP 800-22 section 2.2.
#include <bit>

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

extern const Test test_block_frequency = {
    .name = "Block Frequency",
    .section = "2.2",
    .looks_at = "the balance of ones and zeros in each block",
    .least_n = 100,
    .run = [](const Sequence& epsilon, const Parameters& parameters, Outcomes& out) {
      out.push_back(block_frequency(epsilon, parameters.block_frequency_M));
    }};

}  // namespace incore::assess::sp800_22
