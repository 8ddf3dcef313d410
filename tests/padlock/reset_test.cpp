// RESET, INIT and what enables PadLock: PadLock guide 1.66, chapter 1, Enabling PadLock and
// Start-Up.
#include <gtest/gtest.h>

#include "padlock/machine_rng.h"

namespace incore::padlock::test {
namespace {

constexpr uint32_t kExistFlags = 1u << 2 | 1u << 6 | 1u << 8 | 1u << 10 | 1u << 12;
constexpr uint32_t kRaw = kRngEnable | kRngRawBits;
constexpr uint32_t kBias3 = 3u << kRngBiasShift;

void set_osfxsr(Machine& m) {
  m.state().cr4 |= kCr4Osfxsr;
}

TEST(padlock_reset, software_cannot_change_what_exists) {
  for (const char* model : {"c5xl", "nehemiah", "esther", "esther9", "nano"}) {
    Machine m(model);
    const uint32_t exist = padlock_flags(m) & kExistFlags;
    for (uint32_t msr : {kMsrRng, kMsrFcr}) {
      for (uint64_t value : {uint64_t{0}, ~uint64_t{0} >> 32, kFcrPadlock, uint64_t{kRngEnable}}) {
        try_wrmsr(m, msr, value);
        // clause: PLK-START-001
        EXPECT_EQ(padlock_flags(m) & kExistFlags, exist) << model;
      }
    }
  }
  // Enabling what is not there enables nothing.
  Machine c5p("nehemiah");
  set_msr(c5p, kMsrFcr, 0xFFFFFFFF);
  EXPECT_FALSE(phe_works(c5p));
  EXPECT_FALSE(pmm_works(c5p));
}

TEST(padlock_reset, units_are_usable_once_cr4_allows) {
  for (const char* model : {"c5xl", "nehemiah", "esther", "nano", "zhaoxin"}) {
    Machine m(model);
    m.processor.reset();
    const Model& has = m.processor.model();
    // clause: PLK-START-007
    EXPECT_EQ(m.state().cr4, 0u);
    EXPECT_FALSE(rng_works(m)) << model;
    EXPECT_FALSE(ace_works(m, has.ctr)) << model;
    EXPECT_FALSE(phe_works(m)) << model;
    EXPECT_FALSE(pmm_works(m)) << model;
    set_osfxsr(m);
    // clause: PLK-START-002
    EXPECT_EQ(rng_works(m), has.rng) << model;
    EXPECT_EQ(ace_works(m, has.ctr), has.ace) << model;
    EXPECT_EQ(phe_works(m), has.phe) << model;
    EXPECT_EQ(pmm_works(m), has.pmm) << model;
  }
}

TEST(padlock_reset, cr4_bit_9_switches_everything) {
  Machine m("esther");
  set_msr(m, kMsrFcr, kFcrPadlock);
  set_msr(m, kMsrRng, kRngEnable);
  for (bool allowed : {false, true, false, true}) {
    m.state().cr4 = allowed ? kCr4Osfxsr : ~kCr4Osfxsr & 0x7FF;
    // clause: PLK-START-003
    EXPECT_EQ(rng_works(m), allowed);
    EXPECT_EQ(ace_works(m, true), allowed);
    EXPECT_EQ(phe_works(m), allowed);
    EXPECT_EQ(pmm_works(m), allowed);
  }
}

// Before its first block an instruction may be interrupted here; RESET comes at that moment.
TEST(padlock_reset, an_instruction_in_progress_is_abandoned) {
  Machine m("esther");
  m.memory.map(0x51000, 8 * 4096);
  m.put(0x51000, from_hex("0a000000000000000000000000000000"));
  m.state().rdx = 0x51000;
  m.state().rax = 0x52000;
  m.state().rbx = 0x53000;
  m.state().rsi = 0x54000;
  m.state().rdi = 0x55000;
  m.state().rcx = 100;
  InterruptAfter after(10);
  ASSERT_TRUE(is_interrupted(m.issue(kXcryptCbc, &after)));
  m.processor.reset();
  // clause: PLK-START-004
  EXPECT_NE(m.state().rip, Machine::kCode);
  // Undefined results, says the guide; here whole blocks up to that moment.
  const Bytes dest = m.get(0x55000, 11 * 16);
  // clause: PLK-START-005
  EXPECT_NE(Bytes(dest.begin() + 9 * 16, dest.end() - 16), Bytes(16));
  EXPECT_EQ(Bytes(dest.end() - 16, dest.end()), Bytes(16));
  set_osfxsr(m);
  // The processor is free for something else, with keys of its own.
  const uint64_t loads = m.processor.num_key_loads();
  ASSERT_TRUE(is_done(try_xcrypt(m, kXcryptEcb)));
  EXPECT_EQ(m.processor.num_key_loads(), loads + 1);
  EXPECT_EQ(to_hex(m.get(0x55000, 16)),
            "66e94bd4ef8a2c3b884cfa59ca342b2e");  // AES-128 of zeros under a zero key
}

TEST(padlock_reset, fcr_returns_to_its_default) {
  for (const char* model : {"nehemiah", "esther"}) {
    Machine m(model);
    set_msr(m, kMsrFcr, 0x1234);
    EXPECT_FALSE(flag(m, 7));
    m.processor.reset();
    // clause: PLK-START-006
    EXPECT_TRUE(flag(m, 7));
    EXPECT_EQ(msr_of(m, kMsrFcr), kFcrPadlock);
  }
}

TEST(padlock_reset, clears_eflags_bit_30) {
  Machine m("esther");
  ASSERT_TRUE(is_done(try_xcrypt(m, kXcryptEcb)));
  ASSERT_TRUE(m.keys_loaded());
  m.processor.reset();
  // clause: PLK-START-008
  EXPECT_FALSE(m.keys_loaded());
}

TEST(padlock_reset, enables_the_rng) {
  for (const char* model : {"c5xl", "nehemiah", "esther"}) {
    Machine m(model);
    set_msr(m, kMsrRng, kBias3);
    m.processor.reset();
    // clause: PLK-START-009
    EXPECT_EQ(rng_fields(m), kRngEnable) << model;
    EXPECT_TRUE(flag(m, 3));
  }
}

TEST(padlock_reset, clears_the_rng_buffers_and_starts_filling_them_at_once) {
  for (const char* model : {"c5xl", "nehemiah", "esther"}) {
    RngMachine rng(model);
    rng.make(random_bytes(32, 1));
    EXPECT_NE(rng_count(rng.m), 0u);
    rng.m.processor.reset();
    // clause: PLK-START-010
    EXPECT_EQ(rng_count(rng.m), 0u) << model;
    // clause: PLK-START-011
    EXPECT_EQ(rng.m.state().cr4, 0u);
    rng.noise.make(0, unwhitened(random_bytes(16, 2)));
    EXPECT_NE(rng_count(rng.m), 0u) << model;
  }
}

TEST(padlock_reset, init_leaves_the_rng_alone_but_clears_cr4) {
  for (const char* model : {"nehemiah", "esther"}) {
    RngMachine rng(model);
    set_msr(rng.m, kMsrRng, kRaw | kBias3);
    const Bytes bytes = random_bytes(16, 1);
    rng.make(bytes);
    const unsigned count = rng_count(rng.m);
    EXPECT_NE(count, 0u);
    rng.m.processor.init();
    // clause: PLK-START-012
    EXPECT_EQ(rng_fields(rng.m), kRaw | kBias3) << model;
    EXPECT_EQ(rng_count(rng.m), count) << model;
    // clause: PLK-START-013
    EXPECT_EQ(rng.m.state().cr4, 0u);
    rng.m.state().rdi = RngMachine::kBuffer;
    rng.m.state().rdx = 0;
    EXPECT_TRUE(is_trap(rng.m.issue(kXstore), Vector::invalid_opcode));
    set_osfxsr(rng.m);
    ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
    EXPECT_EQ(rng.m.state().rax, (kRaw | kBias3) + 8u);
    EXPECT_EQ(rng.m.get(RngMachine::kBuffer, 8), Bytes(bytes.begin(), bytes.begin() + 8));
  }
}

TEST(padlock_reset, init_keeps_the_fcr_and_clears_eflags_bit_30) {
  Machine m("esther");
  ASSERT_TRUE(is_done(try_xcrypt(m, kXcryptEcb)));
  ASSERT_TRUE(m.keys_loaded());
  set_msr(m, kMsrFcr, 0x1234);
  m.processor.init();
  // clause: PLK-START-014
  EXPECT_EQ(msr_of(m, kMsrFcr), 0x1234u);
  EXPECT_FALSE(flag(m, 7));
  EXPECT_FALSE(m.keys_loaded());
}

}  // namespace
}  // namespace incore::padlock::test
