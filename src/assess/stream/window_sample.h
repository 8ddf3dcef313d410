// Finds windows of 16 bytes that occur twice in a stream of any length, in constant memory. Which
// windows are remembered depends on their content alone: those whose hash is below a limit, which
// halves whenever the table is full. So both occurrences of a window are remembered, or neither.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace incore::assess {

class WindowSample {
 public:
  static constexpr size_t kWindowLen = 16;

  WindowSample();

  // Looks at the windows that begin at |data|[0] to |data|[count - 1], the first at byte |position|
  // of the stream. kWindowLen - 1 bytes more can be read.
  void look(const uint8_t* data, size_t count, uint64_t position);

  uint64_t windows() const { return windows_; }  // looked at and remembered or found
  uint64_t repeats() const { return repeats_; }  // of those, seen before
  // Where the first repeat was found, and how far before it the window was seen last.
  uint64_t first_repeat() const { return first_repeat_; }
  uint64_t first_distance() const { return first_distance_; }
  // The distance of most repeats, if there is one.
  uint64_t usual_distance() const { return usual_distance_; }
  // One window in so many is remembered by now.
  double one_in() const;

 private:
  struct Entry {
    uint64_t low = 0, high = 0;
    uint64_t end = 0;  // position + 1; 0: free
  };

  void remember(uint64_t low, uint64_t high, uint64_t position);
  void repeat(uint64_t distance, uint64_t position);
  Entry& find(uint64_t low, uint64_t high);
  void forget_half();

  std::vector<Entry> table_;
  size_t num_entries_ = 0;
  unsigned halvings_ = 0;
  uint64_t windows_ = 0, repeats_ = 0, first_repeat_ = 0, first_distance_ = 0;
  uint64_t usual_distance_ = 0, votes_ = 0;
};

}  // namespace incore::assess
