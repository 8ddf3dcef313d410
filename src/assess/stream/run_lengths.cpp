#include "assess/stream/run_lengths.h"

#include <algorithm>

#include "assess/stream/bits.h"

namespace incore::assess {
namespace {

// Runs of up to this length are counted by a fixed loop; one word in eight has longer ones.
constexpr unsigned kUsual = 8;

unsigned leading_zeros(uint64_t word) {
  return static_cast<unsigned>(__builtin_clzll(word));
}
unsigned trailing_zeros(uint64_t word) {
  return static_cast<unsigned>(__builtin_ctzll(word));
}
uint64_t ones(uint64_t word) {
  return static_cast<uint64_t>(__builtin_popcountll(word));
}

// Whole words of bits. |starts| has the first bit of each run that lies inside the word, with its
// end; a bit stays in it as long as its run goes on.
INCORE_ALSO_AVX2 void add_words(RunLengths& runs, const uint8_t* data, size_t num_words) {
  // Runs of this length or more that lie inside a word: all, and those of ones.
  uint64_t at_least[kUsual + 2] = {}, of_ones[kUsual + 2] = {};
  for (size_t i = 0; i < num_words; ++i) {
    const uint64_t word = load_be64(data + 8 * i);
    const uint64_t changes = word ^ (word >> 1 | runs.bit << 63);
    if (changes == 0) {
      runs.length += 64;
      continue;
    }
    runs.add(runs.bit, runs.length + leading_zeros(changes), 1);
    runs.length = trailing_zeros(changes) + 1;
    runs.bit = word & 1;

    uint64_t starts = changes & (changes - 1);
    for (unsigned length = 1; length <= kUsual + 1; ++length) {
      at_least[length] += ones(starts);
      of_ones[length] += ones(starts & word);
      if (length <= kUsual) starts &= ~(changes << length);
    }
    for (unsigned length = kUsual + 1; starts != 0; ++length) {
      for (uint64_t ending = starts & changes << length; ending != 0; ending &= ending - 1) {
        const uint64_t start = ending & -ending;
        runs.add((word & start) != 0, length, 1);
      }
      starts &= ~(changes << length);
    }
  }
  for (unsigned length = 1; length <= kUsual; ++length) {
    const uint64_t all = at_least[length] - at_least[length + 1];
    const uint64_t on = of_ones[length] - of_ones[length + 1];
    runs.add(1, length, on);
    runs.add(0, length, all - on);
  }
}

void add_bits(RunLengths& runs, uint8_t byte) {
  for (unsigned k = 8; k-- > 0;) {
    const uint64_t bit = byte >> k & 1u;
    if (bit != runs.bit) {
      runs.add(runs.bit, runs.length, 1);
      runs.bit = bit;
      runs.length = 0;
    }
    ++runs.length;
  }
}

}  // namespace

void RunLengths::update(const uint8_t* data, size_t len) {
  // A word needs a run before it that is not empty.
  if (len != 0 && length == 0) add_bits(*this, *data), ++data, --len;
  add_words(*this, data, len / 8);
  for (size_t i = len / 8 * 8; i < len; ++i) add_bits(*this, data[i]);
}

}  // namespace incore::assess
