#include "assess/sp800_22/tally.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "assess/p_values.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr size_t kLeastForBins = 55;
constexpr size_t kBins = 10;

// Statistics are whole numbers, so P-values are not quite uniform: the less so the shorter the
// sequences are, and the more plainly seen the more of them there are. With as many bits as this in
// a sequence for each sequence, it cannot be told from uniform ones.
constexpr uint64_t kBitsForUniformity = 1000;

std::vector<uint64_t> histogram(const std::vector<double>& p_values, size_t num_bins) {
  std::vector<uint64_t> counts(num_bins);
  for (const double p : p_values)
    ++counts[std::min(static_cast<size_t>(p * static_cast<double>(num_bins)), num_bins - 1)];
  return counts;
}

// Kolmogorov's distribution, with Stephens's correction for small samples.
double kolmogorov_p(double distance, double n) {
  const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  if (lambda < 0.2) return 1;
  double p = 0;
  for (int j = 1; j <= 100; ++j)
    p += (j % 2 == 1 ? 2 : -2) * std::exp(-2 * j * j * lambda * lambda);
  return std::clamp(p, 0.0, 1.0);
}

// How often a fair sequence has a P-value of |p| or less: exactly where that is known, and else as
// long sequences do.
double share_of_fair(const Tally& tally, uint64_t n, double p) {
  if (tally.test->share == nullptr || n >= kExactBelow || p <= 0 || p >= 1) return p;
  const double share = tally.test->share(n, parameters_for(n), tally.variant, p);
  return std::isnan(share) ? p : share;
}

}  // namespace

void Tally::add(Outcome outcome) {
  p_values.push_back(outcome.p_value);
  if (p_values.size() == 1 || outcome.p_value < worst.p_value) worst = std::move(outcome);
}

size_t Tally::num_passed() const {
  return static_cast<size_t>(
      std::count_if(p_values.begin(), p_values.end(), [](double p) { return p >= kAlpha; }));
}

double uniformity_p(std::vector<double> p_values) {
  if (p_values.size() >= kLeastForBins)
    return chi_square_p(
        chi_square(histogram(p_values, kBins), std::vector<double>(kBins, 1.0 / kBins)), kBins - 1);
  std::sort(p_values.begin(), p_values.end());
  const double n = static_cast<double>(p_values.size());
  double distance = 0;
  for (size_t i = 0; i < p_values.size(); ++i) {
    const double rank = static_cast<double>(i);
    distance = std::max({distance, p_values[i] - rank / n, (rank + 1) / n - p_values[i]});
  }
  return kolmogorov_p(distance, n);
}

Result judge(const Tally& tally, uint64_t n) {
  Result made = {.test = tally.test->name,
                 .variant = tally.variant,
                 .statistic = tally.worst.statistic,
                 .text = tally.test->looks_at};
  const size_t s = tally.p_values.size();
  if (s == 1) {
    made.p_value = tally.worst.p_value;
    made.figures = tally.worst.figures;
    made.verdict = verdict_of(made.p_value);
    if (made.verdict == INCORE_VERDICT_FAIL && !tally.test->exact_tail)
      made.verdict = INCORE_VERDICT_WEAK;
  } else {
    const double sequences = static_cast<double>(s);
    const size_t passed = tally.num_passed();
    const double alpha = share_of_fair(tally, n, kAlpha);
    const double proportion_p =
        binomial_at_least(static_cast<double>(s - passed), sequences, alpha);
    const double uniform_p = uniformity_p(tally.p_values);
    std::vector<double> judged = {proportion_p};
    if (n >= kBitsForUniformity * s) judged.push_back(uniform_p);
    if (tally.test->exact_tail)
      judged.push_back(least_of_p(share_of_fair(tally, n, tally.worst.p_value), sequences));
    made.p_value = least_of_p(*std::min_element(judged.begin(), judged.end()),
                              static_cast<double>(judged.size()));
    made.verdict = verdict_of(made.p_value);
    made.statistic = kNone;
    made.text += ": " + std::to_string(passed) + " of " + std::to_string(s) + " sequences pass";
    made.figures = {{"sequences", sequences},
                    {"passed", static_cast<double>(passed)},
                    {"share of good sequences that do not pass", alpha},
                    {"proportion P-value", proportion_p},
                    {"uniformity P-value", uniform_p},
                    {"least P-value", tally.worst.p_value}};
  }
  return made;
}

std::vector<Series> series_of(const std::vector<Tally>& tallies) {
  constexpr size_t kDrawnBins = 20;
  Series p_values = {.name = "p-values",
                     .title = "P-values of all tests and sequences",
                     .x_title = "P-value",
                     .y_title = "how many",
                     .kind = INCORE_SERIES_BARS};
  std::vector<double> all;
  std::set<size_t> sizes;  // numbers of sequences; excursions apply to fewer
  for (const Tally& tally : tallies) {
    all.insert(all.end(), tally.p_values.begin(), tally.p_values.end());
    sizes.insert(tally.p_values.size());
  }
  const std::vector<uint64_t> counts = histogram(all, kDrawnBins);
  for (size_t i = 0; i < kDrawnBins; ++i) {
    p_values.x.push_back((static_cast<double>(i) + 0.5) / kDrawnBins);
    p_values.y.push_back(static_cast<double>(counts[i]));
  }
  std::vector<Series> made = {std::move(p_values)};
  for (auto s = sizes.rbegin(); s != sizes.rend() && *s > 1; ++s) {
    const double sequences = static_cast<double>(*s);
    const double width = 3 * std::sqrt(kAlpha * (1 - kAlpha) / sequences);
    Series passed = {.name = "proportions of " + std::to_string(*s),
                     .title = "Share of " + std::to_string(*s) + " sequences that pass each test",
                     .x_title = "result",
                     .y_title = "share",
                     .kind = INCORE_SERIES_POINTS,
                     .low = 1 - kAlpha - width,
                     .high = std::min(1.0, 1 - kAlpha + width)};
    for (size_t i = 0; i < tallies.size(); ++i) {
      if (tallies[i].p_values.size() != *s) continue;
      passed.x.push_back(static_cast<double>(i + 1));
      passed.y.push_back(static_cast<double>(tallies[i].num_passed()) / sequences);
    }
    made.push_back(std::move(passed));
  }
  return made;
}

}  // namespace incore::assess::sp800_22
