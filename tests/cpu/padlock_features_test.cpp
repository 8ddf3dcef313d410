// What is made of the PadLock flags of CPUID: dumps of real parts, and flags that contradict.
#if defined(__x86_64__) || defined(__i386__)

#include <gtest/gtest.h>

#include "cpu/cpuid_x86.h"
#include "crypto/aes/aes_kernel.h"
#include "support/machine.h"

namespace incore {
namespace {

struct Dump {
  uint32_t leaf1_eax, flags;
  FeatureSet expected;
};

// Leaf 1 EAX and leaf 0xC0000001 EDX as real parts answer; only the flags in use here.
TEST(padlock_features, of_real_parts) {
  using enum Feature;
  const Dump dumps[] = {
      {0x693, 0x0000001D, FeatureSet(padlock_rng)},
      {0x698, 0x000000DD, FeatureSet(padlock_rng, padlock_ace)},
      {0x6A8, 0x00003FCC,
       FeatureSet(padlock_rng, padlock_ace, padlock_ace2, padlock_phe, padlock_pmm)},
      {0x6A9, 0x00003FCC,
       FeatureSet(padlock_rng, padlock_ace, padlock_ace2, padlock_ctr, padlock_phe, padlock_pmm)},
      {0x6D0, 0x0000FFCC,
       FeatureSet(padlock_rng, padlock_ace, padlock_ace2, padlock_ctr, padlock_phe, padlock_pmm)},
      {0x6F1, 0x00000DCC,
       FeatureSet(padlock_rng, padlock_ace, padlock_ace2, padlock_ctr, padlock_phe, padlock_xsha)},
      {0x307B1, 0x1EC33DFC,
       FeatureSet(padlock_rng, padlock_ace, padlock_ace2, padlock_ctr, padlock_phe, padlock_xsha,
                  padlock_phe2, padlock_pmm)},
  };
  for (const Dump& dump : dumps) {
    const FeatureSet found = padlock_features(dump.leaf1_eax, dump.flags);
    for (unsigned f = 0; f < kNumFeatures; ++f)
      EXPECT_EQ(found.has(static_cast<Feature>(f)), dump.expected.has(static_cast<Feature>(f)))
          << std::hex << dump.leaf1_eax << ' ' << feature_name(static_cast<Feature>(f));
  }
}

// clause: BG-RULE-027
TEST(padlock_features, count_a_unit_that_is_not_enabled_as_absent) {
  for (uint32_t leaf1_eax : {0x698u, 0x6A9u, 0x6F8u}) {
    const FeatureSet found = padlock_features(leaf1_eax, 0x3FCC & ~(1u << 7));
    EXPECT_FALSE(found.has(Feature::padlock_ace));
    EXPECT_FALSE(found.has(Feature::padlock_ace2));
    EXPECT_FALSE(found.has(Feature::padlock_ctr));
    EXPECT_TRUE(found.has(Feature::padlock_phe));
    EXPECT_STREQ(choose_kernel(aes_kernel_list, test::machine_with(found), nullptr).kernel->name,
                 "portable");
    const FeatureSet enabled = padlock_features(leaf1_eax, 0x3FCC);
    EXPECT_STREQ(choose_kernel(aes_kernel_list, test::machine_with(enabled), nullptr).kernel->name,
                 "padlock");
  }
}

}  // namespace
}  // namespace incore

#endif
