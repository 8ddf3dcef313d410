// The checks of XSTORE, XSHA and MONTMUL, and of WRMSR.
#include <gtest/gtest.h>

#include "padlock/checks/checked.h"
#include "padlock/machine_rng.h"
#include "padlock/machine_units.h"

namespace incore::padlock::test {
namespace {

// ---- XSTORE ----

constexpr uint64_t kBuffer = 0x50000, kPageEnd = 0x51000;

Reports xstore(const Bytes& code, uint64_t at, uint64_t count, uint32_t quality) {
  Machine m("nano");
  m.memory.map(kBuffer, kPageEnd - kBuffer);
  m.state().rdi = at;
  m.state().rcx = count;
  m.state().rdx = quality;
  return reports(m, code);
}

TEST(padlock_checks_xstore, count_that_is_no_multiple) {
  for (uint64_t count = 0; count < 40; ++count)
    for (const uint32_t quality : {0, 1, 2, 3}) {
      const bool fits = count % (8u >> quality) == 0;
      // clause: PLK-RNG-022
      EXPECT_EQ(xstore(kRepXstore, kBuffer, count, quality),
                fits ? Reports() : Reports({"xstore-overrun PLK-RNG-022"}))
          << count << " " << quality;
    }
}

TEST(padlock_checks_xstore, store_beyond_the_page) {
  EXPECT_EQ(xstore(kXstore, kPageEnd - 8, 0, 0), Reports());
  EXPECT_EQ(xstore(kXstore, kPageEnd - 4, 0, 3), Reports());
  // clause: PLK-RNG-024
  EXPECT_EQ(xstore(kXstore, kPageEnd - 1, 0, 3), Reports({"xstore-overrun PLK-RNG-024"}));
  EXPECT_EQ(xstore(kRepXstore, kPageEnd - 16, 13, 3), Reports());
  EXPECT_EQ(xstore(kRepXstore, kPageEnd - 16, 14, 3), Reports({"xstore-overrun PLK-RNG-024"}));
}

// ---- XSHA ----

Reports xsha(const char* model, uint64_t eax, uint64_t ecx) {
  Machine m(model);
  set_up_hash(m, sha1_hash(), pattern(200));
  m.state().rax = eax;
  m.state().rcx = ecx;
  return reports(m, kXsha1);
}

TEST(padlock_checks_xsha, start) {
  const Reports wrong = {"xsha-start PLK-PHE-017"};
  for (const char* model : {"esther9", "nano"}) {
    EXPECT_EQ(xsha(model, 0, 200), Reports());
    EXPECT_EQ(xsha(model, 64, 200), Reports());  // a restart, or Linux
    // clause: PLK-PHE-017
    EXPECT_EQ(xsha(model, 1, 200), wrong);
    EXPECT_EQ(xsha(model, 200, 200), wrong);  // left from the last hash
    EXPECT_EQ(xsha(model, 256, 200), wrong);
    EXPECT_EQ(xsha(model, 0xFFFFFFFF, 1), Reports());  // how GnuTLS tells the parts apart
  }
  EXPECT_EQ(xsha("nano", 0xFFFFFFFF, 3), Reports());
  EXPECT_EQ(xsha("esther9", 0xFFFFFFFF, 3), wrong);
}

TEST(padlock_checks_xsha, start_in_64_bit_code) {
  Machine m("nano", CodeSize::bits64);
  set_up_hash(m, sha1_hash(), pattern(200));
  m.state().rcx = 3;
  m.state().rax = ~uint64_t{0};
  EXPECT_EQ(reports(m, kXsha1), Reports());
  m.state().rax = 0xFFFFFFFF;
  EXPECT_EQ(reports(m, kXsha1), Reports({"xsha-start PLK-PHE-017"}));
  EXPECT_EQ(reports(m, with_prefix(0x67, kXsha1)), Reports());
}

// What is left of the message counts, not all of it; with EAX = -1 ECX counts blocks.
TEST(padlock_checks_xsha, message_beside_the_state) {
  Machine m("nano");
  set_up_hash(m, sha1_hash(), pattern(0));
  m.memory.map(kHashAt - 4096, 4096);
  const auto overlaps = [&](uint64_t eax, uint64_t ecx, uint64_t distance) {
    m.state().rax = eax;
    m.state().rcx = ecx;
    m.state().rsi = kHashAt - distance;
    return reports(m, kXsha1) == Reports({"xsha-buffer PLK-PHE-011"});
  };
  EXPECT_FALSE(overlaps(128, 200, 72));
  EXPECT_TRUE(overlaps(128, 200, 71));
  EXPECT_FALSE(overlaps(0xFFFFFFFF, 2, 128));
  EXPECT_TRUE(overlaps(0xFFFFFFFF, 2, 127));
}

TEST(padlock_checks_xsha, buffer) {
  Machine m("nano");
  set_up_hash(m, sha256_hash(), pattern(200));
  const auto with_state_at = [&](uint64_t address) {
    m.memory.map(address, 32);
    m.state().rdi = address;
    return reports(m, kXsha256);
  };
  EXPECT_EQ(with_state_at(0x28F80), Reports());
  // clause: PLK-PHE-011
  EXPECT_EQ(with_state_at(0x28F90), Reports({"xsha-buffer PLK-PHE-011"}));
  EXPECT_EQ(with_state_at(kMessageAt - 64), Reports({"xsha-buffer PLK-PHE-011"}));
  EXPECT_EQ(with_state_at(kMessageAt - 128), Reports());
  EXPECT_EQ(with_state_at(0x28008), Reports({"misaligned-operand PLK-PHE-010"}));
}

// ---- MONTMUL ----

struct MontmulCheck {
  explicit MontmulCheck(const MontmulLayout& layout = {}) : at(layout), m("nano") {
    set_up_montmul(m, number("1234", 32), number("4321", 32), modulus, at);
  }
  Reports look() { return reports(m, kMontmul); }
  const Bytes modulus = number("ffffffffffffffffffffffffffffffff61", 32);
  MontmulLayout at;
  Machine m;
};

TEST(padlock_checks_montmul, start_values) {
  MontmulCheck c;
  EXPECT_EQ(c.look(), Reports());
  c.m.state().rax = 1;
  // clause: PLK-PMM-017
  EXPECT_EQ(c.look(), Reports({"montmul-start PLK-PMM-017"}));
  c.m.state().rax = 0;
  for (const unsigned byte : {0u, 15u, 31u}) {
    MontmulCheck t;
    t.m.put(t.at.t + byte, Bytes{1});
    // clause: PLK-PMM-030
    EXPECT_EQ(t.look(), Reports({"montmul-result PLK-PMM-030"})) << byte;
  }
  MontmulCheck spare;
  spare.m.put(spare.at.t + 47, Bytes{1});
  // clause: PLK-PMM-032
  EXPECT_EQ(spare.look(), Reports({"montmul-result PLK-PMM-032"}));
}

TEST(padlock_checks_montmul, operand_size_prefix_hides_nothing) {
  MontmulCheck c;
  c.m.state().rax = 1;
  EXPECT_EQ(reports(c.m, with_prefix(0x66, kMontmul)), Reports({"montmul-start PLK-PMM-017"}));
}

TEST(padlock_checks_montmul, spare_words_of_t) {
  MontmulLayout layout;
  layout.t = 0x120FD0;  // 48 bytes to the end of the page
  MontmulCheck fits(layout);
  EXPECT_EQ(fits.look(), Reports());
  layout.t = 0x120FE0;
  MontmulCheck missing(layout);
  missing.m.memory.unmap(0x121000, 1);
  EXPECT_EQ(missing.look(), Reports({"montmul-result PLK-PMM-032"}));
}

TEST(padlock_checks_montmul, modulus) {
  MontmulCheck c;
  c.m.put(c.at.m, Bytes{0x60});
  // clause: PLK-PMM-035
  EXPECT_EQ(c.look(), Reports({"montmul-modulus PLK-PMM-035"}));
  MontmulCheck prime;
  prime.m.put(prime.at.context, Bytes{0});
  // clause: PLK-PMM-034
  EXPECT_EQ(prime.look(), Reports({"montmul-modulus PLK-PMM-034"}));
}

TEST(padlock_checks_montmul, size) {
  const auto with_bits = [](uint64_t bits) {
    MontmulCheck c;
    c.m.state().rcx = bits;
    return c.look();
  };
  // clause: PLK-PMM-009
  EXPECT_EQ(with_bits(128), Reports({"montmul-size PLK-PMM-009"}));
  // clause: PLK-PMM-010
  EXPECT_EQ(with_bits(32896), Reports({"montmul-size PLK-PMM-010"}));
  // clause: PLK-PMM-011
  EXPECT_EQ(with_bits(320), Reports({"montmul-size PLK-PMM-011"}));
  // clause: PLK-PMM-012
  EXPECT_EQ(with_bits(257), Reports({"montmul-size PLK-PMM-011"}));
  EXPECT_EQ(with_bits(0), Reports());
}

TEST(padlock_checks_montmul, overlap) {
  for (uint64_t MontmulLayout::*input : {&MontmulLayout::a, &MontmulLayout::b}) {
    MontmulLayout layout;
    layout.t = layout.*input + 32;
    layout.scratch = layout.*input + 256;
    EXPECT_EQ(MontmulCheck(layout).look(), Reports());
    layout.t = layout.*input;
    // clause: PLK-PMM-043
    EXPECT_EQ(MontmulCheck(layout).look().back(), "montmul-overlap PLK-PMM-043");
  }
  MontmulLayout behind;  // the spare words belong to T
  behind.m = behind.t + 32;
  EXPECT_EQ(MontmulCheck(behind).look().back(), "montmul-overlap PLK-PMM-043");
  MontmulLayout scratch;
  scratch.scratch = scratch.m + 16;
  EXPECT_EQ(MontmulCheck(scratch).look(), Reports({"montmul-overlap PLK-PMM-028"}));
  scratch.scratch = scratch.t + 32;
  EXPECT_EQ(MontmulCheck(scratch).look(), Reports({"montmul-overlap PLK-PMM-028"}));
  MontmulCheck unwritable;
  unwritable.m.memory.map(unwritable.at.scratch, 32, Access::read_only);
  EXPECT_EQ(unwritable.look(), Reports({"montmul-overlap PLK-PMM-028"}));
  MontmulLayout misaligned;
  misaligned.scratch += 8;
  EXPECT_EQ(MontmulCheck(misaligned).look(), Reports({"misaligned-operand PLK-PMM-005"}));
  misaligned = {};
  misaligned.a += 4;
  EXPECT_EQ(MontmulCheck(misaligned).look(), Reports({"misaligned-operand PLK-PMM-004"}));
}

// ---- WRMSR ----

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

// ---- What no program can be caught at: the emulator does something defined (docs/quirks.md) ----

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
  MontmulCheck c;
  ASSERT_TRUE(is_done(c.m.issue(kMontmul)));
  // clause: PLK-PMM-019
  EXPECT_EQ(c.m.state().rax, 0u);
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
