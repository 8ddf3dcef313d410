// Overlapping Template Matching Test, SP 800-22 sections 2.8 and 3.8, with a template of m ones and
// blocks of M = 1032 bits. Section 3.8 gives the exact probabilities (Hamano and Kaneko); NIST's
// program, and with it the standard's examples, has the older asymptotic ones, so the P-value that
// they give is a figure.
#include <algorithm>
#include <bit>
#include <cmath>

#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr unsigned kM = 1032;
constexpr unsigned kK = 5;

}  // namespace

OverlappingPi overlapping_pi(unsigned m, unsigned M) {
  // now[run][u]: |run| ones at the end (m: that many or more), u matches (5: that many or more).
  std::vector<OverlappingPi> now(m + 1), next;
  now[0][0] = 1;
  for (unsigned bit = 0; bit < M; ++bit) {
    next.assign(m + 1, {});
    for (unsigned run = 0; run <= m; ++run)
      for (unsigned u = 0; u <= kK; ++u) {
        const double half = now[run][u] / 2;
        next[0][u] += half;
        const unsigned longer = std::min(run + 1, m);
        next[longer][longer == m ? std::min(u + 1, kK) : u] += half;
      }
    now.swap(next);
  }
  OverlappingPi pi{};
  for (const OverlappingPi& each : now)
    for (unsigned u = 0; u <= kK; ++u) pi[u] += each[u];
  return pi;
}

OverlappingPi overlapping_pi_asymptotic(unsigned m, unsigned M) {
  const double eta = (M - m + 1) / std::exp2(m) / 2;
  OverlappingPi pi = {std::exp(-eta)};
  pi[kK] = 1 - pi[0];
  for (unsigned u = 1; u < kK; ++u) {
    double binomial = 1;  // of u - 1 over l - 1
    double term = eta;    // eta^l / l!
    for (unsigned l = 1; l <= u; ++l) {
      pi[u] += binomial * term;
      binomial *= static_cast<double>(u - l) / l;
      term *= eta / (l + 1);
    }
    pi[u] *= std::exp(-eta) * std::exp2(-static_cast<double>(u));
    pi[kK] -= pi[u];
  }
  return pi;
}

std::array<uint64_t, 6> overlapping_nu(const Sequence& epsilon, unsigned m, unsigned M) {
  std::array<uint64_t, 6> nu{};
  const unsigned places = M - m + 1;
  for (size_t block = 0; block < epsilon.n() / M; ++block) {
    unsigned matches = 0;
    for (unsigned i = 0; i < places; i += 64) {
      uint64_t ones = ~uint64_t{0};  // a bit for each place where a match begins
      for (unsigned j = 0; j < m; ++j) ones &= epsilon.word_at(block * M + i + j);
      if (places - i < 64) ones >>= 64 - (places - i);
      matches += static_cast<unsigned>(std::popcount(ones));
    }
    ++nu[std::min(matches, kK)];
  }
  return nu;
}

namespace {

Outcome overlapping_template(const Sequence& epsilon, unsigned m) {
  static const OverlappingPi exact_9 = overlapping_pi(9, kM);
  const std::array<uint64_t, 6> nu = overlapping_nu(epsilon, m, kM);
  const double statistic = chi_square(nu, m == 9 ? exact_9 : overlapping_pi(m, kM));
  Outcome made = {.p_value = chi_square_p(statistic, kK), .statistic = statistic};
  for (unsigned u = 0; u <= kK; ++u)
    made.figures.push_back({"nu_" + std::to_string(u), static_cast<double>(nu[u])});
  made.figures.push_back(
      {kByPrintedPi, chi_square_p(chi_square(nu, overlapping_pi_asymptotic(m, kM)), kK)});
  return made;
}

}  // namespace

extern const Test test_overlapping_template = {
    .name = "Overlapping Template Matching",
    .section = "2.8",
    .looks_at = "how often nine ones in a row occur",
    .least_n = 1'000'000,
    .run = [](const Sequence& epsilon, const Parameters& parameters, Outcomes& out) {
      out.push_back(overlapping_template(epsilon, parameters.overlapping_m));
    }};

}  // namespace incore::assess::sp800_22
