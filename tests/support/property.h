// Properties of random cases: each case has a seed of its own, which a failure prints.
//
//   INCORE_PROPERTY_COUNT=100000   so many cases instead of the default
//   INCORE_PROPERTY_SEED=17        begin with this seed; with a count of 1, that case alone
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace incore::test {

inline uint64_t number_from_environment(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

// Calls |check|(seed) for one seed after the other, until one fails.
template <class Check>
void for_each_seed(uint64_t default_count, Check check) {
  const uint64_t count = number_from_environment("INCORE_PROPERTY_COUNT", default_count);
  const uint64_t first = number_from_environment("INCORE_PROPERTY_SEED", 1);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("INCORE_PROPERTY_COUNT=1 INCORE_PROPERTY_SEED=" + std::to_string(seed));
    check(seed);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace incore::test
