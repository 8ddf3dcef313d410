#include "rng/health.h"

namespace incore {
namespace {

// What the fast ways look at in one go.
constexpr size_t kBlock = 64;

// Whether any of the |kBlock| samples equals the two before it; those are there to be read.
bool has_three_equal(const uint8_t* samples) {
  uint8_t found = 0;  // as wide as a sample, so that a vector holds as many
  for (size_t i = 0; i < kBlock; ++i)
    found = static_cast<uint8_t>(found |
                                 ((samples[i] == samples[i - 1]) & (samples[i] == samples[i - 2])));
  return found != 0;
}

size_t count_equal(const uint8_t* samples, size_t num_samples, uint8_t value) {
  size_t count = 0;
  for (; num_samples >= kBlock; samples += kBlock, num_samples -= kBlock) {
    uint8_t in_block = 0;
    for (size_t i = 0; i < kBlock; ++i)
      in_block = static_cast<uint8_t>(in_block + (samples[i] == value));
    count += in_block;
  }
  for (size_t i = 0; i < num_samples; ++i) count += samples[i] == value;
  return count;
}

// 2^-H and 1 - 2^-H, each to full precision: the library has no libm.
struct Share {
  double p, q;
};
Share share_of_commonest(double min_entropy) {
  unsigned whole = static_cast<unsigned>(min_entropy);
  const double x = (min_entropy - whole) * 0.69314718055994530942;  // ln 2
  double term = 1, p_minus_1 = 0;                                   // exp(-x) - 1 as a series
  for (int n = 1; n < 30; ++n) {
    term *= -x / n;
    p_minus_1 += term;
  }
  double p = 1 + p_minus_1;
  if (whole == 0) return {p, -p_minus_1};
  while (whole-- != 0) p /= 2;
  return {p, 1 - p};
}

}  // namespace

uint32_t repetition_cutoff(double min_entropy, unsigned alpha_bits) {
  const double exact = alpha_bits / min_entropy;
  const auto whole = static_cast<uint32_t>(exact);
  return 1 + whole + (whole < exact ? 1 : 0);
}

uint32_t proportion_cutoff(double min_entropy, uint32_t window, unsigned alpha_bits) {
  const auto [p, q] = share_of_commonest(min_entropy);
  // Probabilities of k matches in W relative to that of the mode, so that none that matters is too
  // small for a double; those that are can be left out.
  const auto mode = static_cast<uint32_t>((window + 1) * p);
  double total = 0, probability = 1;
  for (uint32_t k = mode; probability > 0; --k) {
    total += probability;
    if (k == 0) break;
    probability *= k / static_cast<double>(window - k + 1) * (q / p);
  }
  probability = 1;
  uint32_t k = mode;
  while (k < window && probability > 1e-200) {
    probability *= (window - k) / static_cast<double>(k + 1) * (p / q);
    total += probability;
    ++k;
  }
  // Back from there, the small ones first.
  double alpha = total;
  for (unsigned i = 0; i < alpha_bits; ++i) alpha /= 2;
  for (double tail = 0;; --k) {
    tail += probability;
    if (tail > alpha) return k + 1;
    probability *= k / static_cast<double>(window - k + 1) * (q / p);
  }
}

void RepetitionCount::add(uint8_t sample) {
  ++num_samples_;
  run_ = run_ != 0 && sample == last_ ? run_ + 1 : 1;
  last_ = sample;
  if (run_ > longest_) longest_ = run_;
  if (run_ != cutoff_) return;
  ++failures_;
  if (first_failure_ == 0) first_failure_ = num_samples_;
}

void RepetitionCount::update(const uint8_t* samples, size_t num_samples) {
  size_t i = 0;
  while (i < num_samples) {
    // Where no run of three ends and runs of two are no news, only the last run matters. No cutoff
    // is below three.
    if (i >= 2 && num_samples - i >= kBlock && longest_ >= 2 && !has_three_equal(samples + i)) {
      i += kBlock;
      num_samples_ += kBlock;
      last_ = samples[i - 1];
      run_ = last_ == samples[i - 2] ? 2 : 1;
    } else {
      for (const size_t end = num_samples - i < kBlock ? num_samples : i + kBlock; i < end; ++i)
        add(samples[i]);
    }
  }
}

void AdaptiveProportion::add(uint8_t sample) {
  ++num_samples_;
  if (position_ == 0) {
    first_ = sample;
    count_ = 0;
  }
  if (sample == first_) {
    ++count_;
    if (count_ > largest_) largest_ = count_;
    if (count_ == cutoff_) {
      ++failures_;
      if (first_failure_ == 0) first_failure_ = num_samples_;
    }
  }
  if (++position_ == window_) position_ = 0;
}

void AdaptiveProportion::update(const uint8_t* samples, size_t num_samples) {
  while (num_samples != 0) {
    if (position_ == 0) {
      add(*samples++);
      --num_samples;
      continue;
    }
    const size_t left = window_ - position_, n = num_samples < left ? num_samples : left;
    const size_t count = count_ + count_equal(samples, n, first_);
    if (count_ < cutoff_ && count >= cutoff_) {  // which sample was it?
      for (size_t i = 0; i < n; ++i) add(samples[i]);
    } else {
      count_ = static_cast<uint32_t>(count);
      if (count_ > largest_) largest_ = count_;
      num_samples_ += n;
      position_ = n == left ? 0 : position_ + static_cast<uint32_t>(n);
    }
    samples += n;
    num_samples -= n;
  }
}

bool HealthTests::update(const uint8_t* samples, size_t num_samples) {
  num_samples_ += num_samples;
  repetition_.update(samples, num_samples);
  proportion_.update(samples, num_samples);
  return ok();
}

}  // namespace incore
