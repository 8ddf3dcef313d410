#include "assess/sp800_90b/tuples.h"

#include <algorithm>
#include <cmath>

#include "assess/sp800_90b/lcp.h"

namespace incore::assess::sp800_90b {
namespace {

// The standard's cutoff: a tuple that occurs less often says little.
constexpr uint32_t kCutoff = 35;

// The greatest length whose most common tuple reaches the cutoff; 0: none.
size_t longest_common(const TupleCounts& counts) {
  size_t t = 0;
  while (t + 1 < counts.most.size() && counts.most[t + 1] >= kCutoff) ++t;
  return t;
}

}  // namespace

// Neighbours among the sorted suffixes that share at least W symbols are the places of one W-tuple.
// Such an interval of |count| suffixes that share |common| holds for all lengths above what it
// shares with its surroundings.
TupleCounts count_tuples(const Symbols& symbols, const Stop& stop) {
  std::vector<int32_t> lcp = sorted_lcp(symbols.s);
  const auto longest = static_cast<size_t>(*std::max_element(lcp.begin(), lcp.end()));
  TupleCounts counts{std::vector<uint32_t>(longest + 1), std::vector<uint64_t>(longest + 1)};
  if (stop) return counts;

  struct Interval {
    int32_t common;
    uint32_t first;
  };
  std::vector<Interval> open = {{0, 0}};
  lcp.push_back(0);  // ends all that are open
  for (uint32_t i = 1; i < lcp.size(); ++i) {
    uint32_t first = i - 1;
    while (open.back().common > lcp[i]) {
      const Interval ended = open.back();
      open.pop_back();
      first = ended.first;
      const auto within = static_cast<size_t>(std::max(open.back().common, lcp[i]));
      const auto common = static_cast<size_t>(ended.common);
      const uint64_t count = i - first;
      counts.most[common] = std::max(counts.most[common], static_cast<uint32_t>(count));
      // Differences from one length to the next; summed up below.
      counts.pairs[common] += count * (count - 1) / 2;
      counts.pairs[within] -= count * (count - 1) / 2;
    }
    if (open.back().common < lcp[i]) open.push_back({lcp[i], first});
  }
  for (size_t length = longest; length-- > 0;) {
    counts.most[length] = std::max(counts.most[length], counts.most[length + 1]);
    counts.pairs[length] += counts.pairs[length + 1];
  }
  return counts;
}

Estimate t_tuple(const TupleCounts& counts, size_t n) {
  Estimate estimate = {.test = "t-Tuple Estimate"};
  const size_t t = longest_common(counts);
  if (t == 0) {
    estimate.skipped = "no symbol occurs 35 times";
    return estimate;
  }
  double p_max = 0;
  for (size_t i = 1; i <= t; ++i)
    p_max = std::max(p_max, std::pow(counts.most[i] / static_cast<double>(n - i + 1),
                                     1 / static_cast<double>(i)));
  const double p_u = upper_bound(p_max, static_cast<double>(n));
  estimate.min_entropy = entropy_of(p_u);
  estimate.figures = {{"t", static_cast<double>(t)}, {"p-hat_max", p_max}, {"p_u", p_u}};
  return estimate;
}

Estimate longest_repeated(const TupleCounts& counts, size_t n) {
  Estimate estimate = {.test = "LRS Estimate"};
  const size_t u = longest_common(counts) + 1, v = counts.pairs.size() - 1;
  if (v < u) {
    estimate.skipped = "no tuple occurs twice but not 35 times";
    return estimate;
  }
  double p_max = 0;
  for (size_t w = u; w <= v; ++w) {
    const auto places = static_cast<double>(n - w + 1);
    p_max =
        std::max(p_max, std::pow(static_cast<double>(counts.pairs[w]) / (places * (places - 1) / 2),
                                 1 / static_cast<double>(w)));
  }
  const double p_u = upper_bound(p_max, static_cast<double>(n));
  estimate.min_entropy = entropy_of(p_u);
  estimate.figures = {
      {"u", static_cast<double>(u)}, {"v", static_cast<double>(v)}, {"p-hat", p_max}, {"p_u", p_u}};
  return estimate;
}

extern const Estimator estimator_tuples = {
    "t-Tuple and LRS Estimate", "how often tuples of symbols occur again", false,
    [](const Symbols& symbols, const Stop& stop) {
      const TupleCounts counts = count_tuples(symbols, stop);
      return std::vector{t_tuple(counts, symbols.s.size()),
                         longest_repeated(counts, symbols.s.size())};
    }};

}  // namespace incore::assess::sp800_90b
