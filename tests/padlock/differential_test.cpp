// Random calls of the processor must give what the library gives, and GMP for MONTMUL.
// INCORE_PROPERTY_COUNT counts thousands of calls.
#include "padlock/differential.h"

#include "support/property.h"

namespace incore::padlock::test {
namespace {

TEST(padlock_differential, processor_and_library_agree) {
  constexpr int kCallsPerSeed = 1000;
  incore::test::for_each_seed(100, [](uint64_t seed) {
    incore::test::SeededChoices choices(seed);
    Differential differential;
    for (int i = 0; i < kCallsPerSeed; ++i) {
      const std::string difference = differential.call(choices);
      ASSERT_EQ(difference, "") << "call " << i;
    }
  });
}

}  // namespace
}  // namespace incore::padlock::test
