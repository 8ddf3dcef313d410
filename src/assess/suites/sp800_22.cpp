// SP 800-22 Rev. 1a, "A Statistical Test Suite for Random and Pseudorandom Number Generators for
// Cryptographic Applications": the stream is cut into sequences, each gets all 15 tests
// (sp800_22/), and what they found is summed up as section 4.2 says. A few sequences are held at
// a time, one for each thread; behind the last one the stream is not looked at.
#include <algorithm>
#include <atomic>
#include <new>
#include <system_error>
#include <thread>

#include "assess/sp800_22/tally.h"
#include "assess/suite.h"

namespace incore::assess {
namespace {

using namespace sp800_22;

// Calls |job|(0) to |job|(num_jobs - 1), in threads.
template <class Job>
void in_threads(unsigned num_threads, size_t num_jobs, Job job) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < num_jobs;) job(i);
  };
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < std::min<size_t>(num_threads, num_jobs)) others.emplace_back(work);
  } catch (const std::system_error&) {  // with fewer, then
  }
  work();
}

class Sp80022 final : public Suite {
 public:
  explicit Sp80022(const Options& options) : options_(options) {}

  void update(std::span<const uint8_t> data) override {
    while (!data.empty() && num_sequences_ < options_.sequences) {
      const size_t wanted = (skipped_bits_ + options_.sequence_bits + 7) / 8;
      const size_t taken = std::min(wanted - collected_.size(), data.size());
      collected_.insert(collected_.end(), data.begin(),
                        data.begin() + static_cast<ptrdiff_t>(taken));
      bytes_read_ += taken;
      data = data.subspan(taken);
      if (collected_.size() == wanted) cut_sequence();
    }
  }

  uint64_t bytes_read() const override { return bytes_read_; }

  void finish(Report& out, Progress& progress) override {
    stopped_ = !progress.update("SP 800-22", 0);
    if (num_sequences_ == 0) {
      n_ = collected_.size() * 8;
      if (n_ < kLeastN) return out.skip("SP 800-22", "needs 100 bits");
      batch_.emplace_back(collected_, 0, n_);
    }
    if (!stopped_) run_batch();
    if (std::max<uint64_t>(num_sequences_, 1) * n_ < kLeastBits)
      out.wants = std::to_string(kLeastBits) + " bits";
    if (num_sequences_ <= 1) out.balanced_bits = n_;
    std::vector<Tally> applicable;
    for (size_t t = 0; t < tests().size(); ++t) {
      const Test& test = *tests()[t];
      if (is_too_short_for_several(test)) tallies_[t].clear();
      for (const Tally& tally : tallies_[t]) out.results.push_back(judge(tally, n_));
      applicable.insert(applicable.end(), tallies_[t].begin(), tallies_[t].end());
      if (tallies_[t].empty()) out.skip(test.name, why_not(test));
    }
    out.series = series_of(applicable);
  }

 private:
  static constexpr uint64_t kLeastN = 100;
  // Section 2: the distributions that the tests assume are those of 10^3 bits and more.
  static constexpr uint64_t kLeastBits = 1000;

  void cut_sequence() {
    batch_.emplace_back(collected_, skipped_bits_, options_.sequence_bits);
    ++num_sequences_;
    const size_t end = skipped_bits_ + options_.sequence_bits;  // the last byte may have bits of
    skipped_bits_ = end % 8;                                    // the next sequence
    collected_.erase(collected_.begin(), collected_.begin() + static_cast<ptrdiff_t>(end / 8));
    if (batch_.size() >= options_.threads) run_batch();
  }

  // All tests on the sequences of the batch. What they find is added in the sequences' order,
  // however many threads there are.
  void run_batch() {
    const Parameters parameters = parameters_for(n_);
    const size_t num_tests = tests().size();
    std::vector<Outcomes> found(batch_.size() * num_tests);
    in_threads(options_.threads, found.size(), [&](size_t i) {
      // The last tests are the longest: first, so that no thread is left alone with them.
      const Test& test = *tests()[num_tests - 1 - i % num_tests];
      if (n_ < test.least_n || is_too_short_for_several(test)) return;
      try {
        test.run(batch_[i / num_tests], parameters, found[i]);
      } catch (const std::bad_alloc&) {
        found[i].clear();
        no_memory_ = true;
      }
    });
    for (size_t i = 0; i < found.size(); ++i) {
      const size_t t = num_tests - 1 - i % num_tests;
      for (size_t j = 0; j < found[i].size(); ++j) {
        if (j == tallies_[t].size())
          tallies_[t].push_back({.test = tests()[t], .variant = found[i][j].variant});
        tallies_[t][j].add(std::move(found[i][j]));
      }
    }
    batch_.clear();
  }

  bool is_too_short_for_several(const Test& test) const {
    return num_sequences_ > 1 && n_ < test.least_n_of_several;
  }

  std::string why_not(const Test& test) const {
    if (n_ < test.least_n)
      return "needs sequences of " + std::to_string(test.least_n) + " bits; these have " +
             std::to_string(n_);
    if (is_too_short_for_several(test))
      return "needs " + std::to_string(test.least_n_of_several) +
             " bits in each of several sequences; these have " + std::to_string(n_);
    if (stopped_) return "stopped";
    return no_memory_ ? "not enough memory" : test.not_applicable;
  }

  const Options options_;
  uint64_t n_ = options_.sequence_bits;
  std::vector<uint8_t> collected_;  // of the next sequence
  size_t skipped_bits_ = 0;         // of the first byte collected: they are the sequence's before
  std::vector<Sequence> batch_;
  uint64_t num_sequences_ = 0, bytes_read_ = 0;
  std::vector<std::vector<Tally>> tallies_{tests().size()};
  std::atomic<bool> no_memory_ = false;
  bool stopped_ = false;
};

}  // namespace

extern const SuiteInfo suite_sp800_22 = {"sp800-22",
                                         "the 15 tests of SP 800-22 on sequences of the bits",
                                         "NIST SP 800-22 Rev. 1a",
                                         true,
                                         Input::packed,
                                         [](const Options& options) -> std::unique_ptr<Suite> {
                                           return std::make_unique<Sp80022>(options);
                                         }};

}  // namespace incore::assess
