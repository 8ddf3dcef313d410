// CPUID of the PadLock processor, and what its flags promise: PadLock guide 1.66, chapter 1.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "padlock/machine_units.h"

namespace incore::padlock::test {
namespace {

// The names that users write, and the guide's: C5XL, C5P, C5J.
const char kC5xl[] = "c5xl";
const char kC5p[] = "nehemiah";
const char kC5j[] = "esther";
const std::vector<const char*> kAllModels = {"c5xl", "nehemiah", "esther", "esther9",
                                             "nano", "zhaoxin",  "host"};

constexpr uint32_t kGuideFlags = 0x3FCC;  // the bits that the guide defines

TEST(padlock_cpuid, every_model_has_the_centaur_leaf) {
  for (const char* model : kAllModels) {
    Machine m(model);
    // clause: PLK-CPUID-001
    EXPECT_GE(m.processor.cpuid(0xC0000000, 0).eax, 0xC0000001u) << model;
    EXPECT_LT(m.processor.cpuid(0xC0000000, 0).eax, 0xC0000100u) << model;
    // clause: PLK-CPUID-002
    EXPECT_EQ(flag(m, 2), m.processor.model().rng) << model;
    EXPECT_EQ(flag(m, 6), m.processor.model().ace) << model;
    EXPECT_EQ(flag(m, 8), m.processor.model().ace2) << model;
    EXPECT_EQ(flag(m, 10), m.processor.model().phe) << model;
    EXPECT_EQ(flag(m, 12), m.processor.model().pmm) << model;
  }
}

TEST(padlock_cpuid, flags_of_the_three_parts_after_reset) {
  Machine c5xl(kC5xl), c5p(kC5p), c5j(kC5j);
  // clause: PLK-CPUID-024
  EXPECT_EQ(padlock_flags(c5xl) & kGuideFlags, 0x000Cu);
  // clause: PLK-CPUID-025
  EXPECT_EQ(padlock_flags(c5p) & kGuideFlags, 0x00CCu);
  // clause: PLK-CPUID-026
  EXPECT_EQ(padlock_flags(c5j) & kGuideFlags, 0x3FCCu);
  Machine esther9("esther9");
  EXPECT_EQ(padlock_flags(esther9) & kGuideFlags, 0x3FCCu);
}

// What a CPUID dump of the part shows (InstLatx64's collection).
TEST(padlock_cpuid, whole_leaves_agree_with_dumps) {
  struct {
    const char* model;
    uint32_t signature, max_basic, max_centaur, flags;
  } const dumps[] = {
      {"c5xl", 0x693, 1, 0xC0000001, 0x0000001D},
      {"nehemiah", 0x698, 1, 0xC0000001, 0x000000DD},
      {"esther9", 0x6A9, 1, 0xC0000002, 0x00003FCC},
  };
  for (const auto& dump : dumps) {
    Machine m(dump.model);
    EXPECT_EQ(m.processor.cpuid(0, 0).eax, dump.max_basic) << dump.model;
    EXPECT_EQ(m.processor.cpuid(1, 0).eax, dump.signature) << dump.model;
    EXPECT_EQ(m.processor.cpuid(0xC0000000, 0).eax, dump.max_centaur) << dump.model;
    // clause: PLK-CPUID-002
    EXPECT_EQ(padlock_flags(m), dump.flags) << dump.model;
  }
  Machine nano("nano");
  EXPECT_EQ(nano.processor.cpuid(1, 0).eax >> 4 & 0xF, 0xFu);
  EXPECT_EQ(padlock_flags(nano) & 0x3C00u, 0x3C00u);
  EXPECT_FALSE(flag(nano, 9));  // no dump of a Nano has ACE2 enabled
  EXPECT_TRUE(flag(nano, 8));
}

// ---- RNG ----

TEST(padlock_cpuid, without_rng_nothing_of_it_exists) {
  SpecifiedMachine m("esther9,rng=off");
  // clause: PLK-CPUID-003
  EXPECT_FALSE(flag(*m, 2));
  EXPECT_FALSE(flag(*m, 3));
  EXPECT_TRUE(is_trap(try_xstore(*m), Vector::invalid_opcode));
  EXPECT_TRUE(is_trap(try_xstore(*m, kRepXstore), Vector::invalid_opcode));
  // clause: PLK-CPUID-004
  uint64_t value;
  EXPECT_EQ(try_rdmsr(*m, kMsrRng, &value).vector, Vector::general_protection);
  EXPECT_EQ(try_wrmsr(*m, kMsrRng, kRngEnable).vector, Vector::general_protection);
  // The other units are not touched by that.
  EXPECT_TRUE(ace_works(*m, true) && phe_works(*m) && pmm_works(*m));
}

TEST(padlock_cpuid, rng_enable_follows_the_msr) {
  for (const char* model : {kC5xl, kC5p, kC5j}) {
    Machine m(model);
    EXPECT_TRUE(rng_works(m));
    set_msr(m, kMsrRng, 0);
    // clause: PLK-CPUID-006
    EXPECT_FALSE(flag(m, 3));
    EXPECT_TRUE(flag(m, 2));
    // clause: PLK-CPUID-007
    EXPECT_TRUE(is_trap(try_xstore(m), Vector::invalid_opcode));
    EXPECT_TRUE(is_trap(try_xstore(m, kRepXstore), Vector::invalid_opcode));
    // clause: PLK-CPUID-005
    uint64_t value;
    EXPECT_FALSE(try_rdmsr(m, kMsrRng, &value));
    EXPECT_FALSE(try_wrmsr(m, kMsrRng, kRngEnable));
    // clause: PLK-CPUID-006
    EXPECT_TRUE(flag(m, 3));
    EXPECT_TRUE(rng_works(m));
  }
}

// ---- ACE, ACE2, PHE, PMM ----

TEST(padlock_cpuid, units_that_are_missing_raise_ud) {
  Machine c5xl(kC5xl), c5p(kC5p), c5j(kC5j);
  // clause: PLK-CPUID-008
  EXPECT_FALSE(flag(c5xl, 6));
  EXPECT_TRUE(flag(c5p, 6));
  EXPECT_TRUE(flag(c5j, 6));
  for (const Bytes& code : kXcrypts)
    EXPECT_TRUE(is_trap(try_xcrypt(c5xl, code), Vector::invalid_opcode)) << to_hex(code);
  EXPECT_TRUE(ace_works(c5p));
  EXPECT_TRUE(ace_works(c5j, true));
  // clause: PLK-CPUID-012
  EXPECT_FALSE(flag(c5xl, 8));
  EXPECT_FALSE(flag(c5p, 8));
  EXPECT_TRUE(flag(c5j, 8));
  for (Machine* m : {&c5xl, &c5p}) {
    // clause: PLK-CPUID-016
    EXPECT_FALSE(flag(*m, 10));
    for (const Bytes& code : kXshas)
      EXPECT_TRUE(is_trap(try_xsha(*m, code), Vector::invalid_opcode));
    // clause: PLK-CPUID-019
    EXPECT_FALSE(flag(*m, 12));
    EXPECT_TRUE(is_trap(try_montmul(*m), Vector::invalid_opcode));
  }
  // clause: PLK-CPUID-016
  EXPECT_TRUE(flag(c5j, 10) && phe_works(c5j));
  // clause: PLK-CPUID-019
  EXPECT_TRUE(flag(c5j, 12) && pmm_works(c5j));
}

TEST(padlock_cpuid, the_fcr_exists_where_ace_does) {
  uint64_t value;
  Machine c5xl(kC5xl);
  // clause: PLK-CPUID-009
  EXPECT_EQ(try_rdmsr(c5xl, kMsrFcr, &value).vector, Vector::general_protection);
  EXPECT_EQ(try_wrmsr(c5xl, kMsrFcr, kFcrPadlock).vector, Vector::general_protection);
  for (const char* model : {kC5p, kC5j}) {
    Machine m(model);
    EXPECT_FALSE(try_rdmsr(m, kMsrFcr, &value));
    EXPECT_FALSE(try_wrmsr(m, kMsrFcr, value));
  }
}

TEST(padlock_cpuid, enabled_flags_follow_the_fcr) {
  for (const char* model : {kC5p, kC5j, "esther9"}) {
    Machine m(model);
    const bool esther = m.processor.model().ace2;
    for (bool enabled : {false, true, false, true}) {
      set_msr(m, kMsrFcr, enabled ? kFcrPadlock : 0);
      // clause: PLK-CPUID-010
      EXPECT_EQ(flag(m, 7), enabled) << model;
      // clause: PLK-CPUID-013
      EXPECT_EQ(flag(m, 9), enabled && esther) << model;
      // clause: PLK-CPUID-017
      EXPECT_EQ(flag(m, 11), enabled && esther) << model;
      // clause: PLK-CPUID-020
      EXPECT_EQ(flag(m, 13), enabled && esther) << model;
      if (esther) {
        // clause: PLK-CPUID-014
        EXPECT_EQ(flag(m, 8), flag(m, 6));
        // clause: PLK-CPUID-015
        EXPECT_EQ(flag(m, 9), flag(m, 7));
      }
      // The flags of existence and of the RNG stay.
      EXPECT_EQ(padlock_flags(m) & 0x154C, esther ? 0x154Cu : 0x4Cu);
    }
  }
}

TEST(padlock_cpuid, units_that_are_disabled_raise_ud) {
  Machine m(kC5j);
  set_msr(m, kMsrFcr, 0);
  // clause: PLK-CPUID-011
  for (const Bytes& code : kXcrypts)
    EXPECT_TRUE(is_trap(try_xcrypt(m, code), Vector::invalid_opcode)) << to_hex(code);
  // clause: PLK-CPUID-018
  for (const Bytes& code : kXshas) EXPECT_TRUE(is_trap(try_xsha(m, code), Vector::invalid_opcode));
  // clause: PLK-CPUID-021
  EXPECT_TRUE(is_trap(try_montmul(m), Vector::invalid_opcode));
}

TEST(padlock_cpuid, enabled_units_work_at_every_privilege_level) {
  Machine m(kC5j);
  for (unsigned cpl = 0; cpl <= 3; ++cpl) {
    m.state().cpl = cpl;
    // clause: PLK-CPUID-022
    EXPECT_TRUE(rng_works(m)) << cpl;
    EXPECT_TRUE(ace_works(m, true)) << cpl;
    EXPECT_TRUE(phe_works(m)) << cpl;
    EXPECT_TRUE(pmm_works(m)) << cpl;
  }
}

TEST(padlock_cpuid, units_are_enabled_after_reset) {
  for (const char* model : kAllModels) {
    Machine m(model);
    // clause: PLK-CPUID-023
    EXPECT_EQ(flag(m, 3), flag(m, 2)) << model;
    EXPECT_EQ(flag(m, 7), flag(m, 6)) << model;
    if (m.processor.model().ace2_enabled_flag) {
      EXPECT_EQ(flag(m, 9), flag(m, 8)) << model;
    }
    EXPECT_EQ(flag(m, 11), flag(m, 10)) << model;
    EXPECT_EQ(flag(m, 13), flag(m, 12)) << model;
  }
}

TEST(padlock_cpuid, flags_do_not_depend_on_cr4) {
  Machine m(kC5j);
  const uint32_t flags = padlock_flags(m);
  m.state().cr4 = 0;
  // clause: PLK-CPUID-035
  EXPECT_EQ(padlock_flags(m), flags);
  EXPECT_FALSE(rng_works(m));
  EXPECT_FALSE(ace_works(m, true));
  EXPECT_FALSE(phe_works(m));
  EXPECT_FALSE(pmm_works(m));
}

// ---- Identity ----

TEST(padlock_cpuid, vendor_is_centaur) {
  for (const char* model : {"c5xl", "nehemiah", "esther", "esther9", "nano", "zhaoxin"}) {
    Machine m(model);
    const CpuidAnswer leaf0 = m.processor.cpuid(0, 0);
    // clause: PLK-CPUID-028
    EXPECT_EQ(leaf0.ebx, 0x746E6543u) << model;
    EXPECT_EQ(leaf0.edx, 0x48727561u) << model;
    EXPECT_EQ(leaf0.ecx, 0x736C7561u) << model;
  }
}

struct Signature {
  uint32_t type, family, model, stepping;
};
Signature signature(Machine& m) {
  const uint32_t eax = m.processor.cpuid(1, 0).eax;
  return {eax >> 12 & 3, eax >> 8 & 0xF, eax >> 4 & 0xF, eax & 0xF};
}

TEST(padlock_cpuid, signatures_of_the_three_parts) {
  Machine c5xl(kC5xl), c5p(kC5p), c5j(kC5j);
  for (Machine* m : {&c5xl, &c5p, &c5j}) {
    // clause: PLK-CPUID-029
    EXPECT_EQ(signature(*m).type, 0u);
    EXPECT_EQ(signature(*m).family, 6u);
  }
  // clause: PLK-CPUID-030
  EXPECT_EQ(signature(c5xl).model, 9u);
  EXPECT_EQ(signature(c5p).model, 9u);
  EXPECT_EQ(signature(c5j).model, 10u);
  // clause: PLK-CPUID-031
  EXPECT_EQ(signature(c5xl).stepping, 3u);
  // clause: PLK-CPUID-032
  EXPECT_EQ(signature(c5p).stepping, 8u);
  // clause: PLK-CPUID-033
  EXPECT_EQ(signature(c5j).stepping, 8u);
}

bool accepted(const char* spec) {
  ModelSpec out;
  char message[256];
  return parse_model_spec(spec, &out, message, sizeof message) == nullptr;
}

TEST(padlock_cpuid, steppings_that_belong_to_another_part_are_refused) {
  // clause: PLK-CPUID-032
  for (int stepping = 8; stepping <= 15; ++stepping)
    EXPECT_TRUE(accepted(("nehemiah,stepping=" + std::to_string(stepping)).c_str())) << stepping;
  EXPECT_FALSE(accepted("nehemiah,stepping=7"));
  // clause: PLK-CPUID-034
  for (int stepping = 4; stepping <= 7; ++stepping) {
    SpecifiedMachine m(("c5xl,stepping=" + std::to_string(stepping)).c_str());
    EXPECT_EQ(signature(*m).stepping, static_cast<uint32_t>(stepping));
    EXPECT_EQ(padlock_flags(*m) & kGuideFlags, 0x000Cu);
    EXPECT_EQ(m->processor.model().rng_num_sources, 1u);
  }
}

// The host keeps its own identity; only the PadLock leaves are added.
TEST(padlock_cpuid, host_keeps_this_cpu_and_adds_padlock) {
#if defined(__x86_64__) || defined(__i386__)
  Machine m("host");
  uint32_t eax, ebx, ecx, edx;
  __asm__ volatile("cpuid" : "=a"(eax), "=b"(ebx), "=c"(ecx), "=d"(edx) : "0"(0), "2"(0));
  const CpuidAnswer leaf0 = m.processor.cpuid(0, 0);
  EXPECT_EQ(leaf0.eax, eax);
  EXPECT_EQ(leaf0.ebx, ebx);
  EXPECT_EQ(leaf0.ecx, ecx);
  EXPECT_EQ(leaf0.edx, edx);
  EXPECT_EQ(padlock_flags(m) & 0x3CCC, 0x3CCCu);
  EXPECT_TRUE(rng_works(m) && ace_works(m, true) && phe_works(m) && pmm_works(m));
#else
  GTEST_SKIP() << "the host is not an x86";
#endif
}

}  // namespace
}  // namespace incore::padlock::test
