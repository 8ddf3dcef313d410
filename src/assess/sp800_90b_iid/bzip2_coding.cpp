#include "assess/sp800_90b_iid/bzip2_coding.h"

#include <algorithm>
#include <bit>

namespace incore::assess::sp800_90b {
namespace {

constexpr unsigned kRunA = 0, kRunB = 1;  // digits of a run of zeros, in base 2 without a zero
constexpr int kRounds = 4;
constexpr unsigned kLongestCode = 17;
constexpr uint16_t kCheap = 0, kDear = 15;

// A Huffman code's lengths as bzip2 finds them: among equal weights its heap decides, so it is the
// same heap. A weight has the depth of its tree in the low eight bits. Node 0 is a sentinel.
class Huffman {
 public:
  Huffman(std::span<const uint32_t> counts) : n_(counts.size()) {
    for (size_t i = 0; i < n_; ++i) weights_[i + 1] = std::max(counts[i], 1u) << 8;
    while (build() > kLongestCode)
      for (size_t i = 1; i <= n_; ++i) weights_[i] = (1 + (weights_[i] >> 8) / 2) << 8;
  }
  unsigned length(size_t symbol) const { return lengths_[symbol]; }

 private:
  // Returns the longest length.
  unsigned build() {
    num_in_heap_ = 0;
    for (size_t i = 1; i <= n_; ++i) push(static_cast<uint8_t>(i));
    size_t num_nodes = n_;
    std::array<uint8_t, 32> parent{};
    while (num_in_heap_ > 1) {
      const uint8_t a = pop(), b = pop();
      parent[a] = parent[b] = static_cast<uint8_t>(++num_nodes);
      const uint32_t depth = 1 + std::max(weights_[a] & 0xff, weights_[b] & 0xff);
      weights_[num_nodes] = ((weights_[a] & ~0xffu) + (weights_[b] & ~0xffu)) | depth;
      push(static_cast<uint8_t>(num_nodes));
    }
    unsigned longest = 0;
    for (size_t i = 0; i < n_; ++i) {
      lengths_[i] = 0;
      for (size_t node = i + 1; parent[node] != 0; node = parent[node]) ++lengths_[i];
      longest = std::max(longest, lengths_[i]);
    }
    return longest;
  }

  void push(uint8_t node) {
    size_t at = ++num_in_heap_;
    for (; weights_[node] < weights_[heap_[at / 2]]; at /= 2) heap_[at] = heap_[at / 2];
    heap_[at] = node;
  }

  uint8_t pop() {
    const uint8_t least = heap_[1], node = heap_[num_in_heap_--];
    size_t at = 1;
    for (size_t child; (child = 2 * at) <= num_in_heap_; at = child) {
      if (child < num_in_heap_ && weights_[heap_[child + 1]] < weights_[heap_[child]]) ++child;
      if (weights_[node] < weights_[heap_[child]]) break;
      heap_[at] = heap_[child];
    }
    heap_[at] = node;
    return least;
  }

