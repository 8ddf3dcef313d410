#include "tools/bench/measure.h"

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace incore::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMinBatches = 5;
constexpr int kMaxBatches = 1000;
constexpr double kMinBatchNs = 100'000;  // reading the clock costs some 200 ns
constexpr unsigned kAddsInRow = 16;
constexpr unsigned kRowsInChain = 16384;

// The time that this thread has run, so that what else runs on the CPU is not counted.
double thread_ns() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

// One addition that the compiler can neither drop nor join with the next. The addend is in a
// register: some cores spend no cycle on constants.
inline __attribute__((always_inline)) void add(uint64_t& sum, const uint64_t& addend) {
  sum += addend;
  asm volatile("" : "+r"(sum));
}

// The clock by one chain of additions, each of which takes a cycle. An interruption makes it look
// slower, never faster.
double clock_by_one_chain() {
  uint64_t sum = 0, addend = 1;
  asm volatile("" : "+r"(addend));
  const double start = thread_ns();
  for (unsigned row = 0; row < kRowsInChain; ++row) {
    add(sum, addend), add(sum, addend), add(sum, addend), add(sum, addend);
    add(sum, addend), add(sum, addend), add(sum, addend), add(sum, addend);
    add(sum, addend), add(sum, addend), add(sum, addend), add(sum, addend);
    add(sum, addend), add(sum, addend), add(sum, addend), add(sum, addend);
  }
  return kAddsInRow * kRowsInChain / (thread_ns() - start);
}

double time_batch(const Work& work, size_t calls) {
  const double start = thread_ns();
  work(calls);
  return thread_ns() - start;
}

// How many calls fill a batch of about |batch_ns|.
size_t calls_in_batch(const Work& work, double batch_ns) {
  size_t calls = 1;
  for (;;) {
    const double ns = time_batch(work, calls);
    if (ns >= batch_ns) return calls;
    if (ns >= batch_ns / 8)
      return std::max<size_t>(1, static_cast<size_t>(static_cast<double>(calls) * batch_ns / ns));
    calls *= 4;
  }
}

}  // namespace

PinnedCpu::PinnedCpu() {
  if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  const int now = sched_getcpu();
  if (now < 0 || !CPU_ISSET(now, &before_)) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(now, &one);
  if (sched_setaffinity(0, sizeof one, &one) == 0) cpu_ = now;
}

PinnedCpu::~PinnedCpu() {
  if (cpu_ >= 0) sched_setaffinity(0, sizeof before_, &before_);
}

double core_clock_ghz() {
  double best = 0;
  for (int i = 0; i < 5; ++i) best = std::max(best, clock_by_one_chain());
  return best;
}

Measurement measure(const Work& work, std::chrono::milliseconds time) {
  const double budget_ns = std::chrono::duration<double, std::nano>(time).count();
  const size_t calls = calls_in_batch(work, std::max(kMinBatchNs, budget_ns / 200));
  std::vector<double> samples;
  double clock = core_clock_ghz();
  const Clock::time_point start = Clock::now();
  while (samples.size() < kMinBatches ||
         (samples.size() < kMaxBatches && Clock::now() - start < time)) {
    samples.push_back(time_batch(work, calls) / static_cast<double>(calls));
    if (samples.size() % 8 == 0) clock = std::max(clock, clock_by_one_chain());
  }
  clock = std::max(clock, core_clock_ghz());
  std::sort(samples.begin(), samples.end());
  const size_t n = samples.size();
  const double median = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
  return {median, samples.front(), 100 * (samples[(3 * n - 1) / 4] - samples[n / 4]) / median,
          clock, n};
}

}  // namespace incore::tools
