// The check of WRMSR to the MSR of the RNG.
#include <gtest/gtest.h>

#include "padlock/checks/checked.h"
#include "padlock/machine_rng.h"

namespace incore::padlock::test {
namespace {

Reports wrmsr(const char* model, uint32_t value) {
  Machine m(model);
  return Checked(m).wrmsr(kMsrRng, value);
}

TEST(padlock_checks_msr, reserved_bits) {
  for (const char* model : {"c5xl", "nehemiah", "esther"}) {
    EXPECT_EQ(wrmsr(model, kRngEnable | kRngRawBits | 7u << kRngBiasShift), Reports());
    for (unsigned bit : {5u, 7u, 22u, 25u, 31u})
      // clause: PLK-MSR-026
      // clause: PLK-MSR-028
      EXPECT_EQ(wrmsr(model, kRngEnable | 1u << bit), Reports({"rng-msr-bits PLK-MSR-026"}));
  }
  for (unsigned bit = 14; bit <= 21; ++bit)
    // clause: PLK-MSR-025
    // clause: PLK-MSR-028
    EXPECT_EQ(wrmsr("esther", kRngEnable | 1u << bit), Reports({"rng-msr-bits PLK-MSR-025"}));
  for (const uint32_t source : {1u, 2u, 3u}) {
    // clause: PLK-MSR-014
    EXPECT_EQ(wrmsr("c5xl", kRngEnable | source << kRngSourceShift),
              Reports({"rng-msr-bits PLK-MSR-014"}));
    EXPECT_EQ(wrmsr("nehemiah", kRngEnable | source << kRngSourceShift), Reports());
  }
  Machine m("nehemiah");
  EXPECT_EQ(Checked(m).wrmsr(kMsrFcr, 0xFFFFFFFF), Reports());
}

TEST(padlock_checks_msr, short_string_filter) {
  const auto filter = [](uint32_t count) {
    return wrmsr("nehemiah", kRngEnable | kRngFilter | count << kRngFilterCountShift);
  };
  for (const uint32_t count : {0u, 1u, 7u})
    // clause: PLK-MSR-024
    EXPECT_EQ(filter(count), Reports({"rng-msr-bits PLK-MSR-024"})) << count;
  for (const uint32_t count : {8u, 26u, 63u}) EXPECT_EQ(filter(count), Reports()) << count;
}

// C5XL: SRC does not exist, and writing it changes nothing.
TEST(padlock_checks_msr, source_bits_of_c5xl_change_nothing) {
  Machine m("c5xl");
  set_msr(m, kMsrRng, kRngEnable | kRngSourceMask);
  // clause: PLK-MSR-014
  EXPECT_EQ(m.processor.rng.fields(), kRngEnable);
}

}  // namespace
}  // namespace incore::padlock::test
