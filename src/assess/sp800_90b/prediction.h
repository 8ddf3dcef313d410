// What the four predictors share (SP 800-90B, sections 6.3.7 to 6.3.10): counting how often they
// were right, and what follows from that.
#pragma once

#include <algorithm>
#include <cstdint>

#include "assess/sp800_90b/estimator.h"

namespace incore::assess::sp800_90b {

// Predictions in order, and whether they were right.
class Tally {
 public:
  void right() {
    ++correct_;
    longest_ = std::max(longest_, ++run_);
  }
  void wrong() { run_ = 0; }
  void add(bool correct) {
    correct_ += correct;
    run_ = correct ? run_ + 1 : 0;
    longest_ = std::max(longest_, run_);
  }

  uint64_t correct() const { return correct_; }          // C
  uint64_t r() const { return uint64_t{longest_} + 1; }  // the longest run of right ones, and one

 private:
  uint64_t correct_ = 0;
  uint32_t run_ = 0, longest_ = 0;
};

// |n| (N) predictions of one of |k| symbols.
Estimate prediction_estimate(const char* test, const Tally& tally, uint64_t n, unsigned k);

}  // namespace incore::assess::sp800_90b
