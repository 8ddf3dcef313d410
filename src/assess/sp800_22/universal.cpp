// Maurer's "Universal Statistical" Test, SP 800-22 sections 2.9 and 3.9.
#include <algorithm>
#include <cmath>

#include "assess/sp800_22/statistics.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr uint64_t kLeastN = 387'840;

// Section 2.9.7: L from n. n is 1010 2^L L or more.
unsigned block_length_for(uint64_t n) {
  unsigned L = 6;
  while (L < 16 && n >= (uint64_t{1010} << (L + 1)) * (L + 1)) ++L;
  return L;
}

// Section 2.9.4, step 5: for L = 6 to 16.
struct Expected {
  double value, variance;
};
constexpr Expected kExpected[] = {{5.2177052, 2.954}, {6.1962507, 3.125}, {7.1836656, 3.238},
                                  {8.1764248, 3.311}, {9.1723243, 3.356}, {10.170032, 3.384},
                                  {11.168765, 3.401}, {12.168070, 3.410}, {13.167693, 3.416},
                                  {14.167488, 3.419}, {15.167379, 3.421}};

// Base 2 logarithms of the distances that occur most.
const std::vector<double>& small_logs() {
  static const std::vector<double> kLogs = [] {
    std::vector<double> logs(4096);
    for (size_t i = 1; i < logs.size(); ++i) logs[i] = std::log2(static_cast<double>(i));
    return logs;
  }();
  return kLogs;
}

}  // namespace

double universal_f_n(const Sequence& epsilon, unsigned L, uint64_t Q) {
  const std::vector<double>& logs = small_logs();
  const uint64_t num_blocks = epsilon.n() / L;
  std::vector<uint64_t> T(size_t{1} << L);  // the last block, counted from 1, that had the value
  double sum = 0;
  for (uint64_t i = 1; i <= num_blocks; ++i) {
    uint64_t& last = T[epsilon.bits((i - 1) * L, L)];
    const uint64_t distance = i - last;
    last = i;
    if (i > Q)
      sum += distance < logs.size() ? logs[distance] : std::log2(static_cast<double>(distance));
  }
  return sum / static_cast<double>(num_blocks - Q);
}

Outcome universal(const Sequence& epsilon) {
  const unsigned L = block_length_for(epsilon.n());
  const uint64_t Q = uint64_t{10} << L;
  const double K = static_cast<double>(epsilon.n() / L - Q);
  const Expected& expected = kExpected[L - 6];
  const double c = 0.7 - 0.8 / L + (4 + 32.0 / L) * std::pow(K, -3.0 / L) / 15;
  const double sigma = c * std::sqrt(expected.variance / K);
  const double f_n = universal_f_n(epsilon, L, Q);
  return {.p_value = std::erfc(std::fabs(f_n - expected.value) / (std::sqrt(2.0) * sigma)),
          .statistic = f_n,
          .figures = {{"L", static_cast<double>(L)}, {"K", K}, {"sigma", sigma}}};
}

extern const Test test_universal = {
    .name = "Universal Statistical",
    .section = "2.9",
    .looks_at = "how far apart equal blocks are, that is, how well the bits can be compressed",
    .least_n = kLeastN,
    .run = [](const Sequence& epsilon, const Parameters&, Outcomes& out) {
      out.push_back(universal(epsilon));
    }};

}  // namespace incore::assess::sp800_22
