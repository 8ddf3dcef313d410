// One loop, compiled for three kinds of CPU; compilers turn it into VPOPCNTQ where that exists.
// These are no kernels of INCORE_KERNEL: what they count is public, and libincore has no such
// algorithm.
#include "assess/stream/bits.h"

#include <algorithm>

namespace incore::assess {
namespace {

[[gnu::always_inline]] inline uint64_t differences(const uint8_t* a, const uint8_t* b, size_t len) {
  uint64_t count = 0;
  size_t i = 0;
  for (; i + 8 <= len; i += 8) {
    uint64_t left, right;
    std::memcpy(&left, a + i, 8);
    std::memcpy(&right, b + i, 8);
    count += static_cast<uint64_t>(__builtin_popcountll(left ^ right));
  }
  for (; i < len; ++i)
    count += static_cast<uint64_t>(__builtin_popcount(static_cast<unsigned>(a[i] ^ b[i])));
  return count;
}

#if defined(__x86_64__)
[[gnu::target("avx512f,avx512vl,avx512vpopcntdq")]] uint64_t differences_avx512(const uint8_t* a,
                                                                                const uint8_t* b,
                                                                                size_t len) {
  return differences(a, b, len);
}
[[gnu::target("popcnt")]] uint64_t differences_popcnt(const uint8_t* a, const uint8_t* b,
                                                      size_t len) {
  return differences(a, b, len);
}
#endif
uint64_t differences_plain(const uint8_t* a, const uint8_t* b, size_t len) {
  return differences(a, b, len);
}

}  // namespace

std::vector<CountDifferences*> usable_counts_of_differences() {
  std::vector<CountDifferences*> usable;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl"))
    usable.push_back(differences_avx512);
  if (__builtin_cpu_supports("popcnt")) usable.push_back(differences_popcnt);
#endif
  usable.push_back(differences_plain);
  return usable;
}

uint64_t count_differences(const uint8_t* a, const uint8_t* b, size_t len) {
  static CountDifferences* const chosen = usable_counts_of_differences().front();
  return chosen(a, b, len);
}

uint64_t count_ones(const uint8_t* data, size_t len) {
  static constexpr uint8_t kZeros[4096] = {};
  uint64_t count = 0;
  for (size_t i = 0; i < len; i += sizeof kZeros)
    count += count_differences(data + i, kZeros, std::min(len - i, sizeof kZeros));
  return count;
}

}  // namespace incore::assess
