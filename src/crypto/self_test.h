// Self-tests of kernels: before a kernel serves, it computes on data that are made up, through
// every width and loop that it has, and the sum of all answers is compared with the one that is
// known. So a CPU, a hypervisor or an emulator whose instructions are wrong is noticed before it
// does harm. <algorithm>_self_test.cpp says what is computed. The known sums are those that all
// kernels agree on; tests compare each kernel with the standards' examples.
#pragma once

#include "base/bytes.h"
#include "crypto/kernel_choice.h"

namespace incore {

// Steps of a sum: one to one in both arguments, so that a single wrong word always shows.
constexpr uint64_t self_test_mix(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * 0x9E3779B97F4A7C15;
  return sum ^ sum >> 32;
}

// The sum of the answers.
class SelfTestSum {
 public:
  void add(uint64_t word) { sum_ = self_test_mix(sum_, word); }
  // |len| bytes; a multiple of 8.
  void add_bytes(const uint8_t* bytes, size_t len) {
    for (size_t i = 0; i < len; i += 8) add(load_le64(bytes + i));
  }
  template <class Word, size_t kNum>
  void add_words(const Word (&words)[kNum]) {
    for (const Word word : words) add(word);
  }
  uint64_t sum() const { return sum_; }

 private:
  uint64_t sum_ = 0;
};

// The answer of |test|, which runs when test |i| of |tested| is first asked for. Nothing else
// depends on what is read here, so no order is asked for.
template <class Test>
bool tested_once(TestedKernels& tested, size_t i, Test test) {
  const uint32_t bit = uint32_t{1} << i;
  if ((tested.passed.load(std::memory_order_relaxed) & bit) != 0) return true;
  if ((tested.failed.load(std::memory_order_relaxed) & bit) != 0) return false;
  const bool passes = test();
  (passes ? tested.passed : tested.failed).fetch_or(bit, std::memory_order_relaxed);
  return passes;
}

// Sets words, or |len| bytes (a multiple of 8), to something without pattern.
template <class Word, size_t kNum>
void self_test_fill(Word (&words)[kNum], uint64_t seed) {
  for (Word& word : words) word = static_cast<Word>(seed = self_test_mix(seed, 1));
}
inline void self_test_fill(uint8_t* bytes, size_t len, uint64_t seed) {
  for (size_t i = 0; i < len; i += 8) store_le64(bytes + i, seed = self_test_mix(seed, 1));
}

}  // namespace incore
