// FIPS 140-2, section 4.9.1 and the change notice of October 2001: the statistical tests of 20,000
// bits (later taken out of the standard), for each block of the stream, and section 4.9.2, the
// continuous test, on words of 32 bits. A good source's blocks fail now and then, so the number of
// failures is judged. As in rngtest, the first word of the stream only begins the continuous test.
#include <cstring>

#include "assess/p_values.h"
#include "assess/stream/bits.h"
#include "assess/stream/blocks.h"
#include "assess/stream/run_lengths.h"
#include "assess/suite.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

constexpr size_t kBlockLen = 2500;
constexpr size_t kWordLen = 4;
constexpr size_t kPassedOver = kWordLen;

enum Test { monobit, poker, runs, long_run, continuous, kNumTests };

struct TestInfo {
  const char* name;
  double chance;  // that a block of fair bits fails it
};
// Computed exactly, except that of the runs test: the sum over its twelve intervals, which hardly
// ever fail together. tests/assess/suites/fips140_test.cpp computes them again.
constexpr TestInfo kTests[kNumTests] = {
    {"Monobit", 1.034970e-4},  {"Poker", 9.973661e-5},          {"Runs", 2.995654e-4},
    {"Long run", 2.976214e-4}, {"Continuous run", 1.455191e-7},
};
constexpr double kAnyChance = 7.9e-4;

struct Interval {
  uint64_t low, high;
};
constexpr Interval kOnes = {9726, 10274};
constexpr Interval kPokerSquares = {1563176, 1576928};  // 2.16 < 16 / 5000 * squares - 5000 < 46.17
constexpr unsigned kLongestCounted = 6;                 // and more
constexpr Interval kRuns[kLongestCounted + 1] = {{},         {2315, 2685}, {1114, 1386}, {527, 723},
                                                 {240, 384}, {103, 209},   {103, 209}};
constexpr uint64_t kLongRun = 26;

bool outside(uint64_t value, const Interval& interval) {
  return value < interval.low || value > interval.high;
}

bool fails_poker(const uint8_t* block) {
  uint16_t tables[4][256] = {};
  count_bytes(block, kBlockLen, tables);
  uint64_t counts[16] = {}, squares = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const uint64_t count =
        0ull + tables[0][byte] + tables[1][byte] + tables[2][byte] + tables[3][byte];
    counts[byte >> 4] += count;
    counts[byte & 15] += count;
  }
  for (const uint64_t count : counts) squares += count * count;
  return outside(squares, kPokerSquares);
}

bool fails_runs(const RunLengths& lengths) {
  for (const auto& counts : lengths.counts) {
    uint64_t longer = 0;
    for (unsigned length = kLongestCounted; length <= RunLengths::kMost; ++length)
      longer += counts[length];
    if (outside(longer, kRuns[kLongestCounted])) return true;
    for (unsigned length = 1; length < kLongestCounted; ++length)
      if (outside(counts[length], kRuns[length])) return true;
  }
  return false;
}

// |block| with the word before it.
bool fails_continuous(const uint8_t* block) {
  for (size_t i = 0; i < kBlockLen; i += kWordLen)
    if (std::memcmp(block + i, block + i - kWordLen, kWordLen) == 0) return true;
  return false;
}

class Fips140 final : public Suite {
 public:
  // What the first word would be the end of; add() passes over it.
  Fips140() {
    constexpr uint8_t kBefore[kBlockLen - kPassedOver] = {};
    blocks_.feed(kBefore, [](auto) {});
  }

  void update(std::span<const uint8_t> data) override {
    num_bytes_ += data.size();
    blocks_.feed(data, [&](auto block) { add(block.data()); });
  }

  uint64_t bytes_read() const override { return num_bytes_; }

  void finish(Report& out, Progress&) override {
    if (blocks_seen_ < 2) return out.skip("FIPS 140-2", "needs 2504 bytes");
    const auto num_blocks = static_cast<double>(blocks_seen_ - 1);
    judge(out, {"FIPS 140-2", kAnyChance}, failures_of_any_, num_blocks);
    for (int test = 0; test < kNumTests; ++test)
      judge(out, kTests[test], failures_[test], num_blocks);
  }

 private:
  void add(const uint8_t* block) {
    if (blocks_seen_++ == 0) return;
    RunLengths lengths;
    lengths.update(block, kBlockLen);
    lengths.finish();
    bool fails[kNumTests];
    fails[monobit] = outside(count_ones(block, kBlockLen), kOnes);
    fails[poker] = fails_poker(block);
    fails[runs] = fails_runs(lengths);
    fails[long_run] = lengths.longest >= kLongRun;
    fails[continuous] = fails_continuous(block);
    bool any = false;
    for (int test = 0; test < kNumTests; ++test) {
      failures_[test] += fails[test];
      any |= fails[test];
    }
    failures_of_any_ += any;
  }

  // Too few failures are judged too: somebody may have thrown such blocks away.
  static void judge(Report& out, const TestInfo& test, uint64_t failures, double num_blocks) {
    const auto count = static_cast<double>(failures);
    const double p = binomial_both_tails_p(count, num_blocks, test.chance);
    out.results.push_back(
        {.test = test.name,
         .verdict = verdict_of(p),
         .statistic = count,
         .p_value = p,
         .text = print("%.0f of %.0f blocks fail; about %.3g are expected of a good source", count,
                       num_blocks, num_blocks * test.chance),
         .figures = {{"failures", count}, {"blocks", num_blocks}, {"chance", test.chance}}});
  }

  Blocks blocks_{kBlockLen, kWordLen};
  uint64_t num_bytes_ = 0, blocks_seen_ = 0;
  uint64_t failures_[kNumTests] = {}, failures_of_any_ = 0;
};

}  // namespace

extern const SuiteInfo suite_fips140 = {
    "fips140",
    "blocks of 20,000 bits: monobit, poker, runs, long run, continuous",
    "FIPS 140-2, sections 4.9.1 and 4.9.2, change notice 1",
    true,
    Input::packed,
    [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Fips140>(); }};

}  // namespace incore::assess
