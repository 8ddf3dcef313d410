#include "assess/stream/window_sample.h"

#include <cmath>
#include <cstring>

namespace incore::assess {
namespace {

constexpr unsigned kSlotBits = 17;  // 3 MiB
constexpr size_t kSlots = size_t{1} << kSlotBits;
constexpr size_t kMostEntries = kSlots / 2;

// Odd, without a pattern: 2^64 divided by the golden ratio, and a prime of the same kind.
constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
constexpr uint64_t kOtherMultiplier = 0xC2B2AE3D27D4EB4F;

uint64_t load(const uint8_t* data) {
  uint64_t word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

}  // namespace

WindowSample::WindowSample() : table_(kSlots) {}

double WindowSample::one_in() const {
  return std::ldexp(1, static_cast<int>(halvings_));
}

void WindowSample::look(const uint8_t* data, size_t count, uint64_t position) {
  for (size_t i = 0; i < count; ++i) {
    const uint64_t low = load(data + i);
    // Remembered if the highest bits of the hash are zero, so many as there were halvings.
    if (low * kMultiplier <= ~uint64_t{0} >> halvings_)
      remember(low, load(data + i + 8), position + i);
  }
}

void WindowSample::remember(uint64_t low, uint64_t high, uint64_t position) {
  ++windows_;
  Entry& entry = find(low, high);
  if (entry.end != 0) {
    repeat(position + 1 - entry.end, position);
    entry.end = position + 1;
    return;
  }
  entry = {low, high, position + 1};
  if (++num_entries_ == kMostEntries) forget_half();
}

// Majority vote of Boyer and Moore: the distance that more than half of the repeats have wins.
void WindowSample::repeat(uint64_t distance, uint64_t position) {
  if (repeats_++ == 0) {
    first_repeat_ = position;
    first_distance_ = distance;
  }
  if (votes_ == 0) usual_distance_ = distance;
  if (distance == usual_distance_)
    ++votes_;
  else
    --votes_;
}

WindowSample::Entry& WindowSample::find(uint64_t low, uint64_t high) {
  uint64_t hash = (low ^ high * kOtherMultiplier) * kMultiplier;
  hash ^= hash >> 32;
  for (size_t slot = hash % kSlots;; slot = (slot + 1) % kSlots) {
    Entry& entry = table_[slot];
    if (entry.end == 0 || (entry.low == low && entry.high == high)) return entry;
  }
}

void WindowSample::forget_half() {
  ++halvings_;
  std::vector<Entry> old(kSlots);
  old.swap(table_);
  num_entries_ = 0;
  for (const Entry& entry : old)
    if (entry.end != 0 && entry.low * kMultiplier <= ~uint64_t{0} >> halvings_) {
      find(entry.low, entry.high) = entry;
      ++num_entries_;
    }
}

}  // namespace incore::assess
