// Words that follow a rule that random words follow only by chance: counters, whose steps are
// equal, and linear congruential generators (word = a * last + c modulo 2^32 or 2^64), whose steps
// are a geometric progression, whatever a and c are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::assess {

struct WordKind {
  const char* name;
  double chance;  // that a random word follows the rule
};
// Two random steps are equal with probability 2^-bits. For three it is 1.5 * 2^-bits that the
// square of the middle one is the product of the others: if that square is divisible by 2^v and no
// more, which for even v has probability 2^(-v/2 - 1), (v + 1) * 2^(bits - 1) pairs of steps have
// it as their product.
inline constexpr WordKind kWordKinds[] = {
    {"bytes", 0x1p-8},
    {"16-bit words, low byte first", 0x1p-16},
    {"16-bit words, high byte first", 0x1p-16},
    {"32-bit words, low byte first", 0x1.8p-32},
    {"32-bit words, high byte first", 0x1.8p-32},
    {"64-bit words, low byte first", 0x1.8p-64},
    {"64-bit words, high byte first", 0x1.8p-64},
};
inline constexpr size_t kNumWordKinds = sizeof kWordKinds / sizeof *kWordKinds;

struct WordRules {
  uint64_t words[kNumWordKinds] = {};  // that have enough words before them
  uint64_t ruled[kNumWordKinds] = {};  // that follow the rule
};

// Adds the words of |data|, |len| bytes that begin at byte |position| of the stream, a multiple of
// 8. kWordsHistory bytes before |data| can be read, and are the stream's but at its start.
inline constexpr size_t kWordsHistory = 24;
void add_word_rules(WordRules& rules, const uint8_t* data, size_t len, uint64_t position);

}  // namespace incore::assess