  size_t n_, num_in_heap_ = 0;
  std::array<uint32_t, 32> weights_{};
  std::array<uint8_t, 32> heap_{};
  std::array<unsigned, 16> lengths_{};
};

}  // namespace

void Bzip2Coding::move_to_front(std::span<const uint8_t> transformed, unsigned num_characters) {
  constexpr uint64_t kOnes = 0x1111111111111111;
  groups_.assign((transformed.size() + 1) / kGroupLen + 1, {});
  auto group = groups_.begin();
  uint32_t num_in_group = 0;
  const auto add = [&](unsigned symbol) {
    if (num_in_group == kGroupLen) {
      ++group;
      num_in_group = 0;
    }
    ++num_in_group;
    ++(*group)[symbol];
  };
  uint32_t zeros = 0;
  const auto add_zeros = [&] {
    for (; zeros != 0; zeros = (zeros - 1) / 2) add(zeros % 2 != 0 ? kRunA : kRunB);
  };
  uint64_t list = 0xfedcba9876543210;  // a character in each nibble, the last used lowest
  for (const uint8_t character : transformed) {
    if (character == (list & 15)) {
      ++zeros;
      continue;
    }
    add_zeros();
    const uint64_t differing = list ^ character * kOnes;
    const uint64_t found = (differing - kOnes) & ~differing & kOnes << 3;
    const int at = std::countr_zero(found) - 3;  // in bits; the first nibble that is zero
    const uint64_t before = (uint64_t{1} << at) - 1;
    list = (list & ~(before << 4 | 15)) | (list & before) << 4 | character;
    add(static_cast<unsigned>(at) / 4 + 1);
  }
  add_zeros();
  add(num_characters + 1);  // the end of the block
  num_coded_ = static_cast<uint32_t>(group - groups_.begin()) * kGroupLen + num_in_group;
  groups_.erase(group + 1, groups_.end());
}

void Bzip2Coding::first_lengths(Lengths& out) const {
  Counts total{};
  for (const auto& group : groups_)
    for (unsigned symbol = 0; symbol < num_symbols_; ++symbol) total[symbol] += group[symbol];
  for (auto& of_symbol : out) of_symbol.fill(kDear);
  uint32_t rest = num_coded_;
  unsigned begin = 0;
  for (unsigned parts = num_tables_; parts > 0; --parts) {
    // The next symbols that make up one part of the rest, or of every second part one fewer.
    uint32_t count = 0;
    unsigned end = begin;
    while (count < rest / parts && end < num_symbols_) count += total[end++];
    if (end > begin + 1 && parts != num_tables_ && parts != 1 && (num_tables_ - parts) % 2 == 1)
      count -= total[--end];
    for (unsigned symbol = begin; symbol < end; ++symbol) out[symbol][parts - 1] = kCheap;
    begin = end;
    rest -= count;
  }
}

void Bzip2Coding::choose_tables(const Lengths& lengths,
                                std::array<Counts, kMostTables>& out_counts) {
  out_counts = {};
  selectors_.clear();
  for (const auto& group : groups_) {
    std::array<uint16_t, 8> costs{};
    for (unsigned symbol = 0; symbol < num_symbols_; ++symbol)
      for (size_t table = 0; table < costs.size(); ++table)
        costs[table] = static_cast<uint16_t>(costs[table] + group[symbol] * lengths[symbol][table]);
    const auto best = static_cast<size_t>(
        std::min_element(costs.begin(), costs.begin() + num_tables_) - costs.begin());
    selectors_.push_back(static_cast<uint8_t>(best));
    for (unsigned symbol = 0; symbol < num_symbols_; ++symbol)
      out_counts[best][symbol] += group[symbol];
  }
}

// Selectors are moved to the front too, and written in unary.
uint64_t Bzip2Coding::selector_bits() const {
  std::array<uint8_t, kMostTables> list = {0, 1, 2, 3, 4, 5};
  uint64_t bits = 0;
  for (const uint8_t selector : selectors_) {
    const auto at = std::find(list.begin(), list.end(), selector);
    bits += static_cast<uint64_t>(at - list.begin()) + 1;
    std::rotate(list.begin(), at, at + 1);
  }
  return bits;
}

uint64_t Bzip2Coding::block_bits(std::span<const uint8_t> transformed, unsigned num_characters) {
  num_symbols_ = num_characters + 2;
  move_to_front(transformed, num_characters);
  num_tables_ = num_coded_ < 200    ? 2
                : num_coded_ < 600  ? 3
                : num_coded_ < 1200 ? 4
                : num_coded_ < 2400 ? 5
                                    : 6;
  Lengths lengths;
  first_lengths(lengths);
  std::array<Counts, kMostTables> counts;
  for (int round = 0; round < kRounds; ++round) {
    choose_tables(lengths, counts);
    for (unsigned table = 0; table < num_tables_; ++table) {
      const Huffman code(std::span(counts[table]).first(num_symbols_));
      for (unsigned symbol = 0; symbol < num_symbols_; ++symbol)
        lengths[symbol][table] = static_cast<uint16_t>(code.length(symbol));
    }
  }

  uint64_t bits = 3 + 15 + selector_bits();
  for (unsigned table = 0; table < num_tables_; ++table) {
    bits += 5;  // the first symbol's length; each symbol's differs from the last by steps of one
    unsigned last = lengths[0][table];
    for (unsigned symbol = 0; symbol < num_symbols_; ++symbol) {
      const unsigned length = lengths[symbol][table];
      bits += 2 * (length > last ? length - last : last - length) + 1;
      last = length;
      bits += uint64_t{counts[table][symbol]} * length;
    }
  }
  return bits;
}

}  // namespace incore::assess::sp800_90b
