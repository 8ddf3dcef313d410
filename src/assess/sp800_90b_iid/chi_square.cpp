#include "assess/sp800_90b_iid/chi_square.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "assess/sp800_90b/lcp.h"
#include "assess/special.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr double kLeastExpected = 5;  // of a bin

// Summed up one by one, as NIST's tool does: of pairs that are expected equally often (2 * 6 times
// and 3 * 4 times), rounding says which is rarer, and so which bin has it.
std::vector<double> proportions(const Symbols& symbols) {
  std::vector<double> p(symbols.k);
  for (const uint8_t symbol : symbols.s) p[symbol] += 1 / static_cast<double>(symbols.s.size());
  return p;
}

double term(double observed, double expected) {
  return (observed - expected) * (observed - expected) / expected;
}

// Values put together in bins, the rarest first, until each bin expects enough.
class Bins {
 public:
  explicit Bins(const std::vector<double>& expected_of_value) : bin_of_(expected_of_value.size()) {
    std::vector<uint32_t> order(bin_of_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return expected_of_value[a] < expected_of_value[b];
    });
    double expected = 0;
    for (const uint32_t value : order) {
      bin_of_[value] = static_cast<uint32_t>(expected_.size());
      expected += expected_of_value[value];
      if (expected < kLeastExpected) continue;
      expected_.push_back(expected);
      expected = 0;
    }
    // What is left joins the last bin; a bin that is the only one may expect less.
    if (expected_.empty()) {
      expected_.push_back(expected);
    } else {
      const auto last = static_cast<uint32_t>(expected_.size() - 1);
      for (uint32_t& bin : bin_of_) bin = std::min(bin, last);
      expected_.back() += expected;
    }
  }

  size_t size() const { return expected_.size(); }

  double score(const std::vector<uint32_t>& count_of_value) const {
    std::vector<double> observed(size());
    for (size_t value = 0; value < bin_of_.size(); ++value)
      observed[bin_of_[value]] += count_of_value[value];
    double sum = 0;
    for (size_t bin = 0; bin < size(); ++bin) sum += term(observed[bin], expected_[bin]);
    return sum;
  }

 private:
  std::vector<uint32_t> bin_of_;
  std::vector<double> expected_;
};

// 5.2.3: tuples of the greatest length up to 11 whose rarest is expected often enough.
ChiSquare binary_independence(const Symbols& symbols) {
  const std::vector<double> p = proportions(symbols);
  const size_t n = symbols.s.size();
  unsigned m = 11;
  const auto expected = [&](unsigned ones) {
    return std::pow(p[1], ones) * std::pow(p[0], m - ones) * static_cast<double>(n / m);
  };
  while (m > 1 && std::min(expected(0), expected(m)) < kLeastExpected) --m;
  if (m < 2) return {};
  std::vector<uint32_t> counts(size_t{1} << m);
  for (size_t at = 0; at + m <= n; at += m) {
    unsigned tuple = 0;
    for (unsigned i = 0; i < m; ++i) tuple = tuple << 1 | symbols.s[at + i];
    ++counts[tuple];
  }
  double score = 0;
  for (unsigned tuple = 0; tuple < counts.size(); ++tuple)
    score += term(counts[tuple], expected(static_cast<unsigned>(std::popcount(tuple))));
  return {score, static_cast<double>(counts.size() - 2)};
}

}  // namespace

double ChiSquare::p_value() const {
  return chi_square_p(score, degrees);
}

ChiSquare chi_square_independence(const Symbols& symbols) {
  if (symbols.k == 2) return binary_independence(symbols);
  const std::vector<double> p = proportions(symbols);
  const size_t k = symbols.k, num_pairs = symbols.s.size() / 2;
  std::vector<double> expected;
  for (const double first : p)
    for (const double second : p)
      expected.push_back(first * second * static_cast<double>(num_pairs));
  std::vector<uint32_t> counts(k * k);
  for (size_t pair = 0; pair < num_pairs; ++pair)
    ++counts[symbols.s[2 * pair] * k + symbols.s[2 * pair + 1]];
  const Bins bins(expected);
  if (bins.size() <= k) return {};
  return {bins.score(counts), static_cast<double>(bins.size() - k)};
}

ChiSquare chi_square_goodness_of_fit(const Symbols& symbols) {
  constexpr size_t kParts = 10;
  const size_t part = symbols.s.size() / kParts;
  std::vector<double> expected = proportions(symbols);
  for (double& each : expected) each *= static_cast<double>(part);
  double score = 0;
  const Bins bins(expected);
  for (size_t i = 0; i < kParts; ++i) {
    std::vector<uint32_t> counts(symbols.k);
    for (const uint8_t symbol : symbols.s.subspan(i * part, part)) ++counts[symbol];
    if (symbols.k == 2)  // 5.2.4 has no bins
      score += term(counts[0], expected[0]) + term(counts[1], expected[1]);
    else
      score += bins.score(counts);
  }
  const size_t num_bins = symbols.k == 2 ? 2 : bins.size();
  if (num_bins < 2) return {};
  return {score, static_cast<double>((kParts - 1) * (num_bins - 1))};
}

LongestRepeat longest_repeat(const Symbols& symbols) {
  LongestRepeat found{};
  for (const double p : proportions(symbols)) found.p_collision += p * p;
  found.len = longest_repeated_substring(symbols.s);
  const double n = static_cast<double>(symbols.s.size()) - found.len + 1;
  const double pairs = n * (n - 1) / 2;
  found.p_value = -std::expm1(pairs * std::log1p(-std::pow(found.p_collision, found.len)));
  return found;
}

}  // namespace incore::assess::sp800_90b
