#include "assess/sp800_90b_iid/rotations.h"

#include <algorithm>
#include <bit>

namespace incore::assess::sp800_90b {
namespace {

constexpr unsigned kKeyBits = 64, kMostBucketBits = 16;

}  // namespace

void Rotations::sort_by_key(std::span<Rotation> rotations) {
  constexpr size_t kFew = 16;  // as most buckets of shuffled bytes have
  if (rotations.size() > kFew)
    return std::sort(rotations.begin(), rotations.end(),
                     [](const Rotation& a, const Rotation& b) { return a.key < b.key; });
  for (size_t i = 1; i < rotations.size(); ++i) {
    const Rotation moving = rotations[i];
    size_t to = i;
    for (; to > 0 && moving.key < rotations[to - 1].key; --to) rotations[to] = rotations[to - 1];
    rotations[to] = moving;
  }
}

std::span<const uint32_t> Rotations::sort(std::span<const uint16_t> text, unsigned k) {
  const unsigned symbol_bits = k > 2 ? static_cast<unsigned>(std::bit_width(k - 1)) : 1;
  sort_by_keys(text, symbol_bits);
  if (!groups_.empty()) refine(kKeyBits / symbol_bits);
  return order_;
}

void Rotations::sort_by_keys(std::span<const uint16_t> text, unsigned symbol_bits) {
  const size_t n = text.size();
  const auto prepend = [&](uint64_t key, size_t i) {
    return uint64_t{text[i]} << (kKeyBits - symbol_bits) | key >> symbol_bits;
  };
  uint64_t key = 0;
  for (size_t i = kKeyBits / symbol_bits + 1; i-- > 0;) key = prepend(key, i % n);
  keys_.resize(n);
  const unsigned bucket_bits = std::min(static_cast<unsigned>(std::bit_width(n)), kMostBucketBits);
  counts_.assign((size_t{1} << bucket_bits) + 1, 0);
  const auto bucket_of = [&](uint64_t each) { return each >> (kKeyBits - bucket_bits); };
  for (size_t i = n; i-- > 0;) {
    keys_[i] = key = prepend(key, i);
    ++counts_[bucket_of(key) + 1];
  }
  for (size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
  rotations_.resize(n);
  for (uint32_t i = 0; i < n; ++i) rotations_[counts_[bucket_of(keys_[i])]++] = {keys_[i], i};

  // Now each count is where its bucket ends.
  order_.resize(n);
  groups_.clear();
  uint32_t begin = 0;
  for (const uint32_t end : counts_) {
    sort_by_key(std::span(rotations_).subspan(begin, end - begin));
    for (; begin < end;) {
      uint32_t next = begin;
      for (; next < end && rotations_[next].key == rotations_[begin].key; ++next)
        order_[next] = rotations_[next].begin;
      if (next - begin > 1) groups_.push_back({begin, next});
      begin = next;
    }
  }
}

void Rotations::refine(uint64_t known) {
  const size_t n = order_.size();
  rank_.resize(n);
  for (uint32_t i = 0; i < n; ++i) rank_[order_[i]] = i;
  for (const Group& group : groups_)
    for (uint32_t i = group.begin; i < group.end; ++i) rank_[order_[i]] = group.begin;
  for (; !groups_.empty() && known < n; known *= 2) {
    left_.clear();
    for (const Group& group : groups_) {
      for (uint32_t i = group.begin; i < group.end; ++i)
        rotations_[i] = {rank_[(order_[i] + known) % n], order_[i]};
      sort_by_key(std::span(rotations_).subspan(group.begin, group.end - group.begin));
      for (uint32_t begin = group.begin; begin < group.end;) {
        uint32_t next = begin;
        for (; next < group.end && rotations_[next].key == rotations_[begin].key; ++next) {
          order_[next] = rotations_[next].begin;
          rank_[order_[next]] = begin;
        }
        if (next - begin > 1) left_.push_back({begin, next});
        begin = next;
      }
    }
    groups_.swap(left_);
  }
}

}  // namespace incore::assess::sp800_90b
