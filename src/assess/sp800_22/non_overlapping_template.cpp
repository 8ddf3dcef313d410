// Non-overlapping Template Matching Test, SP 800-22 sections 2.7 and 3.7, with N = 8 blocks.
// Aperiodic templates cannot overlap themselves, so the matches are all occurrences, and one count
// of all windows of m bits serves every template.
#include <cmath>

#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr unsigned kN = 8;

// As the standard writes a template: "000000001".
std::string digits_of(uint32_t B, unsigned m) {
  std::string digits;
  for (unsigned i = m; i-- != 0;) digits += static_cast<char>('0' + (B >> i & 1));
  return digits;
}

}  // namespace

std::vector<uint32_t> aperiodic_templates(unsigned m) {
  std::vector<uint32_t> found;
  for (uint32_t B = 0; B >> m == 0; ++B) {
    bool periodic = false;  // some shift of B fits on B
    for (unsigned shift = 1; shift < m; ++shift)
      periodic |= B >> shift == (B & ((1u << (m - shift)) - 1));
    if (!periodic) found.push_back(B);
  }
  return found;
}

Outcomes non_overlapping_template(const Sequence& epsilon, unsigned m, unsigned N) {
  const size_t M = epsilon.n() / N;
  const double windows = std::exp2(m);
  const double mu = static_cast<double>(M - m + 1) / windows;
  const double sigma_squared =
      static_cast<double>(M) * (1 / windows - (2.0 * m - 1) / (windows * windows));
  std::vector<std::vector<uint32_t>> W(N, std::vector<uint32_t>(size_t{1} << m));
  for (unsigned j = 0; j < N; ++j)
    for_each_window(epsilon, j * M, M - m + 1, m, [&](uint64_t value) { ++W[j][value]; });
  Outcomes out;
  for (const uint32_t B : aperiodic_templates(m)) {
    Outcome made = {.variant = digits_of(B, m), .statistic = 0};
    for (unsigned j = 0; j < N; ++j) {
      const double difference = W[j][B] - mu;
      made.statistic += difference * difference / sigma_squared;
      made.figures.push_back({"W_" + std::to_string(j + 1), static_cast<double>(W[j][B])});
    }
    made.p_value = chi_square_p(made.statistic, N);
    out.push_back(std::move(made));
  }
  return out;
}

extern const Test test_non_overlapping_template = {
    .name = "Non-overlapping Template Matching",
    .section = "2.7",
    .looks_at = "how often the template occurs",
    .least_n = 100'000,  // not in the standard: 24 matches in each block
    .run = [](const Sequence& epsilon, const Parameters& parameters, Outcomes& out) {
      out = non_overlapping_template(epsilon, parameters.non_overlapping_m, kN);
    }};

}  // namespace incore::assess::sp800_22
