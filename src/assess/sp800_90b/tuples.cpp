#include "assess/sp800_90b/tuples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <numeric>
#include <optional>
#include <utility>

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

// Neighbours among the sorted suffixes that share at least W symbols are the places of one W-tuple.
// Such an interval of |count| suffixes that share |common| holds for all lengths above what it
// shares with its surroundings.
class IntervalCounter {
 public:
  // No two suffixes share more than |longest|.
  explicit IntervalCounter(size_t longest) : counts_{{}, {}} {
    counts_.most.resize(longest + 1);
    counts_.pairs.resize(longest + 1);
  }

  // The next suffix shares |common| symbols with the one before it.
  void next(uint32_t common) {
    uint32_t first = num_++;
    while (open_.back().common > common) {
      const Interval ended = open_.back();
      open_.pop_back();
      first = ended.first;
      const uint64_t count = num_ - first, pairs = count * (count - 1) / 2;
      counts_.most[ended.common] = std::max(counts_.most[ended.common], num_ - first);
      // Differences from one length to the next; finish sums them up.
      counts_.pairs[ended.common] += pairs;
      counts_.pairs[std::max(open_.back().common, common)] -= pairs;
    }
    if (open_.back().common < common) open_.push_back({common, first});
  }

  TupleCounts finish() && {
    next(0);
    for (size_t length = counts_.most.size() - 1; length-- > 0;) {
      counts_.most[length] = std::max(counts_.most[length], counts_.most[length + 1]);
      counts_.pairs[length] += counts_.pairs[length + 1];
    }
    // What is longer than the longest occurs once.
    while (counts_.pairs.size() > 1 && counts_.pairs.back() == 0) {
      counts_.pairs.pop_back();
      counts_.most.pop_back();
    }
    return std::move(counts_);
  }

 private:
  struct Interval {
    uint32_t common;
    uint32_t first;
  };
  TupleCounts counts_;
  std::vector<Interval> open_ = {{0, 0}};
  uint32_t num_ = 0;  // suffixes before the one that comes next
};

// The first symbols of each suffix, as many as 64 bits hold, as a number: the first on top, zeros
// after the last. |visit|(key, place) from the last suffix to the first.
template <class Visit>
void for_each_key(const Symbols& symbols, unsigned width, Visit visit) {
  const uint64_t whole = ~uint64_t{0} << 64 % width;
  uint64_t key = 0;
  for (size_t place = symbols.s.size(); place-- > 0;) {
    key = static_cast<uint64_t>(symbols.s[place]) << (64 - width) | (key >> width & whole);
    visit(key, place);
  }
}

// Sorts the keys of suffixes rather than the suffixes, which is several times faster. Nothing if
// two suffixes share a whole key, as they do where the source repeats itself.
std::optional<TupleCounts> count_short_tuples(const Symbols& symbols) {
  const auto width = static_cast<unsigned>(std::bit_width(symbols.k - 1));
  const size_t n = symbols.s.size(), span = 64 / width;
  if (n < 2 * span) return std::nullopt;

  // Whole keys, dealt by their highest bits into buckets of about a hundred; and the last suffixes,
  // which are shorter than a key.
  constexpr unsigned kBucketLog2 = 7;
  const unsigned shift =
      64 - std::clamp(static_cast<unsigned>(std::bit_width(n)), 8u, 23u) + kBucketLog2;
  struct Tail {
    uint64_t key;
    size_t len;
    auto operator<=>(const Tail&) const = default;  // of equal keys, the shorter suffix comes first
  };
  std::vector<Tail> tails;
  std::vector<uint32_t> ends((uint64_t{1} << (64 - shift)) + 1);
  for_each_key(symbols, width, [&](uint64_t key, size_t place) {
    if (place + span <= n)
      ++ends[(key >> shift) + 1];
    else
      tails.push_back({key, n - place});
  });
  std::sort(tails.begin(), tails.end());
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<uint64_t> keys(n - tails.size());
  for_each_key(symbols, width, [&](uint64_t key, size_t place) {
    if (place + span <= n) keys[ends[key >> shift]++] = key;
  });

  IntervalCounter counter(span - 1);
  Tail last = {0, 0};  // shares nothing with the first
  bool first = true, shared = false;
  const auto next = [&](const Tail& suffix) {
    const size_t equal = static_cast<size_t>(std::countl_zero(last.key ^ suffix.key)) / width;
    const size_t common = std::min({equal, last.len, suffix.len});
    if (common == span) {
      shared = true;
      return;
    }
    if (!first) counter.next(static_cast<uint32_t>(common));
    first = false;
    last = suffix;
  };
  size_t begin = 0, tail = 0;
  for (size_t bucket = 0; bucket + 1 < ends.size(); ++bucket) {
    const size_t end = ends[bucket];  // moved on while keys were dealt
    std::sort(keys.begin() + static_cast<ptrdiff_t>(begin),
              keys.begin() + static_cast<ptrdiff_t>(end));
    for (; begin < end; ++begin) {
      while (tail < tails.size() && tails[tail].key <= keys[begin]) next(tails[tail++]);
      next({keys[begin], span});
      if (shared) return std::nullopt;
    }
  }
  while (tail < tails.size()) next(tails[tail++]);
  return std::move(counter).finish();
}

}  // namespace

TupleCounts count_tuples(const Symbols& symbols, const Stop& stop) {
  if (std::optional<TupleCounts> counts = count_short_tuples(symbols)) return std::move(*counts);
  const std::vector<int32_t> lcp = sorted_lcp(symbols.s);
  IntervalCounter counter(static_cast<size_t>(*std::max_element(lcp.begin(), lcp.end())));
  for (size_t i = 1; i < lcp.size() && !stop; ++i) counter.next(static_cast<uint32_t>(lcp[i]));
  return std::move(counter).finish();
}

Estimate t_tuple(const TupleCounts& counts, size_t n) {
  Estimate estimate = {.test = "t-Tuple Estimate",
                       .meaning = "how common the most common sequences of symbols are"};
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
  Estimate estimate = {.test = "LRS Estimate",
                       .meaning = "how many sequences occur twice, and how long they are"};
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
