// An assessment: the suites that were asked for, fed with one stream, and what they found.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assess/suite.h"

namespace incore::assess {

// Told of progress: what, share. Not 0 stops.
using ProgressCall = std::function<int(const char*, double)>;

class Assessment {
 public:
  // |symbol_bits| as in incore_assess_options.
  Assessment(std::vector<const SuiteInfo*> chosen, const Options& options, unsigned symbol_bits,
             ProgressCall progress);

  // Empty, or what is wrong with the data. Feeds the suites side by side, each on one thread at a
  // time.
  std::string update(std::span<const uint8_t> data);
  // One suite after the other: those that take long have threads of their own.
  void finish();
  bool finished() const { return finished_; }

  struct Run {
    const SuiteInfo* info;
    std::unique_ptr<Suite> suite = nullptr;  // until it is finished or given up
    std::string given_up = {};               // why: what it has thrown
    Report report = {};
    uint64_t bytes = 0;
    double seconds = 0;
  };
  struct Summary {
    incore_verdict verdict = INCORE_VERDICT_SKIPPED;
    std::string text, worst;
    std::vector<std::string> reasons;
    size_t num[5] = {};  // by verdict
    size_t num_p_values = 0;
    double false_alarm_rate = 0;
    double min_entropy = kNone, visible_bias = kNone;
  };
  const std::vector<Run>& runs() const { return runs_; }
  const Summary& summary() const { return summary_; }
  const Options& options() const { return options_; }
  uint64_t bytes() const { return num_bytes_; }
  bool stopped() const { return stopped_; }

 private:
  void begin();  // the width of symbols is known
  std::string feed(std::span<const uint8_t> symbols);
  std::string too_wide(std::span<const uint8_t> symbols) const;
  void pack(std::span<const uint8_t> symbols);

  std::vector<const SuiteInfo*> chosen_;
  Options options_;
  ProgressCall progress_;
  std::vector<uint8_t> head_;              // until begin()
  std::optional<unsigned> narrower_ = {};  // all of the head would fit in so many bits
  bool digits_ = false;                    // the head is text of the digits 0 and 1
  std::vector<Run> runs_;
  Summary summary_;
  uint64_t num_bytes_ = 0;
  std::vector<uint8_t> packed_;
  unsigned pending_ = 0, num_pending_ = 0;  // bits that do not fill a byte yet
  bool begun_ = false, finished_ = false, stopped_ = false;
};

// Names separated by commas, "all", or null for those by default. Throws std::invalid_argument,
// whose text says what is unknown and what is accepted.
std::vector<const SuiteInfo*> choose_suites(const char* names);

}  // namespace incore::assess
