#include "assess/stream/word_rules.h"

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

// Steps of bytes and of 16-bit words are equal, those of longer ones a geometric progression.
template <class Word>
constexpr size_t kWordsBefore = sizeof(Word) <= 2 ? 2 : 3;

// From the word before to |word|.
template <class Word, bool kSwap>
[[gnu::always_inline]] inline Word step_to(const uint8_t* word) {
  return static_cast<Word>(load<Word, kSwap>(word) - load<Word, kSwap>(word - sizeof(Word)));
}

template <class Word, bool kSwap>
[[gnu::always_inline]] inline bool follows(const uint8_t* word) {
  constexpr size_t kLen = sizeof(Word);
  const Word step = step_to<Word, kSwap>(word), before = step_to<Word, kSwap>(word - kLen);
  if constexpr (kWordsBefore<Word> == 2)
    return step == before;
  else
    return step * step_to<Word, kSwap>(word - 2 * kLen) == before * before;
}

template <class Word, bool kSwap>
[[gnu::always_inline]] inline void add(size_t kind, WordRules& rules, const uint8_t* data,
                                       size_t len, uint64_t position) {
  constexpr size_t kLen = sizeof(Word);
  const size_t num_words = len / kLen;
  // Stretches so short that a count fits in a word of this width: the loop stays a vector's.
  constexpr size_t kStretch = 128;
  for (size_t first = position == 0 ? kWordsBefore<Word> : 0; first < num_words;
       first += kStretch) {
    const size_t last = num_words - first < kStretch ? num_words : first + kStretch;
    Word count = 0;
    for (size_t i = first; i < last; ++i)
      count = static_cast<Word>(count + follows<Word, kSwap>(data + i * kLen));
    rules.ruled[kind] += count;
    rules.words[kind] += last - first;
  }
}

// Whether the low byte comes first in this machine's words.
constexpr bool kLowFirst = !kBigEndianHost;

}  // namespace

INCORE_ALSO_AVX2 void add_word_rules(WordRules& rules, const uint8_t* data, size_t len,
                                     uint64_t position) {
  add<uint8_t, false>(0, rules, data, len, position);
  add<uint16_t, !kLowFirst>(1, rules, data, len, position);
  add<uint16_t, kLowFirst>(2, rules, data, len, position);
  add<uint32_t, !kLowFirst>(3, rules, data, len, position);
  add<uint32_t, kLowFirst>(4, rules, data, len, position);
  add<uint64_t, !kLowFirst>(5, rules, data, len, position);
  add<uint64_t, kLowFirst>(6, rules, data, len, position);
}

}  // namespace incore::assess
