// What is made of the words by which Linux and AIX describe a POWER processor (POWER8 guide,
// chapter 3), and what this process finds.
#include <elf.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>

#include <string>
#include <vector>

#include "cpu/power.h"
#include "cpu/probe_power.h"
#include "crypto/aes/aes_kernel.h"
#include "support/machine.h"

namespace incore {
namespace {

constexpr uint32_t kHwcap = 0xDC0065C2;  // of a POWER8, with vector unit and VSX

void expect_features(FeatureSet found, FeatureSet expected) {
  for (unsigned f = 0; f < kNumFeatures; ++f)
    EXPECT_EQ(found.has(static_cast<Feature>(f)), expected.has(static_cast<Feature>(f)))
        << feature_name(static_cast<Feature>(f));
}

TEST(power8_features, follow_from_the_bits_that_linux_defines) {
  using enum Feature;
  // clause: P8-DET-002
  EXPECT_EQ(kFeature2VecCrypto, 0x02000000u);
  expect_features(power_features(kHwcap, 0x8E000000), FeatureSet(altivec, vsx, arch_2_07, vcrypto));
  expect_features(power_features(kHwcap, 0x8C000000), FeatureSet(altivec, vsx, arch_2_07));
  // clause: P8-DET-003
  EXPECT_EQ(kFeature2Arch207, 0x80000000u);
  // clause: P8-DET-006
  expect_features(power_features(kHwcap, 0x80000000), FeatureSet(altivec, vsx, arch_2_07));
  expect_features(power_features(kHwcap, 0x08000000), FeatureSet(altivec, vsx));  // POWER7
  expect_features(power_features(kHwcap, 0x8EE00000),
                  FeatureSet(altivec, vsx, arch_2_07, vcrypto, arch_3_00, darn));
  expect_features(power_features(0, 0), FeatureSet());
}

TEST(power8_features, count_crypto_only_with_its_registers_and_instruction_set) {
  EXPECT_FALSE(power_features(kHwcap, kFeature2VecCrypto).has(Feature::vcrypto));
  EXPECT_FALSE(power_features(kHwcap & ~kFeatureVsx, 0x8E000000).has(Feature::vcrypto));
  EXPECT_FALSE(power_features(kHwcap & ~kFeatureAltivec, 0x8E000000).has(Feature::vcrypto));
}

// clause: P8-DET-006
TEST(power8_features, level_2_07_alone_chooses_no_kernel_for_crypto) {
  const FeatureSet level_alone = power_features(kHwcap, 0x80000000);
  EXPECT_STREQ(
      choose_kernel(aes_kernel_list, test::machine_with(level_alone), nullptr).kernel->name,
      "portable");
}

// The guide prints the test without the inner parentheses; the compiler then compares first.
bool printed_test(unsigned long hwcap2, unsigned long bit) {
  return (hwcap2 & static_cast<unsigned long>(bit != 0)) != 0;
}

// clause: P8-DET-007
// clause: P8-DET-008
TEST(power8_features, are_not_tested_as_printed) {
  for (uint32_t hwcap2 : {0x8E000000u, 0x8EE00000u, 0x8EE60000u}) {
    EXPECT_TRUE(power_features(kHwcap, hwcap2).has(Feature::vcrypto));
    EXPECT_TRUE(power_features(kHwcap, hwcap2).has(Feature::arch_2_07));
    EXPECT_FALSE(printed_test(hwcap2, kFeature2VecCrypto));
    EXPECT_FALSE(printed_test(hwcap2, kFeature2Arch207));
  }
}

std::string flags(uint64_t word, const char* const* names) {
  std::string text;
  for (unsigned bit = 0; bit < 32; ++bit)
    if ((word >> bit & 1) != 0) text += std::string(" ") + (names[bit] ? names[bit] : "?");
  return text;
}

TEST(power8_words, decode_to_what_the_loader_prints) {
  // clause: P8-DET-013
  EXPECT_EQ(flags(0xDC0065C3 & ~0x200u, kHwcapNames),
            " ppcle true_le archpmu vsx arch_2_06 dfp ic_snoop smt mmu fpu altivec ppc64 ppc32");
  // clause: P8-DET-012
  EXPECT_EQ(flags(0xFE000000, kHwcap2Names), " vcrypto tar isel ebb dscr htm arch_2_07");
}

TEST(power8_words, are_those_of_this_process) {
  // clause: P8-DET-004
  static_assert(kAtHwcap2 == 26 && kAtHwcap2 == AT_HWCAP2);
  // clause: P8-DET-009
  const unsigned long hwcap2 = getauxval(26);
  ASSERT_EQ(num_machine_words(), 5u);
  EXPECT_STREQ(machine_word(1).name, "AT_HWCAP2");
  EXPECT_EQ(machine_word(1).value, hwcap2);
  // clause: P8-DET-014
  const char* const names[] = {"AT_DCACHEBSIZE", "AT_ICACHEBSIZE", "AT_PAGESZ"};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_STREQ(machine_word(2 + i).name, names[i]);
    EXPECT_EQ(machine_word(2 + i).bit_names, nullptr);
  }
  EXPECT_EQ(machine_word(2).value, 0x80u);
  EXPECT_EQ(machine_word(3).value, getauxval(AT_ICACHEBSIZE));
  EXPECT_EQ(machine_word(4).value, getauxval(AT_PAGESZ));
}

TEST(power8_detect, asks_the_auxiliary_vector_and_tries_nothing) {
  errno = EDOM;
  const unsigned probes_before = num_probes();
  const FeatureSet found = detect_features();
  // clause: P8-DET-031
  EXPECT_EQ(num_probes(), probes_before);
  EXPECT_EQ(errno, EDOM);
  // clause: P8-DET-001
  EXPECT_EQ(found.has(Feature::vcrypto), (getauxval(AT_HWCAP2) & 0x02000000) != 0);
  EXPECT_EQ(found.has(Feature::arch_2_07), (getauxval(AT_HWCAP2) & 0x80000000) != 0);
}

unsigned all_units() {
  return kNumPowerUnits;
}
unsigned no_crypto() {
  return 2;
}
unsigned never_called() {
  ADD_FAILURE() << "the probe must not run";
  return kNumPowerUnits;
}

TEST(power8_aix_features, need_the_class_of_power8_or_a_later_one) {
  // clause: P8-DET-019
  for (uint32_t implementation : {0x10000u, 0x20000u, 0x40000u})
    EXPECT_TRUE(aix_features({implementation, 7, true, true}, all_units).has(Feature::vcrypto));
  for (uint32_t implementation : {0u, 0x4000u, 0x8000u})
    EXPECT_TRUE(aix_features({implementation, 7, true, true}, never_called).empty());
}

TEST(power8_aix_features, of_a_32_bit_process_need_a_system_that_saves_vectors) {
  // clause: P8-DET-021
  EXPECT_TRUE(aix_features({0x10000, 5, false, true}, never_called).empty());
  EXPECT_TRUE(aix_features({0x10000, 7, false, false}, never_called).empty());
  EXPECT_TRUE(aix_features({0x10000, 6, false, true}, all_units).has(Feature::vcrypto));
  EXPECT_TRUE(aix_features({0x10000, 5, true, true}, all_units).has(Feature::vcrypto));
}

// clause: P8-DET-022
TEST(power8_aix_features, are_confirmed_by_a_probe) {
  const FeatureSet found = aix_features({0x10000, 7, true, true}, no_crypto);
  EXPECT_FALSE(found.has(Feature::vcrypto));
  EXPECT_FALSE(found.has(Feature::arch_2_07));
  EXPECT_TRUE(found.has(Feature::vsx));
}

}  // namespace
}  // namespace incore
