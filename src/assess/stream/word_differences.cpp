#include "assess/stream/word_differences.h"

#include <cstring>

#include "assess/stream/bits.h"

namespace incore::assess {
namespace {

template <class Word, bool kSwap>
[[gnu::always_inline]] inline Word load(const uint8_t* data) {
  Word word;
  std::memcpy(&word, data, sizeof word);
  if constexpr (!kSwap) return word;
  if constexpr (sizeof word == 2) return __builtin_bswap16(word);
  if constexpr (sizeof word == 4) return __builtin_bswap32(word);
  if constexpr (sizeof word == 8) return __builtin_bswap64(word);
}

template <class Word, bool kSwap>
[[gnu::always_inline]] inline void add(size_t kind, EqualSteps& steps, const uint8_t* data,
                                       size_t len, uint64_t position) {
  constexpr size_t kLen = sizeof(Word);
  const size_t num_words = len / kLen;
  uint64_t equal = 0, words = 0;
  // Stretches so short that a count fits in a word of this width: the loop stays a vector's.
  constexpr size_t kStretch = 128;
  for (size_t first = position == 0 ? 2 : 0; first < num_words; first += kStretch) {
    const size_t last = num_words - first < kStretch ? num_words : first + kStretch;
    Word count = 0;
    for (size_t i = first; i < last; ++i) {
      const uint8_t* const at = data + i * kLen;
      const Word step = static_cast<Word>(load<Word, kSwap>(at) - load<Word, kSwap>(at - kLen));
      const Word before =
          static_cast<Word>(load<Word, kSwap>(at - kLen) - load<Word, kSwap>(at - 2 * kLen));
      count = static_cast<Word>(count + (step == before));
    }
    equal += count;
    words += last - first;
  }
  steps.equal[kind] += equal;
  steps.words[kind] += words;
}

// Whether the low byte comes first in this machine's words.
constexpr bool kLowFirst = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

}  // namespace

INCORE_ALSO_AVX2 void add_equal_steps(EqualSteps& steps, const uint8_t* data, size_t len,
                                      uint64_t position) {
  add<uint8_t, false>(0, steps, data, len, position);
  add<uint16_t, !kLowFirst>(1, steps, data, len, position);
  add<uint16_t, kLowFirst>(2, steps, data, len, position);
  add<uint32_t, !kLowFirst>(3, steps, data, len, position);
  add<uint32_t, kLowFirst>(4, steps, data, len, position);
  add<uint64_t, !kLowFirst>(5, steps, data, len, position);
  add<uint64_t, kLowFirst>(6, steps, data, len, position);
}

}  // namespace incore::assess
