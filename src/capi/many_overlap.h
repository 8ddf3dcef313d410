// Whether one of many messages would overwrite what another one needs. No memory is allocated.
//
// The usual layouts are seen to be right by one look at each message (Span). For any other layout
// the ranges are taken in the order of their addresses, as many at a time as fit on the stack; each
// portion takes one look at every range. So up to kWindow ranges cost about as much as sorting
// them, and n of them n / kWindow looks each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace incore {

// Bytes of a message that it reads, or writes. Ranges of one message may share bytes.
struct ByteRange {
  uintptr_t first, last;  // both are in it
  size_t message;
  bool written;
};

inline uintptr_t address_of(const void* p) {
  return reinterpret_cast<uintptr_t>(p);
}
// The last of |len| bytes, at least one; nothing lies behind the end of the address space.
inline uintptr_t last_address_of(const void* p, size_t len) {
  const uintptr_t first = address_of(p);
  return len - 1 <= UINTPTR_MAX - first ? first + (len - 1) : UINTPTR_MAX;
}

// What ranges span, and whether each of them was behind all that came before it.
class Span {
 public:
  void add(uintptr_t first, uintptr_t last) {
    in_order_ &= first > last_;
    first_ = first < first_ ? first : first_;
    last_ = last > last_ ? last : last_;
  }
  bool in_order() const { return in_order_; }
  bool apart_from(const Span& other) const { return last_ < other.first_ || other.last_ < first_; }

 private:
  uintptr_t first_ = UINTPTR_MAX, last_ = 0;
  bool in_order_ = true;
};

// How far ranges reach whose beginnings have been passed: the farthest, and the farthest of any
// other message.
class Reach {
 public:
  void add(const ByteRange& range) {
    if (range.message == message_) {
      last_ = std::max(last_, range.last);
    } else if (range.last > last_) {
      others_last_ = last_;
      last_ = range.last;
      message_ = range.message;
    } else {
      others_last_ = std::max(others_last_, range.last);
    }
  }
  // Whether one of another message than |range|'s reaches it.
  bool meets(const ByteRange& range) const {
    return (range.message == message_ ? others_last_ : last_) >= range.first;
  }

 private:
  uintptr_t last_ = 0, others_last_ = 0;
  size_t message_ = SIZE_MAX;
};

inline constexpr size_t kWindow = 1024;

// True if two ranges of different messages share a byte, and at least one of the two is written.
// |range_at|(i, &range) gives range i of |num_ranges|, or returns false if that is empty; no range
// begins at address 0.
template <class RangeAt>
bool any_overlap(size_t num_ranges, RangeAt range_at) {
  struct Place {
    uintptr_t first;
    size_t index;
    bool operator<(const Place& other) const {
      return first != other.first ? first < other.first : index < other.index;
    }
  };
  Place window[2 * kWindow];
  Reach all, written;
  for (Place done = {0, 0};;) {
    // The places behind |done| and before |end|: all of them.
    Place end = {UINTPTR_MAX, SIZE_MAX};
    size_t num = 0;
    ByteRange range;
    for (size_t i = 0; i < num_ranges; ++i) {
      if (!range_at(i, &range)) continue;
      const Place place = {range.first, i};
      if (!(done < place) || !(place < end)) continue;
      window[num++] = place;
      if (num != 2 * kWindow) continue;
      num = kWindow;
      std::nth_element(window, window + num, window + 2 * kWindow);
      end = window[num];
    }
    if (num == 0) return false;
    std::sort(window, window + num);
    for (size_t i = 0; i < num; ++i) {
      range_at(window[i].index, &range);
      if ((range.written ? all : written).meets(range)) return true;
      all.add(range);
      if (range.written) written.add(range);
    }
    done = window[num - 1];
  }
}

}  // namespace incore
