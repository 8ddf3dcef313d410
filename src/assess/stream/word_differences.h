// Counters: words that grow by a constant step. For each width and byte order of words, how often a
// word differs from the one before by as much as that from its own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::assess {

struct WordKind {
  const char* name;
  unsigned bits;
};
inline constexpr WordKind kWordKinds[] = {
    {"bytes", 8},
    {"16-bit words, low byte first", 16},
    {"16-bit words, high byte first", 16},
    {"32-bit words, low byte first", 32},
    {"32-bit words, high byte first", 32},
    {"64-bit words, low byte first", 64},
    {"64-bit words, high byte first", 64},
};
inline constexpr size_t kNumWordKinds = sizeof kWordKinds / sizeof *kWordKinds;

struct EqualSteps {
  uint64_t words[kNumWordKinds] = {};  // with two words before them
  uint64_t equal[kNumWordKinds] = {};
};

// Adds the words of |data|, |len| bytes that begin at byte |position| of the stream, a multiple of
// 8. The 16 bytes before |data| are the stream's too, but for the first.
void add_equal_steps(EqualSteps& steps, const uint8_t* data, size_t len, uint64_t position);

}  // namespace incore::assess
