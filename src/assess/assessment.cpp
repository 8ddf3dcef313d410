#include "assess/assessment.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "assess/special.h"

namespace incore::assess {
namespace {

constexpr size_t kHeadLen = 1'000'000;

class ProgressOf final : public Progress {
 public:
  ProgressOf(const ProgressCall& call, bool* stopped) : call_(call), stopped_(stopped) {}
  bool update(const char* what, double share) override {
    if (!*stopped_ && call_ && call_(what, share) != 0) *stopped_ = true;
    return !*stopped_;
  }

 private:
  const ProgressCall& call_;
  bool* stopped_;
};

// Adds the time from construction to destruction.
class Timed {
 public:
  explicit Timed(double* seconds) : seconds_(seconds) {}
  ~Timed() {
    *seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Timed(const Timed&) = delete;

 private:
  double* seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Bytes that are all 0 or 1, and not all 0, are bits; others are bytes.
unsigned width_of(std::span<const uint8_t> head) {
  const uint8_t most = head.empty() ? 0 : *std::max_element(head.begin(), head.end());
  return most == 1 ? 1 : 8;
}

}  // namespace

std::vector<const SuiteInfo*> choose_suites(const char* names) {
  std::vector<const SuiteInfo*> chosen;
  const bool all = names != nullptr && std::string(names) == "all";
  if (names == nullptr || all) {
    for (const SuiteInfo* suite : suites())
      if (all || suite->by_default) chosen.push_back(suite);
    return chosen;
  }
  const std::string list = names;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const auto known = std::find_if(suites().begin(), suites().end(),
                                    [&](const SuiteInfo* suite) { return suite->name == name; });
    if (known == suites().end()) {
      std::string accepted;
      for (const SuiteInfo* suite : suites()) accepted += std::string(" ") + suite->name;
      throw std::invalid_argument("unknown suite '" + name + "'; accepted are: all" + accepted);
    }
    if (std::find(chosen.begin(), chosen.end(), *known) == chosen.end()) chosen.push_back(*known);
    begin = end + 1;
  }
  return chosen;
}

Assessment::Assessment(std::vector<const SuiteInfo*> chosen, const Options& options,
                       unsigned symbol_bits, ProgressCall progress)
    : chosen_(std::move(chosen)), options_(options), progress_(std::move(progress)) {
  options_.symbol_bits = symbol_bits;
  options_.symbol_bits_given = symbol_bits != 0;
  if (options_.symbol_bits_given) begin();
}

void Assessment::begin() {
  begun_ = true;
  if (!options_.symbol_bits_given) options_.symbol_bits = width_of(head_);
  for (const SuiteInfo* info : chosen_)
    runs_.push_back({.info = info, .suite = info->make(options_)});
}

std::string Assessment::update(std::span<const uint8_t> data) {
  if (begun_) return feed(data);
  const size_t wanted = std::min(kHeadLen - head_.size(), data.size());
  head_.insert(head_.end(), data.begin(), data.begin() + static_cast<ptrdiff_t>(wanted));
  if (head_.size() < kHeadLen) return "";
  begin();
  std::string wrong = feed(head_);
  head_ = {};
  return wrong.empty() ? feed(data.subspan(wanted)) : wrong;
}

std::string Assessment::feed(std::span<const uint8_t> symbols) {
  const unsigned width = options_.symbol_bits;
  const auto wide = std::find_if(symbols.begin(), symbols.end(),
                                 [&](uint8_t symbol) { return symbol >> width != 0; });
  if (width < 8 && wide != symbols.end())
    return "byte " + std::to_string(num_bytes_ + static_cast<uint64_t>(wide - symbols.begin())) +
           " is " + std::to_string(*wide) + ", but symbols are " + std::to_string(width) +
           " bits wide" + (options_.symbol_bits_given ? "" : ", as the first bytes show");
  num_bytes_ += symbols.size();
  if (width < 8) pack(symbols);
  for (Run& run : runs_) {
    if (stopped_) break;
    Timed timed(&run.seconds);
    run.suite->update(run.info->input == Input::packed && width < 8 ? packed_ : symbols);
  }
  return "";
}

void Assessment::pack(std::span<const uint8_t> symbols) {
  packed_.clear();
  for (const uint8_t symbol : symbols) {
    pending_ = pending_ << options_.symbol_bits | symbol;
    num_pending_ += options_.symbol_bits;
    if (num_pending_ < 8) continue;
    num_pending_ -= 8;
    packed_.push_back(static_cast<uint8_t>(pending_ >> num_pending_));
    pending_ &= (1u << num_pending_) - 1;
  }
}

void Assessment::finish() {
  if (!begun_) {
    begin();
    const std::string wrong = feed(head_);  // cannot be: the width was found in these bytes
    (void)wrong;
  }
  for (Run& run : runs_) {
    Timed timed(&run.seconds);
    ProgressOf progress(progress_, &stopped_);
    run.suite->finish(run.report, progress);
  }
  finished_ = true;
  summarize();
}

void Assessment::summarize() {
  size_t with_p = 0;
  for (const Run& run : runs_)
    for (const Result& result : run.report.results) {
      ++summary_.num[result.verdict];
      with_p += result.p_value == result.p_value;
    }
  const auto add_reasons = [&](incore_verdict verdict) {
    for (const Run& run : runs_)
      for (const Result& result : run.report.results)
        if (result.verdict == verdict)
          summary_.reasons.push_back(result.test +
                                     (result.variant.empty() ? "" : " (" + result.variant + ")") +
                                     ": " + result.text);
  };
  const size_t weak = summary_.num[INCORE_VERDICT_WEAK];
  if (summary_.num[INCORE_VERDICT_FAIL] != 0) {
    summary_.verdict = INCORE_VERDICT_FAIL;
    summary_.text = "this is not what a good source of random bits gives";
    add_reasons(INCORE_VERDICT_FAIL);
  } else if (weak != 0 && binomial_at_least(static_cast<double>(weak), static_cast<double>(with_p),
                                            kWeakBelow) < kWeakBelow) {
    summary_.verdict = INCORE_VERDICT_WEAK;
    summary_.text = "more weak results than chance gives: look again with more data";
    add_reasons(INCORE_VERDICT_WEAK);
  } else if (summary_.num[INCORE_VERDICT_PASS] != 0) {
    summary_.verdict = INCORE_VERDICT_PASS;
    summary_.text = "nothing found that tells these bits from random ones";
  } else {
    summary_.text = "no test could be done";
    add_reasons(INCORE_VERDICT_SKIPPED);
  }
}

}  // namespace incore::assess
