// The parts of SP 800-90B's estimators, against what the standard says done plainly.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <string>
#include <thread>

#include "assess/generators.h"
#include "assess/sp800_90b/context_tree.h"
#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b/good_source.h"
#include "assess/sp800_90b/lcp.h"
#include "assess/sp800_90b/tasks.h"
#include "assess/sp800_90b/tuples.h"

namespace {

using namespace incore::assess::sp800_90b;
using incore::test::GoodSource;

using Bytes = std::vector<uint8_t>;

Bytes random_symbols(uint64_t seed, size_t len, unsigned k) {
  GoodSource source(seed);
  Bytes symbols(len);
  for (uint8_t& symbol : symbols) symbol = static_cast<uint8_t>(source.below(k));
  return symbols;
}

// Few runs of one symbol, and a part that stands twice.
Bytes repetitive_symbols(uint64_t seed, size_t len, unsigned k) {
  GoodSource source(seed);
  Bytes symbols(len);
  uint8_t symbol = 0;
  for (uint8_t& each : symbols) {
    if (source.chance(0.1)) symbol = static_cast<uint8_t>(source.below(k));
    each = symbol;
  }
  std::copy_n(symbols.begin(), len / 3, symbols.begin() + static_cast<ptrdiff_t>(len / 2));
  return symbols;
}

TEST(sp800_90b_parts, a_sample_is_mapped_down_and_spread_into_bits) {
  const Sample sample({7, 1, 7, 4}, 0);
  EXPECT_EQ(sample.width(), 3u);
  EXPECT_EQ(sample.literal().k, 3u);
  EXPECT_TRUE(std::ranges::equal(sample.literal().s, Bytes{2, 0, 2, 1}));
  EXPECT_TRUE(std::ranges::equal(sample.bitstring().s, Bytes{1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(Sample({0, 0}, 0).width(), 1u);
  EXPECT_EQ(Sample({1, 0}, 5).bitstring().s.size(), 10u);
}

TEST(sp800_90b_parts, the_head_of_a_stream_is_kept_and_no_more) {
  SampleHead head(5);
  head.update(Bytes{1, 2, 3});
  head.update(Bytes{4, 5, 6});
  head.update(Bytes{7});
  EXPECT_EQ(head.num_read(), 5u);
  EXPECT_EQ(head.take(), (Bytes{1, 2, 3, 4, 5}));
}

// The standard's example (6.3.1).
TEST(sp800_90b_parts, most_common_value_finds_the_worked_example) {
  const Bytes s = {0, 1, 1, 2, 0, 1, 2, 2, 0, 1, 0, 1, 1, 0, 2, 2, 1, 0, 2, 1};
  const Estimate estimate = most_common_value({s, 3});
  EXPECT_EQ(estimate.figures[0].value, 8);
  EXPECT_NEAR(estimate.figures[2].value, 0.6895, 5e-5);  // p_u
  EXPECT_NEAR(estimate.min_entropy, 0.5363, 1e-4);       // of the rounded p_u
}

TEST(sp800_90b_parts, common_prefixes_of_sorted_suffixes) {
  const std::string text = "banana";  // a, ana, anana, banana, na, nana
  const Bytes bytes(text.begin(), text.end());
  EXPECT_EQ(sorted_lcp(bytes), (std::vector<int32_t>{0, 1, 3, 0, 0, 2}));
  EXPECT_EQ(longest_repeated_substring(bytes), 3);
  EXPECT_EQ(longest_repeated_substring(Bytes{1, 2, 3}), 0);
  EXPECT_TRUE(sorted_lcp({}).empty());
}

// Counts each tuple of each length in a map.
void expect_tuple_counts(const Bytes& s, unsigned k) {
  const Stop stop = false;
  const TupleCounts counts = count_tuples({s, k}, stop);
  ASSERT_EQ(counts.most.size(), counts.pairs.size());
  for (size_t w = 1; w <= counts.pairs.size(); ++w) {
    std::map<std::string, uint64_t> occurrences;
    for (size_t i = 0; i + w <= s.size(); ++i)
      ++occurrences[std::string(s.begin() + static_cast<ptrdiff_t>(i),
                                s.begin() + static_cast<ptrdiff_t>(i + w))];
    uint64_t most = 0, pairs = 0;
    for (const auto& [tuple, count] : occurrences) {
      most = std::max(most, count);
      pairs += count * (count - 1) / 2;
    }
    if (w == counts.pairs.size()) {
      EXPECT_EQ(pairs, 0u) << "longer tuples occur twice";
    } else {
      EXPECT_EQ(counts.most[w], most) << w;
      EXPECT_EQ(counts.pairs[w], pairs) << w;
    }
  }
}

TEST(sp800_90b_parts, tuples_are_counted_as_in_a_map) {
  for (const unsigned k : {2u, 3u, 5u, 16u, 200u}) {
    SCOPED_TRACE(k);
    expect_tuple_counts(random_symbols(k, 700, k), k);
    expect_tuple_counts(repetitive_symbols(k, 300, k), k);
  }
  Bytes period(200);
  for (size_t i = 0; i < period.size(); ++i) period[i] = i % 3 == 0;
  expect_tuple_counts(period, 2);
}

TEST(sp800_90b_parts, a_context_tree_counts_and_prefers_the_greater_of_equals) {
  ContextTree tree;
  const uint32_t node = tree.add_child(ContextTree::kRoot, 9);
  EXPECT_EQ(tree.child(ContextTree::kRoot, 9), node);
  EXPECT_EQ(tree.child(ContextTree::kRoot, 8), ContextTree::kNone);
  EXPECT_EQ(tree.best(node).count, 0u);
  EXPECT_TRUE(tree.count(node, 4, true));
  EXPECT_TRUE(tree.count(node, 3, true));
  EXPECT_EQ(tree.best(node).symbol, 4);
  EXPECT_TRUE(tree.count(node, 5, true));
  EXPECT_EQ(tree.best(node).symbol, 5);
  EXPECT_FALSE(tree.count(node, 3, false));
  EXPECT_EQ(tree.best(node).symbol, 3);
  EXPECT_EQ(tree.best(node).count, 2u);
  EXPECT_FALSE(tree.count(node, 7, false));  // not learned
  EXPECT_TRUE(tree.count(node, 7, true));
  // Many nodes, which the tables must grow for.
  std::vector<uint32_t> nodes = {node};
  for (unsigned i = 0; i < 5000; ++i)
    nodes.push_back(tree.add_child(nodes[i / 2], static_cast<uint8_t>(i)));
  for (unsigned i = 0; i < 5000; ++i)
    EXPECT_EQ(tree.child(nodes[i / 2], static_cast<uint8_t>(i)), nodes[i + 1]);
}

// Bits have ways of their own; three symbols of which only two occur go the common one.
TEST(sp800_90b_parts, predictors_say_the_same_of_bits_and_of_symbols) {
  const Stop stop = false;
  std::vector<Bytes> samples = {random_symbols(1, 20'000, 2), repetitive_symbols(2, 9000, 2),
                                Bytes(5000, 0), Bytes(4097, 1)};
  for (const size_t period : {2u, 7u, 64u, 128u, 129u}) {
    const Bytes block = random_symbols(period, period, 2);
    Bytes& sample = samples.emplace_back(6000);
    for (size_t i = 0; i < sample.size(); ++i) sample[i] = block[i % period];
    sample[4500] ^= 1;
  }
  for (const Bytes& sample : samples)
    for (const Estimator* predictor :
         {&estimator_multi_mcw, &estimator_lag, &estimator_multi_mmc, &estimator_lz78y}) {
      const Estimate bits = predictor->run({sample, 2}, stop)[0];
      const Estimate symbols = predictor->run({sample, 3}, stop)[0];
      for (size_t figure = 0; figure < 3; ++figure)
        EXPECT_EQ(bits.figures[figure].value, symbols.figures[figure].value)
            << bits.test << ' ' << bits.figures[figure].name;
    }
}

// Section 6.3.10, with a dictionary that is a map. In the second sample it fills up while symbols
// come in a circle that were not seen before, so that it holds a part of the circle.
TEST(sp800_90b_parts, lz78y_predicts_as_with_a_plain_dictionary) {
  Bytes filling = random_symbols(1, 4500, 40);
  for (size_t i = 0; i < 1500; ++i) filling.push_back(static_cast<uint8_t>(40 + i % 100));
  bool fills = false;
  for (const auto& [s, k] : {std::pair{repetitive_symbols(4, 12'000, 4), 4u}, {filling, 140u}}) {
    std::map<std::string, std::map<uint8_t, uint32_t>> dictionary;
    uint64_t correct = 0;
    for (size_t i = 16; i < s.size(); ++i) {
      uint32_t most = 0;
      int guess = -1;
      for (size_t length = 16; length > 0; --length) {
        const std::string context(s.begin() + static_cast<ptrdiff_t>(i - length),
                                  s.begin() + static_cast<ptrdiff_t>(i));
        const auto known = dictionary.find(context);
        if (known == dictionary.end()) {
          if (dictionary.size() < 65'536) ++dictionary[context][s[i]];
          continue;
        }
        uint32_t best = 0;
        uint8_t symbol = 0;
        for (const auto& [each, count] : known->second)
          if (count >= best) best = count, symbol = each;
        if (best > most) most = best, guess = symbol;
        ++known->second[s[i]];
      }
      correct += i > 16 && guess == s[i];
    }
    const Stop stop = false;
    EXPECT_EQ(estimator_lz78y.run({s, k}, stop)[0].figures[0].value, static_cast<double>(correct));
    fills |= dictionary.size() == 65'536;
  }
  EXPECT_TRUE(fills);
}

TEST(sp800_90b_parts, a_good_source_seldom_comes_below_its_limit) {
  // Limits for one in ten, so that a few hundred samples tell.
  for (const auto& [width, num] : {std::pair{1u, 1000u}, {8u, 300u}}) {
    const double limit = least_of_good_source(width, num, 0.1);
    unsigned below = 0;
    double least = width;
    constexpr unsigned kNumSeeds = 200;
    for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
      const Sample sample(random_symbols(1000 + seed, num, 1u << width), width);
      double h = width;
      const Stop stop = false;
      for (const Estimator* estimator : estimators())
        for (const bool literal : {true, false}) {
          const Symbols symbols = literal ? sample.literal() : sample.bitstring();
          if (estimator->binary_only && symbols.k != 2) continue;
          for (const Estimate& estimate : estimator->run(symbols, stop))
            h = std::fmin(h, estimate.min_entropy * (literal ? 1 : width));
        }
      below += h < limit;
      least = std::min(least, h);
    }
    EXPECT_LE(below, kNumSeeds / 10);
    EXPECT_GT(least, least_of_good_source(width, num, 1e-6));
    EXPECT_LT(least, least_of_good_source(width, num, 0.9)) << "the limit is far too low";
  }
  // More data, less doubt.
  EXPECT_GT(least_of_good_source(8, 1'000'000, 1e-6), least_of_good_source(8, 10'000, 1e-6));
  EXPECT_GT(least_of_good_source(8, 1'000'000, 1e-3), least_of_good_source(8, 1'000'000, 1e-6));
}

class StopAfter final : public incore::assess::Progress {
 public:
  explicit StopAfter(int calls) : calls_(calls) {}
  bool update(const char*, double) override { return --calls_ >= 0; }

 private:
  int calls_;
};

TEST(sp800_90b_parts, tasks_run_once_each_are_stopped_and_may_throw) {
  for (const unsigned num_threads : {1u, 3u, 100u}) {
    std::atomic<int> runs = 0;
    const std::vector<Task> tasks(20, Task{"count", [&] { ++runs; }});
    StopAfter never(1'000'000);
    Stop stop = false;
    EXPECT_TRUE(run_tasks(tasks, num_threads, never, &stop));
    EXPECT_EQ(runs, 20);
  }
  StopAfter at_once(0);
  Stop stop = false;
  const std::vector<Task> endless = {{"wait", [&] {
                                        while (!stop) std::this_thread::yield();
                                      }}};
  EXPECT_FALSE(run_tasks(endless, 2, at_once, &stop));
  StopAfter never(1'000'000);
  stop = false;
  const std::vector<Task> throwing = {{"throw", [] { throw std::bad_alloc(); }}};
  EXPECT_THROW(run_tasks(throwing, 2, never, &stop), std::bad_alloc);
}

}  // namespace
