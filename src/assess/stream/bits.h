// Counting bits, as fast as this CPU can. The first bit of the stream is the highest of its byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/bytes.h"

// Marks a function with loops: the compiler makes two of it, and the one for AVX2 runs where there
// is AVX2.
#if defined(__x86_64__)
#define INCORE_ALSO_AVX2 __attribute__((target_clones("avx2", "default")))
#else
#define INCORE_ALSO_AVX2
#endif

namespace incore::assess {

// How many of the bits of |a| and |b|, |len| bytes each, differ.
uint64_t count_differences(const uint8_t* a, const uint8_t* b, size_t len);

// The forms of it that this CPU runs, best first: the first one serves. The last runs anywhere.
using CountDifferences = uint64_t(const uint8_t* a, const uint8_t* b, size_t len);
std::vector<CountDifferences*> usable_counts_of_differences();

uint64_t count_ones(const uint8_t* data, size_t len);

// How often each byte value occurs, added to four tables, which keep successive bytes apart: so
// equal ones do not wait for each other.
template <class Count>
void count_bytes(const uint8_t* data, size_t len, Count (&tables)[4][256]) {
  size_t i = 0;
  for (; i + 8 <= len; i += 8) {
    uint64_t word;
    std::memcpy(&word, data + i, sizeof word);
    for (unsigned k = 0; k < 8; ++k) ++tables[k % 4][word >> 8 * k & 255];
  }
  for (; i < len; ++i) ++tables[0][data[i]];
}

}  // namespace incore::assess
