// What tests of single suites need: a suite fed with bytes in pieces of any size, its results by
// name, and whether p-values are uniform.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "assess/generators.h"
#include "assess/suite.h"
#include "support/choices.h"

namespace incore::test {

class NeverStops final : public assess::Progress {
 public:
  bool update(const char*, double) override { return true; }
};

// In one piece, or if there is a seed in pieces of random lengths.
inline assess::Report judge(const assess::SuiteInfo& info, std::span<const uint8_t> data,
                            uint64_t pieces_seed = 0) {
  const auto suite = info.make({});
  SeededChoices choices(pieces_seed);
  while (!data.empty()) {
    size_t len = data.size();
    if (pieces_seed != 0) len = std::min<size_t>(len, choices.below(choices.chance(2) ? 8 : 70000));
    suite->update(data.first(len));
    data = data.subspan(len);
  }
  assess::Report report;
  NeverStops progress;
  suite->finish(report, progress);
  return report;
}

// The only result of |test| and |variant|; fails where there is none.
inline const assess::Result& result_of(const assess::Report& report, const std::string& test,
                                       const std::string& variant = "") {
  static const assess::Result kMissing;
  for (const assess::Result& result : report.results)
    if (result.test == test && result.variant == variant) return result;
  ADD_FAILURE() << "no result '" << test << "' '" << variant << "'";
  return kMissing;
}

inline double figure_of(const assess::Result& result, const std::string& name) {
  for (const assess::Figure& figure : result.figures)
    if (figure.name == name) return figure.value;
  ADD_FAILURE() << result.test << " has no figure '" << name << "'";
  return assess::kNone;
}

inline const assess::Series& series_of(const assess::Report& report, const std::string& name) {
  static const assess::Series kMissing;
  for (const assess::Series& series : report.series)
    if (series.name == name) return series;
  ADD_FAILURE() << "no series '" << name << "'";
  return kMissing;
}

inline size_t num_of(const assess::Report& report, incore_verdict verdict) {
  return static_cast<size_t>(
      std::count_if(report.results.begin(), report.results.end(),
                    [=](const assess::Result& result) { return result.verdict == verdict; }));
}

// The probability that as many uniform values stray from uniformity as far as |values| do
// (Kolmogorov and Smirnov; Stephens' approximation of the distribution).
inline double uniformity_p(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (size_t i = 0; i < values.size(); ++i)
    distance = std::max({distance, static_cast<double>(i + 1) / n - values[i],
                         values[i] - static_cast<double>(i) / n});
  const double x = distance * (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n));
  double p = 0;
  for (int k = 1; k < 100; ++k) p += (k % 2 != 0 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return std::clamp(p, 0.0, 1.0);
}

}  // namespace incore::test
