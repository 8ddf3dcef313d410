// Binary Matrix Rank Test, SP 800-22 sections 2.5 and 3.5, with matrices of 32 x 32 bits.
#include <bit>
#include <cmath>
#include <utility>

#include "assess/sp800_22/statistics.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr unsigned kM = 32;

// The probability that a random 32 x 32 matrix has rank r (section 3.5).
double probability_of_rank(unsigned r) {
  double product = std::exp2(static_cast<double>(r * (2 * kM - r)) - kM * kM);
  for (unsigned i = 0; i < r; ++i) {
    const double factor = 1 - std::exp2(static_cast<double>(i) - kM);
    product *= factor * factor / (1 - std::exp2(static_cast<double>(i) - r));
  }
  return product;
}

}  // namespace

unsigned rank_of(std::array<uint32_t, 32> rows) {
  unsigned rank = 0;
  for (unsigned i = 0; i < kM; ++i) {
    const uint32_t row = rows[i];
    if (row == 0) continue;
    ++rank;
    const int pivot = std::countr_zero(row);
    for (unsigned j = i + 1; j < kM; ++j) rows[j] ^= row & -(rows[j] >> pivot & 1);
  }
  return rank;
}

Outcome rank(const Sequence& epsilon) {
  static const double p_32 = probability_of_rank(32), p_31 = probability_of_rank(31);
  const size_t N = epsilon.n() / (kM * kM);
  std::array<uint64_t, 3> F{};  // of ranks 32, 31, and less
  for (size_t k = 0; k < N; ++k) {
    std::array<uint32_t, 32> rows;
    for (unsigned i = 0; i < kM; ++i)
      rows[i] = static_cast<uint32_t>(epsilon.bits((k * kM + i) * kM, kM));
    const unsigned r = rank_of(rows);
    ++F[r == 32 ? 0 : r == 31 ? 1 : 2];
  }
  const double statistic = chi_square(F, std::array{p_32, p_31, 1 - p_32 - p_31});
  return {.p_value = std::exp(-statistic / 2),
          .statistic = statistic,
          .figures = {{"N", static_cast<double>(N)},
                      {"F_32", static_cast<double>(F[0])},
                      {"F_31", static_cast<double>(F[1])}}};
}

extern const Test test_rank = {.name = "Rank",
                               .section = "2.5",
                               .looks_at = "linear dependence in matrices of 32 x 32 bits",
                               .least_n = 38 * kM * kM,
                               .run = [](const Sequence& epsilon, const Parameters&,
                                         Outcomes& out) { out.push_back(rank(epsilon)); }};

}  // namespace incore::assess::sp800_22
