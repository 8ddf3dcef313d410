// SP 800-90B, section 6.3: how much entropy a symbol has if nothing is assumed of the source. Ten
// estimators look at the symbols, and at their bits in a row; the least counts (3.1.3, 6.2).
#include <algorithm>
#include <cmath>

#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b/good_source.h"
#include "assess/sp800_90b/tasks.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

using namespace sp800_90b;

constexpr size_t kLeastSymbols = 100, kStandardSymbols = 1'000'000;
constexpr char kAssessment[] = "Initial Entropy Estimate";

// One estimator at work on one sequence.
struct Job {
  const Estimator* estimator;
  bool literal;
  std::vector<Estimate> estimates = {};
};

class NonIid final : public Suite {
 public:
  explicit NonIid(const Options& options) : options_(options), head_(options.samples) {}

  void update(std::span<const uint8_t> data) override { head_.update(data); }
  uint64_t bytes_read() const override { return num_read_ != 0 ? num_read_ : head_.num_read(); }

  void finish(Report& out, Progress& progress) override {
    num_read_ = head_.num_read();
    if (num_read_ < kLeastSymbols)
      return out.skip(kAssessment, "needs " + std::to_string(kLeastSymbols) + " symbols");
    const Sample sample(head_.take(), options_.symbol_bits_given ? options_.symbol_bits : 0);
    if (sample.literal().k < 2) {
      out.results.push_back({.test = kAssessment,
                             .verdict = INCORE_VERDICT_FAIL,
                             .min_entropy = 0,
                             .text = "all symbols are the same",
                             .question = question()});
      return;
    }

    std::vector<Job> jobs;
    for (const Estimator* estimator : estimators()) {
      const bool binary = sample.literal().k == 2;
      if (!estimator->binary_only || binary) jobs.push_back({estimator, true});
      if (!binary)
        jobs.push_back({estimator, false});  // NIST's tool: even if bytes have two values
    }
    const bool complete = run(sample, progress, jobs);
    for (const Job& job : jobs) add(job, sample.width(), out);
    if (!complete) return out.skip(kAssessment, "stopped before all estimators were done");
    decide(jobs, sample, out);
  }

 private:
  // A raw noise source is not compared with coin tosses: what is demanded of it decides.
  Question question() const {
    return options_.min_entropy > 0 ? Question::entropy : Question::randomness;
  }

  bool run(const Sample& sample, Progress& progress, std::vector<Job>& jobs) const {
    Stop stop = false;
    std::vector<Task> tasks;
    for (Job& job : jobs)
      tasks.push_back({job.estimator->name, [&] {
                         std::vector<Estimate> made = job.estimator->run(
                             job.literal ? sample.literal() : sample.bitstring(), stop);
                         if (!stop) job.estimates = std::move(made);
                       }});
    return run_tasks(tasks, options_.threads, progress, &stop);
  }

  static void add(const Job& job, unsigned width, Report& out) {
    const char* const variant = job.literal ? "literal" : "bitstring";
    if (job.estimates.empty())
      out.results.push_back({.test = job.estimator->name,
                             .variant = variant,
                             .verdict = INCORE_VERDICT_SKIPPED,
                             .text = "stopped"});
    for (const Estimate& estimate : job.estimates) {
      Result result{.test = estimate.test, .variant = variant, .figures = estimate.figures};
      if (!estimate.skipped.empty()) {
        result.verdict = INCORE_VERDICT_SKIPPED;
        result.text = estimate.skipped;
      } else {
        result.min_entropy = estimate.min_entropy * (job.literal ? 1 : width);
        result.text = estimate.meaning != nullptr ? estimate.meaning : job.estimator->meaning;
        if (!job.literal) result.figures.push_back({"min-entropy a bit", estimate.min_entropy});
      }
      out.results.push_back(std::move(result));
    }
  }

  void decide(const std::vector<Job>& jobs, const Sample& sample, Report& out) const {
    double h_original = sample.width(), h_bitstring = 1;
    for (const Job& job : jobs)
      for (const Estimate& estimate : job.estimates) {
        double& least = job.literal ? h_original : h_bitstring;
        least = std::fmin(least, estimate.min_entropy);  // fmin passes over NaN
      }
    const unsigned width = sample.width();
    const double h = std::min(h_original, width * h_bitstring);
    Result result{.test = kAssessment,
                  .verdict = INCORE_VERDICT_PASS,
                  .min_entropy = h,
                  .figures = {{"samples", static_cast<double>(sample.size())},
                              {"n", static_cast<double>(width)},
                              {"k", static_cast<double>(sample.literal().k)},
                              {"H_original", h_original},
                              {"H_bitstring", h_bitstring}}};
    result.question = question();
    result.text = print("at most %.3g of %u bits a symbol are unpredictable", h, width);
    if (options_.min_entropy > 0) {
      if (h < options_.min_entropy) result.verdict = INCORE_VERDICT_FAIL;
      result.text += print("; %.3g are demanded", options_.min_entropy);
    } else if (h < least_of_good_source(width, sample.size(), kFailBelow)) {
      result.verdict = INCORE_VERDICT_FAIL;
    } else if (h < least_of_good_source(width, sample.size(), kWeakBelow)) {
      result.verdict = INCORE_VERDICT_WEAK;
    } else {
      result.text = print("%.3g of %u bits a symbol, as from a good source", h, width);
    }
    if (sample.size() < kStandardSymbols)
      result.text += print("; the standard wants 1,000,000 symbols, here are %zu", sample.size());
    out.results.push_back(std::move(result));
  }

  Options options_;
  SampleHead head_;
  uint64_t num_read_ = 0;
};

}  // namespace

extern const SuiteInfo suite_sp800_90b = {
    "sp800-90b",
    "min-entropy of a symbol, by ten estimators that assume nothing of the source",
    "SP 800-90B, section 6.3",
    true,
    Input::symbols,
    [](const Options& options) -> std::unique_ptr<Suite> {
      return std::make_unique<NonIid>(options);
    },
    true};

}  // namespace incore::assess
