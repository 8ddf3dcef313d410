// Runs: stretches of equal bits, counted by their length, a word of the stream at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::assess {

struct RunLengths {
  static constexpr unsigned kMost = 64;
  // counts[bit][length]; index kMost has all longer ones too. The last run of the stream is there
  // only after finish.
  uint64_t counts[2][kMost + 1] = {};
  uint64_t longest = 0, longest_bit = 0;
  // The run that the bits so far end with.
  uint64_t bit = 0, length = 0;

  void update(const uint8_t* data, size_t len);
  // Counts the run that the stream ends with.
  void finish() { add(bit, length, 1), length = 0; }

  void add(uint64_t run_bit, uint64_t run_length, uint64_t times) {
    if (run_length == 0 || times == 0) return;
    counts[run_bit][run_length < kMost ? run_length : kMost] += times;
    if (run_length > longest) longest = run_length, longest_bit = run_bit;
  }
};

}  // namespace incore::assess
