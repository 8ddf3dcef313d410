// Linear Complexity Test, SP 800-22 sections 2.10 and 3.10: the length of the shortest linear
// feedback shift register that makes each block. Class 0 has probability 1/96; NIST's program has
// 0.01047 for it, a misprint from which the standard's examples follow, so that P-value is a
// figure.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr unsigned kK = 6;
constexpr std::array<double, kK + 1> kPi = {1.0 / 96, 1.0 / 32, 1.0 / 8, 1.0 / 2,
                                            1.0 / 4,  1.0 / 16, 1.0 / 48};
constexpr std::array<double, kK + 1> kPrintedPi = {0.01047, 0.03125, 0.125,   0.5,
                                                   0.25,    0.0625,  0.020833};
constexpr unsigned kMostM = 5000;  // section 2.10.7
constexpr unsigned kMostWords = kMostM / 64 + 1;

}  // namespace

// Berlekamp and Massey's algorithm. C and B are polynomials over GF(2): bit i % 64 of word i / 64
// is the coefficient of x^i. L is C's degree at most; B was C before L grew last, after bit m, and
// x^(N - m) B has degree N + 1 - L at most.
unsigned linear_complexity_of(const Sequence& epsilon, size_t first, unsigned M) {
  uint64_t block[2 * kMostWords + 1] =
      {};  // zeros before the bits of the block, which begin in word kMostWords
  for (unsigned i = 0; i < M; i += 64) block[kMostWords + i / 64] = epsilon.word_at(first + i);
  // Bits |end| - 63 to |end|, the last one lowest.
  const auto word_that_ends = [&](unsigned end) {
    const uint64_t* const word = block + end / 64;
    const unsigned shift = end % 64 + 1;
    return shift == 64 ? word[0] : word[-1] << shift | word[0] >> (64 - shift);
  };
  uint64_t C[kMostWords + 1] = {1}, below_B[2 * kMostWords + 2] = {};
  uint64_t* const B = below_B + kMostWords + 1;
  B[0] = 1;
  unsigned L = 0, distance = 1;  // N - m
  for (unsigned N = 0; N < M; ++N, ++distance) {
    uint64_t discrepancy = 0;
    for (unsigned i = 0; i <= L / 64; ++i)
      discrepancy ^= C[i] & word_that_ends(kMostWords * 64 + N - i * 64);
    if (std::popcount(discrepancy) % 2 == 0) continue;
    const bool grows = 2 * L <= N;
    const unsigned num_words = std::max(L, N + 1 - L) / 64 + 1, shift = distance % 64;
    const uint64_t* const B_shifted = B - distance / 64;
    uint64_t before[kMostWords + 1];
    if (grows) std::copy_n(C, num_words, before);
    for (unsigned i = 0; i < num_words; ++i)
      C[i] ^= shift == 0
                  ? B_shifted[i]
                  : B_shifted[i] << shift | B_shifted[static_cast<int>(i) - 1] >> (64 - shift);
    if (!grows) continue;
    std::copy_n(before, num_words, B);
    L = N + 1 - L;
    distance = 0;
  }
  return L;
}

Outcome linear_complexity(const Sequence& epsilon, unsigned M) {
  const size_t N = epsilon.n() / M;
  const double sign = M % 2 == 0 ? 1 : -1;
  const double mu = M / 2.0 + (9 - sign) / 36 - (M / 3.0 + 2.0 / 9) / std::exp2(M);
  std::array<uint64_t, kK + 1> nu{};
  for (size_t i = 0; i < N; ++i) {
    const double T = sign * (linear_complexity_of(epsilon, i * M, M) - mu) + 2.0 / 9;
    ++nu[static_cast<size_t>(std::clamp(std::ceil(T + 2.5), 0.0, static_cast<double>(kK)))];
  }
  const double statistic = chi_square(nu, kPi);
  Outcome made = {.p_value = chi_square_p(statistic, kK), .statistic = statistic};
  made.figures = {{"M", static_cast<double>(M)}, {"N", static_cast<double>(N)}};
  for (unsigned i = 0; i <= kK; ++i)
    made.figures.push_back({"nu_" + std::to_string(i), static_cast<double>(nu[i])});
  made.figures.push_back({kByPrintedPi, chi_square_p(chi_square(nu, kPrintedPi), kK)});
  return made;
}

extern const Test test_linear_complexity = {
    .name = "Linear Complexity",
    .section = "2.10",
    .looks_at = "how long a shift register must be to make a block",
    .least_n = 1'000'000,
    .run = [](const Sequence& epsilon, const Parameters& parameters, Outcomes& out) {
      out.push_back(linear_complexity(epsilon, parameters.linear_complexity_M));
    }};

}  // namespace incore::assess::sp800_22
