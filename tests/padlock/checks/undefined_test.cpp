// What the guide calls undefined and no check can catch a program at: the processor does something
// defined, which docs/quirks.md tells.
#include <gtest/gtest.h>

#include "padlock/machine_rng.h"

namespace incore::padlock::test {
namespace {

TEST(padlock_undefined, reserved_bits_and_the_upper_half_of_the_rng_msr_read_0) {
  for (const char* model : {"c5xl", "nehemiah", "esther"}) {
    Machine m(model);
    set_msr(m, kMsrRng, 0xFFFFFFFF);
    m.state().cpl = 0;
    uint64_t value = ~uint64_t{0};
    ASSERT_FALSE(m.processor.rdmsr(kMsrRng, &value));
    // clause: PLK-MSR-002
    EXPECT_EQ(value >> 32, 0u) << model;
    // clause: PLK-MSR-027
    EXPECT_EQ(value & 0xFFC000A0, 0u) << model;
  }
}

TEST(padlock_undefined, count_after_rep_xstore_is_that_of_the_last_step) {
  for (const uint32_t quality : {0u, 1u, 2u, 3u}) {
    RngMachine rng;
    rng.make(random_bytes(32, 1));
    rng.m.state().rdx = quality;
    rng.m.state().rcx = 8u >> quality;
    ASSERT_TRUE(is_done(rng.m.issue(kRepXstore)));
    // clause: PLK-RNG-033
    EXPECT_EQ(rng.m.state().rax & 0x1F, 8u >> quality);
  }
}

TEST(padlock_undefined, eax_after_montmul_is_0) {
  Machine m("nano");
  set_up_montmul(m, number("1234", 32), number("4321", 32), number("ffffffffffffffff1d", 32));
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  // clause: PLK-PMM-019
  EXPECT_EQ(m.state().rax, 0u);
}

// RESET comes between blocks: those stored before stay whole.
TEST(padlock_undefined, reset_midway_leaves_whole_blocks) {
  Machine m("nano");
  const Bytes message = pattern(64 * 4);
  set_up_hash(m, sha1_hash(), message);
  InterruptAfter after_two(2);
  ASSERT_TRUE(is_interrupted(m.issue(kXsha1, &after_two)));
  const Bytes after_two_blocks = m.get(kHashAt, 20);
  m.processor.reset();
  // clause: PLK-START-005
  EXPECT_EQ(m.get(kHashAt, 20), after_two_blocks);
  Machine whole("nano");
  set_up_hash(whole, sha1_hash(), message);
  whole.state().rax = 0xFFFFFFFF;
  whole.state().rcx = 2;
  ASSERT_TRUE(is_done(whole.issue(kXsha1)));
  EXPECT_EQ(after_two_blocks, whole.get(kHashAt, 20));
}

}  // namespace
}  // namespace incore::padlock::test
