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

// A polynomial over GF(2): bit i % 64 of word i / 64 is the coefficient of x^i. One word more than
// blocks need, for what is shifted out on top.
using Polynomial = std::array<uint64_t, kMostM / 64 + 2>;

// p <- x p + constant, in the lowest |num_words|.
void times_x(Polynomial& p, unsigned num_words, uint64_t constant) {
  for (unsigned i = num_words - 1; i != 0; --i) p[i] = p[i] << 1 | p[i - 1] >> 63;
  p[0] = p[0] << 1 | constant;
}

}  // namespace

// Berlekamp and Massey's algorithm. B carries the factor x^(N - m) that it is added with.
unsigned linear_complexity_of(const Sequence& epsilon, size_t first, unsigned M) {
  Polynomial C{}, B{}, recent{};  // recent: bit N - i of the block is the coefficient of x^i
  C[0] = B[0] = 1;
  unsigned L = 0;
  for (unsigned N = 0; N < M; ++N) {
    const unsigned num_words = (N + 1) / 64 + 1;  // all degrees are N + 1 at most
    times_x(recent, num_words, epsilon.bit(first + N));
    times_x(B, num_words, 0);
    uint64_t sum = 0;
    for (unsigned i = 0; i < num_words; ++i) sum ^= C[i] & recent[i];
    if (std::popcount(sum) % 2 == 0) continue;
    if (2 * L <= N) {
      L = N + 1 - L;
      for (unsigned i = 0; i < num_words; ++i) {
        const uint64_t before = C[i];
        C[i] ^= B[i];
        B[i] = before;
      }
    } else {
      for (unsigned i = 0; i < num_words; ++i) C[i] ^= B[i];
    }
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
