// Test for the Longest Run of Ones in a Block, SP 800-22 sections 2.4 and 3.4. The probabilities
// are computed. For M = 10000 the standard prints others (0.0882, ...), which are off by up to 2 %;
// NIST's results follow from them, so the P-value that they give is a figure.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "assess/sp800_22/fair.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

struct Layout {
  unsigned M;            // bits of a block, a multiple of 8
  unsigned least, most;  // runs up to |least| are counted together, and from |most| on
};

// Section 2.4.2.
Layout layout_for(size_t n) {
  if (n < 6272) return {8, 1, 4};
  if (n < 750'000) return {128, 4, 9};
  return {10'000, 10, 16};
}

constexpr double kPrintedFor10000[] = {0.0882, 0.2092, 0.2483, 0.1933, 0.1208, 0.0675, 0.0727};

// The probability that |M| bits have no run of more than |most| ones: by recurrence on the place of
// the first zero.
double no_longer_than(unsigned most, unsigned M) {
  std::vector<double> p(M + 1);  // p[k]: of k bits
  for (unsigned k = 0; k <= M; ++k) {
    if (k <= most) {
      p[k] = 1;
      continue;
    }
    double share = 0.5;
    for (unsigned ones = 0; ones <= most; ++ones, share /= 2) p[k] += share * p[k - ones - 1];
  }
  return p[M];
}

std::vector<double> pi_of(const Layout& layout) {
  std::vector<double> pi;
  double before = 0;
  for (unsigned run = layout.least; run < layout.most; ++run) {
    const double now = no_longer_than(run, layout.M);
    pi.push_back(now - before);
    before = now;
  }
  pi.push_back(1 - before);
  return pi;
}

unsigned longest_run_of_block(const Sequence& epsilon, size_t first, unsigned M) {
  unsigned longest = 0, run = 0;
  for (unsigned i = 0; i < M; i += 64) {
    const unsigned count = std::min(M - i, 64u);
    uint64_t word = epsilon.word_at(first + i);
    for (unsigned left = count; left != 0;) {
      const unsigned ones = std::min(static_cast<unsigned>(std::countl_one(word)), left);
      run += ones;
      longest = std::max(longest, run);
      if (ones == left) break;  // the run may go on
      word <<= ones;
      left -= ones;
      run = 0;
      const unsigned zeros = std::min(static_cast<unsigned>(std::countl_zero(word)), left);
      if (zeros == left) break;
      word <<= zeros;
      left -= zeros;
    }
  }
  return longest;
}

// Over all numbers of blocks with longest runs of 0 or 1, 2, 3, and 4 or more: four categories, as
// M = 8 has them. With more there are too many.
double share(uint64_t n, const Parameters&, const std::string&, double p) {
  const Layout layout = layout_for(n);
  if (layout.M != 8) return kNone;
  const std::vector<double> pi = pi_of(layout);
  const uint64_t N = n / layout.M;
  const double blocks = static_cast<double>(N), least = at_least(chi_square_quantile(p, 3));
  const Choose choose(N);
  // Each category's part of chi-square, and of the logarithm of the probability.
  std::vector<double> part[4], log_share[4];
  for (int i = 0; i < 4; ++i)
    for (uint64_t nu = 0; nu <= N; ++nu) {
      const double count = static_cast<double>(nu), expected = blocks * pi[i];
      part[i].push_back((count - expected) * (count - expected) / expected);
      log_share[i].push_back(count * std::log(pi[i]) - choose.log_factorial(nu));
    }
  double inside = 0;
  for (uint64_t a = 0; a <= N; ++a) {
    if (part[0][a] >= least) continue;
    for (uint64_t b = 0; a + b <= N; ++b) {
      if (part[0][a] + part[1][b] >= least) continue;
      for (uint64_t c = 0; a + b + c <= N; ++c) {
        const uint64_t d = N - a - b - c;
        if (part[0][a] + part[1][b] + part[2][c] + part[3][d] < least)
          inside += std::exp(choose.log_factorial(N) + log_share[0][a] + log_share[1][b] +
                             log_share[2][c] + log_share[3][d]);
      }
    }
  }
  return std::clamp(1 - inside, 0.0, 1.0);
}

}  // namespace

Outcome longest_run(const Sequence& epsilon) {
  static const std::array<std::vector<double>, 3> kPi = {
      pi_of(layout_for(128)), pi_of(layout_for(6272)), pi_of(layout_for(750'000))};
  const Layout layout = layout_for(epsilon.n());
  const std::vector<double>& pi = kPi[layout.M == 8 ? 0 : layout.M == 128 ? 1 : 2];
  const unsigned K = layout.most - layout.least;
  const size_t N = epsilon.n() / layout.M;
  std::vector<uint64_t> nu(K + 1);
  for (size_t i = 0; i < N; ++i)
    ++nu[std::clamp(longest_run_of_block(epsilon, i * layout.M, layout.M), layout.least,
                    layout.most) -
         layout.least];
  const double statistic = chi_square(nu, pi);
  Outcome made = {.p_value = chi_square_p(statistic, K), .statistic = statistic};
  made.figures = {{"M", static_cast<double>(layout.M)}, {"N", static_cast<double>(N)}};
  for (unsigned i = 0; i <= K; ++i)
    made.figures.push_back({"nu_" + std::to_string(i), static_cast<double>(nu[i])});
  if (layout.M == 10'000)
    made.figures.push_back({kByPrintedPi, chi_square_p(chi_square(nu, kPrintedFor10000), K)});
  return made;
}

extern const Test test_longest_run = {
    .name = "Longest Run of Ones",
    .section = "2.4",
    .looks_at = "the longest run of ones in each block",
    .least_n = 128,
    .run = [](const Sequence& epsilon, const Parameters&,
              Outcomes& out) { out.push_back(longest_run(epsilon)); },
    .share = share};

}  // namespace incore::assess::sp800_22
