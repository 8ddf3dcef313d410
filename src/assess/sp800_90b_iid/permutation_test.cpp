#include "assess/sp800_90b_iid/permutation_test.h"

#include <cmath>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "assess/sp800_90b_iid/xoshiro.h"

namespace incore::assess::sp800_90b {
namespace {

// The permutations are dealt to threads one by one, and their values counted in order.
class PermutationTest {
 public:
  PermutationTest(std::span<const uint8_t> symbols, std::span<const uint8_t> alphabet,
                  uint64_t seed)
      : symbols_(symbols), alphabet_(alphabet), seed_(seed) {
    StatisticValues initial;
    StatisticsOf(symbols, alphabet).compute(symbols, kAllStatistics, initial);
    for (unsigned i = 0; i < kNumStatistics; ++i) ranks_[i].initial = initial[i];
  }

  // |progress| is null in all threads but one. What is thrown is kept for finish().
  void work(Progress* progress) {
    try {
      count_all(progress);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  const Ranks& finish() const {
    if (failure_) std::rethrow_exception(failure_);
    return ranks_;
  }

 private:
  void count_all(Progress* progress) {
    StatisticsOf statistics(symbols_, alphabet_);
    std::vector<uint8_t> permuted;
    StatisticValues values;
    for (std::unique_lock lock(mutex_); undecided_ != 0 && dealt_ < kPermutations && !stopped_;) {
      const uint32_t mine = dealt_++;
      const StatisticSet wanted = undecided_;
      const double share = share_done();
      lock.unlock();
      const bool stop = progress != nullptr && !progress->update("permutation testing", share);
      permuted.assign(symbols_.begin(), symbols_.end());
      if (!stop) {
        Xoshiro(seed_, mine).shuffle(permuted);
        statistics.compute(permuted, wanted, values);
      }
      lock.lock();
      if (stop) {
        stopped_ = true;
        break;
      }
      waiting_.emplace(mine, values);
      for (auto first = waiting_.find(counted_); first != waiting_.end();
           first = waiting_.find(++counted_)) {
        count(first->second);
        waiting_.erase(first);
      }
    }
  }

  void count(const StatisticValues& values) {
    constexpr uint32_t kTrusted = 200;  // permutations that tell mean and spread
    for (unsigned i = 0; i < kNumStatistics; ++i) {
      Rank& rank = ranks_[i];
      if (rank.decided) continue;
      const double above = values[i] - rank.initial;
      ++(above > 0 ? rank.above : above < 0 ? rank.below : rank.equal);
      rank.sum += above;
      rank.sum_of_squares += above * above;
      rank.decided = !rank.rejected() || rank.permutations() == kPermutations ||
                     (rank.permutations() == kTrusted && beyond_chance(i, rank.deviations()));
      if (rank.decided) undecided_ &= ~(StatisticSet{1} << i);
    }
  }

  // Statistics that are left tell more than permutations that are left: most need few.
  double share_done() const {
    return std::max(counted_ / double{kPermutations},
                    1 - std::popcount(undecided_) / double{kNumStatistics});
  }

  std::span<const uint8_t> symbols_, alphabet_;
  uint64_t seed_;
  std::mutex mutex_;  // of all below
  Ranks ranks_;
  StatisticSet undecided_ = kAllStatistics;
  uint32_t dealt_ = 0, counted_ = 0;
  std::map<uint32_t, StatisticValues> waiting_;
  bool stopped_ = false;
  std::exception_ptr failure_;
};

}  // namespace

double Rank::deviations() const {
  const double n = permutations();
  const double mean = sum / n;
  const double variance = sum_of_squares / n - mean * mean;
  return variance > 0 ? std::fabs(mean) / std::sqrt(variance) : mean == 0 ? 0 : INFINITY;
}

bool beyond_chance(unsigned statistic, double deviations) {
  const bool largest = statistic == kLenDirectionalRuns || statistic == kLenRunsMedian ||
                       statistic == kMaximumCollision;
  return deviations > (largest ? 16 : 8);
}

Ranks permutation_test(std::span<const uint8_t> symbols, std::span<const uint8_t> alphabet,
                       uint64_t seed, unsigned threads, Progress& progress) {
  PermutationTest test(symbols, alphabet, seed);
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back([&] { test.work(nullptr); });
  test.work(&progress);
  others.clear();  // waits for them
  return test.finish();
}

}  // namespace incore::assess::sp800_90b
