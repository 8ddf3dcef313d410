// Arithmetic on arrays of 64-bit words, lowest first, that needs no kernel. Time and addresses
// depend on the lengths alone. Outputs may be inputs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore {

// out = a + b; returns the carry, 0 or 1.
inline uint64_t words_add(uint64_t* out, const uint64_t* a, const uint64_t* b, size_t words) {
  uint64_t carry = 0;
  for (size_t i = 0; i < words; ++i) {
    uint64_t sum;
    const bool first = __builtin_add_overflow(a[i], b[i], &sum);
    const bool second = __builtin_add_overflow(sum, carry, &out[i]);
    carry = static_cast<uint64_t>(first | second);
  }
  return carry;
}

// out = a - (b & mask); returns the borrow, 0 or 1.
inline uint64_t words_subtract(uint64_t* out, const uint64_t* a, const uint64_t* b, size_t words,
                               uint64_t mask = ~uint64_t{0}) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < words; ++i) {
    uint64_t difference;
    const bool first = __builtin_sub_overflow(a[i], b[i] & mask, &difference);
    const bool second = __builtin_sub_overflow(difference, borrow, &out[i]);
    borrow = static_cast<uint64_t>(first | second);
  }
  return borrow;
}

// 1 if a < b, else 0.
inline uint64_t words_less(const uint64_t* a, const uint64_t* b, size_t words) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < words; ++i) {
    uint64_t difference;
    const bool first = __builtin_sub_overflow(a[i], b[i], &difference);
    const bool second = __builtin_sub_overflow(difference, borrow, &difference);
    borrow = static_cast<uint64_t>(first | second);
  }
  return borrow;
}

// All ones if a and b differ, else 0.
inline uint64_t words_differ(const uint64_t* a, const uint64_t* b, size_t words) {
  uint64_t difference = 0;
  for (size_t i = 0; i < words; ++i) difference |= a[i] ^ b[i];
  return 0 - ((difference | (0 - difference)) >> 63);
}

// out = a - m for an |a| of one word more, |a_top|, if that is not negative, else a. a < 2m.
inline void words_reduce_once(uint64_t* out, const uint64_t* a, uint64_t a_top, const uint64_t* m,
                              size_t words) {
  const uint64_t below = words_less(a, m, words) & ~a_top & 1;
  words_subtract(out, a, m, words, below - 1);
}

// The low word of a * b; the high one goes to |out_high|.
inline uint64_t words_wide_product(uint64_t a, uint64_t b, uint64_t* out_high) {
#if defined(__SIZEOF_INT128__)
  __extension__ typedef unsigned __int128 uint128;
  const uint128 product = uint128{a} * b;
  *out_high = static_cast<uint64_t>(product >> 64);
  return static_cast<uint64_t>(product);
#else
  const uint64_t a0 = static_cast<uint32_t>(a), a1 = a >> 32;
  const uint64_t b0 = static_cast<uint32_t>(b), b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  const uint64_t other = a0 * b1 + static_cast<uint32_t>(middle);
  *out_high = a1 * b1 + (middle >> 32) + (other >> 32);
  return a * b;
#endif
}

// out = a * b, of a_words + b_words words; may not overlap them.
inline void words_multiply(uint64_t* out, const uint64_t* a, size_t a_words, const uint64_t* b,
                           size_t b_words) {
  for (size_t i = 0; i < a_words + b_words; ++i) out[i] = 0;
  for (size_t i = 0; i < b_words; ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < a_words; ++j) {
      uint64_t high, low = words_wide_product(a[j], b[i], &high);
      high += static_cast<uint64_t>(__builtin_add_overflow(low, carry, &low));
      high += static_cast<uint64_t>(__builtin_add_overflow(low, out[i + j], &out[i + j]));
      carry = high;
    }
    out[i + a_words] = carry;
  }
}

inline void words_copy(uint64_t* out, const uint64_t* a, size_t words) {
  for (size_t i = 0; i < words; ++i) out[i] = a[i];
}

inline void words_set(uint64_t* out, uint64_t value, size_t words) {
  for (size_t i = 0; i < words; ++i) out[i] = 0;
  out[0] = value;
}

// The number in |len| bytes, highest first; len <= 8 * words.
inline void words_from_bytes(uint64_t* out, size_t words, const uint8_t* bytes, size_t len) {
  for (size_t i = 0; i < words; ++i) out[i] = 0;
  for (size_t i = 0; i < len; ++i) out[i / 8] |= uint64_t{bytes[len - 1 - i]} << (i % 8 * 8);
}

// The low |len| bytes of a number, highest first; len <= 8 * its words.
inline void words_to_bytes(uint8_t* out, size_t len, const uint64_t* a) {
  for (size_t i = 0; i < len; ++i) out[len - 1 - i] = static_cast<uint8_t>(a[i / 8] >> i % 8 * 8);
}

}  // namespace incore
