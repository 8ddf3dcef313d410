// The continuous health tests of SP 800-90B (January 2018), section 4.4: they notice when a source
// breaks down, not whether it is good. A sample is a byte; W, C, A, B and H are the standard's.
//
// Both may fail by chance on a source that has the entropy that it claims: alpha is 2^-30 for each
// window, and for each sample that may begin a run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore {

inline constexpr unsigned kHealthAlphaBits = 30;
inline constexpr uint32_t kHealthWindow = 512, kHealthWindowBinary = 1024;
inline constexpr size_t kStartupSamples = 1024;  // section 4.3, requirement 4

// H must lie between these for the cutoffs: bits of min-entropy a sample.
inline constexpr double kMinHealthEntropy = 0.01, kMaxHealthEntropy = 8;

// C = 1 + ceil(-log2(alpha) / H), with alpha = 2^-|alpha_bits|.
uint32_t repetition_cutoff(double min_entropy, unsigned alpha_bits = kHealthAlphaBits);
// C = 1 + CRITBINOM(W, 2^-H, 1 - alpha): the least count that at most alpha of all windows reach.
// W + 1, which none reaches, if |min_entropy| is below alpha_bits / W.
uint32_t proportion_cutoff(double min_entropy, uint32_t window,
                           unsigned alpha_bits = kHealthAlphaBits);

// Section 4.4.1. B is |run_|, A is |last_|.
class RepetitionCount {
 public:
  explicit RepetitionCount(uint32_t cutoff) : cutoff_(cutoff) {}

  void add(uint8_t sample);
  void update(const uint8_t* samples, size_t num_samples);  // as add() for each, but faster

  uint32_t cutoff() const { return cutoff_; }
  uint32_t longest() const { return longest_; }
  uint64_t failures() const { return failures_; }  // runs that reached the cutoff
  // The number of the sample, from 1, at which the first run did; 0: none.
  uint64_t first_failure() const { return first_failure_; }

 private:
  uint32_t cutoff_, run_ = 0, longest_ = 0;
  uint8_t last_ = 0;
  uint64_t num_samples_ = 0, failures_ = 0, first_failure_ = 0;
};

// Section 4.4.2. B is |count_|, A is |first_|.
class AdaptiveProportion {
 public:
  AdaptiveProportion(uint32_t cutoff, uint32_t window) : cutoff_(cutoff), window_(window) {}

  void add(uint8_t sample);
  void update(const uint8_t* samples, size_t num_samples);  // as add() for each, but faster

  uint32_t cutoff() const { return cutoff_; }
  uint32_t window() const { return window_; }
  uint32_t largest() const { return largest_; }
  uint64_t failures() const { return failures_; }            // windows that reached the cutoff
  uint64_t first_failure() const { return first_failure_; }  // as in RepetitionCount

 private:
  uint32_t cutoff_, window_, count_ = 0, position_ = 0, largest_ = 0;  // position_ in the window
  uint8_t first_ = 0;
  uint64_t num_samples_ = 0, failures_ = 0, first_failure_ = 0;
};

// Both tests of one source that claims |min_entropy| bits a sample.
class HealthTests {
 public:
  HealthTests(double min_entropy, uint32_t window)
      : repetition_(repetition_cutoff(min_entropy)),
        proportion_(proportion_cutoff(min_entropy, window), window) {}

  // False if a sample failed, now or earlier.
  bool update(const uint8_t* samples, size_t num_samples);
  bool ok() const { return repetition_.failures() == 0 && proportion_.failures() == 0; }

  uint64_t num_samples() const { return num_samples_; }
  const RepetitionCount& repetition() const { return repetition_; }
  const AdaptiveProportion& proportion() const { return proportion_; }

 private:
  RepetitionCount repetition_;
  AdaptiveProportion proportion_;
  uint64_t num_samples_ = 0;
};

}  // namespace incore
