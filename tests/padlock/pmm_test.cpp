// REP MONTMUL: PadLock guide 1.66, chapter 5. The oracles are GMP and cases worked out with other
// programs.
#include <gtest/gtest.h>

#if INCORE_HAVE_GMP
#include <gmpxx.h>
#endif

#include <algorithm>
#include <string>

#include "padlock/insn.h"
#include "padlock/machine_montmul.h"

namespace incore::padlock::test {
namespace {

constexpr MontmulLayout kAt;

// M = 2^256 - 189 and what A = 2^255 + 1 times B = 3 gives: the guide's conventions worked through
// with Python's integers.
const std::string kM256 = std::string(62, 'f') + "43";
const std::string kA256 = "8" + std::string(62, '0') + "1";
const std::string kProduct256 = "6fbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbef6e";

// A = B = M - 1 overflows: T has bit 256 set and is not reduced.
const std::string kM256Less1 = std::string(62, 'f') + "42";
const std::string kOverflow256 =
    "14fea53fa94fea53fa94fea53fa94fea53fa94fea53fa94fea53fa94fea53f99d";

std::string with_spare(const std::string& digits, size_t len) {
  return std::string(2 * (len + kMontmulSpareLen) - digits.size(), '0') + digits;
}

// The example on machine |m|, ready to issue.
void set_up_example(Machine& m, const MontmulLayout& at = kAt, uint64_t base = 0) {
  set_up_montmul(m, number(kA256, 32), number("3", 32), number(kM256, 32), at, base);
}

std::string example_result() {
  return with_spare(kProduct256, 32);
}
std::string result_at(const Machine& m, uint64_t address = kAt.t, size_t len = 32) {
  return number_at(m, address, len + kMontmulSpareLen);
}

void finish_with_interrupts(Machine& m) {
  for (int issues = 0; issues < 5000; ++issues) {
    InterruptAfter each(1);
    const Step step = m.issue_again(&each);
    if (step.outcome == Outcome::done) return;
    ASSERT_TRUE(is_interrupted(step));
  }
  FAIL() << "the instruction makes no progress";
}

// ---- Results ----

TEST(padlock_pmm, opcode_is_that_of_the_guide) {
  const Bytes code = {0xF3, 0x0F, 0xA6, 0xC0};
  // clause: PLK-PMM-001
  EXPECT_EQ(decode(code.data(), code.size(), CodeSize::bits32).insn, &montmul);
  Machine m("esther9");
  set_up_example(m);
  ASSERT_TRUE(is_done(m.issue(code)));
  EXPECT_EQ(result_at(m), example_result());
  EXPECT_EQ(m.state().rip, Machine::kCode + 4);
}

TEST(padlock_pmm, example_with_values) {
  for (const char* model : {"esther", "esther9", "nano", "host"}) {
    Machine m(model);
    set_up_example(m);
    // clause: PLK-PMM-034
    EXPECT_EQ(negative_inverse(0xFFFFFF43), 0xEA53FA95u);
    m.put(kAt.context, from_hex("95fa53ea"));
    // clause: PLK-PMM-003
    m.put(kAt.m, from_hex("43ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"));
    m.put(kAt.a, from_hex("0100000000000000000000000000000000000000000000000000000000000080"));
    m.put(kAt.b, from_hex("0300000000000000000000000000000000000000000000000000000000000000"));
    ASSERT_TRUE(is_done(m.issue(kMontmul)));
    // clause: PLK-PMM-016
    // clause: PLK-PMM-029
    // clause: PLK-PMM-036
    EXPECT_EQ(
        to_hex(m.get(kAt.t, 32 + kMontmulSpareLen)),
        "6eeffbbeeffbbeeffbbeeffbbeeffbbeeffbbeeffbbeeffbbeeffbbeeffbbe6f" + std::string(32, '0'));
  }
}

TEST(padlock_pmm, m_zero_prime_is_the_negative_inverse_as_the_program_gives_it) {
  Machine m("esther9");
  // clause: PLK-PMM-034
  for (uint32_t word : {0x00000001u, 0xFFFFFFFFu, 0xFFFFFF43u, 0x10A4201Du, 0x80000001u})
    EXPECT_EQ(negative_inverse(word) * word + 1, 0u) << word;
  set_up_example(m);
  m.put(kAt.context, from_hex("6b05ac15"));  // the inverse itself
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  EXPECT_NE(result_at(m), example_result());
}

TEST(padlock_pmm, an_overflow_goes_into_the_spare_words_and_is_not_subtracted) {
  Machine m("esther9");
  set_up_montmul(m, number(kM256Less1, 32), number(kM256Less1, 32), number(kM256, 32));
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  // clause: PLK-PMM-031
  // clause: PLK-PMM-032
  // clause: PLK-PMM-033
  EXPECT_EQ(result_at(m), with_spare(kOverflow256, 32));
  EXPECT_EQ(load_le32(m.get(kAt.t + 32, 4).data()), 1u);
}

// ---- Registers ----

TEST(padlock_pmm, registers_at_the_end) {
  for (uint64_t edx : {0u, 1u, 0xFFFFFFFFu}) {
    Machine m("esther9");
    set_up_example(m);
    m.state().rdx = edx;
    m.state().rbx = 0xB0B0B0B0;
    ASSERT_TRUE(is_done(m.issue(kMontmul)));
    EXPECT_EQ(result_at(m), example_result());
    // clause: PLK-PMM-014
    EXPECT_EQ(m.state().rcx, 0u);
    // clause: PLK-PMM-019
    EXPECT_EQ(m.state().rax, 0u);
    // clause: PLK-PMM-020
    EXPECT_EQ(m.state().rdx, 0u);
    // clause: PLK-PMM-021
    EXPECT_EQ(m.state().rsi, kAt.context);
    // clause: PLK-PMM-041
    EXPECT_EQ(m.state().rdi, 0xBAD0000u);
    EXPECT_EQ(m.state().rbx, 0xB0B0B0B0u);
  }
}

TEST(padlock_pmm, ecx_0_does_nothing) {
  Machine m("esther9");
  set_up_example(m);
  m.state().rcx = 0;
  m.put(Machine::kCode, concat(kMontmul, Bytes(28, 0x90)));
  m.memory.take_snapshot();
  // clause: PLK-PMM-013
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  EXPECT_TRUE(m.memory.changes_outside({}).empty());
  EXPECT_EQ(m.state().rax, 0u);
  EXPECT_EQ(m.state().rcx, 0u);
  EXPECT_EQ(m.state().rdx, 0x5EEDu);
  EXPECT_EQ(m.state().rsi, kAt.context);
  EXPECT_EQ(m.state().rip, Machine::kCode + 4);
}

// ---- Sizes ----

// Issues the example with |bits| in ECX; the numbers have room for 40000 bits.
Step issue_with_size(Machine& m, uint64_t bits) {
  set_up_montmul(m, number(kA256, 5000), number("3", 5000), number(kM256, 5000));
  m.state().rcx = bits;
  m.put(Machine::kCode, concat(kMontmul, Bytes(28, 0x90)));
  m.memory.take_snapshot();
  return m.issue(kMontmul);
}

void expect_refused(uint64_t bits) {
  Machine m("esther9");
  EXPECT_TRUE(is_trap(issue_with_size(m, bits), Vector::general_protection)) << bits;
  EXPECT_TRUE(m.memory.changes_outside({}).empty());
  EXPECT_EQ(m.state().rcx, bits);
  EXPECT_EQ(m.state().rax, 0u);
  EXPECT_EQ(m.state().rdx, 0x5EEDu);
}

void expect_accepted(uint64_t bits) {
  Machine m("esther9");
  EXPECT_TRUE(is_done(issue_with_size(m, bits))) << bits;
  EXPECT_EQ(m.state().rcx, 0u);
}

TEST(padlock_pmm, sizes_are_256_to_32768_bits_in_steps_of_128) {
  // clause: PLK-PMM-009
  expect_accepted(256);
  expect_refused(128);
  // clause: PLK-PMM-010
  expect_accepted(32768);
  expect_refused(32896);
  // clause: PLK-PMM-011
  expect_accepted(384);
  expect_refused(320);
  expect_refused(257);
  // clause: PLK-PMM-012
  expect_refused(100);
  expect_refused(1);
  expect_refused(0x80000100);
}

TEST(padlock_pmm, ecx_alone_gives_the_size) {
  // Junk behind the 256 bits is not looked at, and what lies behind T and its spare words stays.
  Machine m("esther9");
  set_up_example(m);
  for (uint64_t at : {kAt.a, kAt.b, kAt.m}) m.put(at + 32, random_bytes(64, at));
  const Bytes behind = random_bytes(64, 7);
  m.put(kAt.t + 32 + kMontmulSpareLen, behind);
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  // clause: PLK-PMM-008
  EXPECT_EQ(result_at(m), example_result());
  // clause: PLK-PMM-044
  EXPECT_EQ(m.get(kAt.t + 32 + kMontmulSpareLen, 64), behind);
}

// ---- Memory ----

TEST(padlock_pmm, context_may_lie_at_any_address) {
  for (uint64_t offset = 0; offset < 16; ++offset) {
    MontmulLayout at;
    at.context = 0x31000 - 8 + offset;  // across a page boundary too
    Machine m("esther9");
    set_up_example(m, at);
    // clause: PLK-PMM-006
    ASSERT_TRUE(is_done(m.issue(kMontmul)));
    EXPECT_EQ(result_at(m), example_result()) << offset;
  }
}

TEST(padlock_pmm, numbers_and_scratch_must_be_aligned) {
  uint64_t MontmulLayout::*const numbers[] = {&MontmulLayout::a, &MontmulLayout::b,
                                              &MontmulLayout::t, &MontmulLayout::m,
                                              &MontmulLayout::scratch};
  for (auto pointer : numbers) {
    for (uint64_t offset : {1u, 4u, 8u, 15u}) {
      MontmulLayout at;
      at.*pointer += offset;
      Machine m("esther9");
      set_up_example(m, at);
      m.put(Machine::kCode, concat(kMontmul, Bytes(28, 0x90)));
      m.memory.take_snapshot();
      // clause: PLK-PMM-004
      // clause: PLK-PMM-005
      // clause: PLK-PMM-007
      EXPECT_TRUE(is_trap(m.issue(kMontmul), Vector::general_protection)) << offset;
      EXPECT_TRUE(m.memory.changes_outside({}).empty());
      EXPECT_EQ(m.state().rcx, 256u);
      EXPECT_EQ(m.state().rax, 0u);
    }
  }
}

TEST(padlock_pmm, context_words_stand_in_the_order_of_the_guide) {
  // Written out here, so that no helper shares a mistake with the processor.
  Machine m("esther9");
  set_up_example(m);
  Bytes context = from_hex(
      // clause: PLK-PMM-023
      "95fa53ea"
      // clause: PLK-PMM-024
      "00001000"
      // clause: PLK-PMM-025
      "00001100"
      // clause: PLK-PMM-026
      "00001200"
      // clause: PLK-PMM-027
      "00001300"
      // clause: PLK-PMM-028
      "00001400");
  // The context has 24 bytes: behind it the memory ends.
  m.put(0x32000 - 24, context);
  m.state().rsi = 0x32000 - 24;
  m.put(Machine::kCode, concat(kMontmul, Bytes(28, 0x90)));
  m.memory.take_snapshot();
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  EXPECT_EQ(result_at(m), example_result());
  EXPECT_TRUE(
      m.memory.changes_outside({{kAt.t, 32 + kMontmulSpareLen}, {kAt.scratch, 32}}).empty());
  m.memory.map(kAt.scratch, 32, Access::read_only);
  m.state().rcx = 256;
  // clause: PLK-PMM-028
  EXPECT_TRUE(is_page_fault(m.issue(kMontmul), kAt.scratch, true));
}

// A missing page behind each pointer shows which number it is.
TEST(padlock_pmm, page_faults_tell_the_numbers_and_come_before_any_change) {
  const uint64_t numbers[] = {
      // clause: PLK-PMM-024
      kAt.a,
      // clause: PLK-PMM-025
      kAt.b,
      // clause: PLK-PMM-026
      kAt.t,
      // clause: PLK-PMM-027
      kAt.m,
  };
  for (uint64_t number_at : numbers) {
    for (bool last_page : {false, true}) {
      Machine m("esther9");
      // Two pages of number each, so that the last page can be missing.
      set_up_montmul(m, random_bytes(4096, 1), random_bytes(4096, 2), Bytes(4096, 0xFF));
      for (uint64_t at : {kAt.a, kAt.b, kAt.m}) m.put(at, number("3", 4096));
      MontmulLayout at;
      for (uint64_t MontmulLayout::*pointer :
           {&MontmulLayout::a, &MontmulLayout::b, &MontmulLayout::t, &MontmulLayout::m})
        at.*pointer += 2048;
      for (uint64_t start : {at.a, at.b, at.m}) m.put(start, concat(Bytes{3}, Bytes(4095)));
      m.memory.map(at.t, 4096 + kMontmulSpareLen);
      m.put(kAt.context, montmul_context(at, negative_inverse(3)));
      m.put(Machine::kCode, concat(kMontmul, Bytes(28, 0x90)));
      const uint64_t page = number_at + (last_page ? 0x1000 : 0);
      m.memory.unmap(page, 1);
      m.memory.take_snapshot();
      const Step step = m.issue(kMontmul);
      ASSERT_TRUE(is_trap(step, Vector::page_fault));
      EXPECT_EQ(step.trap.address(), last_page ? page : page + 2048);
      EXPECT_TRUE(m.memory.changes_outside({}).empty());
      EXPECT_EQ(m.state().rax, 0u);
      EXPECT_EQ(m.state().rcx, 32768u);
      EXPECT_EQ(m.state().rdx, 0x5EEDu);
      EXPECT_EQ(m.state().rsi, kAt.context);
      // Restarted with the page there, it goes on.
      m.memory.map(page, 1);
      EXPECT_TRUE(is_done(m.issue_again()));
      EXPECT_EQ(m.state().rcx, 0u);
    }
  }
}

TEST(padlock_pmm, t_is_the_number_that_is_written) {
  const uint64_t numbers[] = {kAt.a, kAt.b, kAt.m, kAt.t};
  for (uint64_t number_at : numbers) {
    Machine m("esther9");
    set_up_example(m);
    m.memory.map(number_at, 1, Access::read_only);
    m.memory.map(kAt.context, 1, Access::read_only);
    const Step step = m.issue(kMontmul);
    // clause: PLK-PMM-026
    EXPECT_TRUE(number_at == kAt.t ? is_page_fault(step, kAt.t, true) : is_done(step)) << number_at;
  }
}

TEST(padlock_pmm, t_needs_128_bits_more_and_nothing_behind_them) {
  MontmulLayout at;
  at.t = 0x121000 - 32 - kMontmulSpareLen;  // the next page is not there
  Machine m("esther9");
  set_up_montmul(m, number(kM256Less1, 32), number(kM256Less1, 32), number(kM256, 32), at);
  m.put(Machine::kCode, concat(kMontmul, Bytes(28, 0x90)));
  m.memory.take_snapshot();
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  // clause: PLK-PMM-032
  // clause: PLK-PMM-044
  EXPECT_EQ(result_at(m, at.t), with_spare(kOverflow256, 32));
  EXPECT_TRUE(m.memory.changes_outside({{at.t, 32 + kMontmulSpareLen}, {at.scratch, 32}}).empty());
}

TEST(padlock_pmm, es_serves_context_and_numbers_whatever_the_prefix) {
  for (uint8_t prefix : {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65}) {
    Machine m("esther9");
    const uint64_t base = 0x4000000;
    set_up_example(m, kAt, base);
    m.state().es.base = base;
    ASSERT_TRUE(is_done(m.issue(with_prefix(prefix, kMontmul))));
    // clause: PLK-PMM-022
    EXPECT_EQ(result_at(m, base + kAt.t), example_result());
    EXPECT_EQ(m.state().rip, Machine::kCode + 5);
  }
}

TEST(padlock_pmm, edi_is_never_used) {
  for (uint64_t edi : {uint64_t{0}, uint64_t{0xFFFFFFF1}, kAt.t}) {
    Machine m("esther9");
    set_up_example(m);
    m.state().rdi = edi;
    ASSERT_TRUE(is_done(m.issue(kMontmul)));
    // clause: PLK-PMM-041
    EXPECT_EQ(m.state().rdi, edi);
    EXPECT_EQ(result_at(m), example_result());
  }
}

// ---- Prefixes and code sizes ----

TEST(padlock_pmm, address_size_prefix_selects_si) {
  MontmulLayout at;
  at.context = 0x8000;
  Machine m("esther9");
  set_up_example(m, at);
  m.state().rsi = 0xDEAD8000;
  // clause: PLK-PMM-038
  ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, kMontmul))));
  EXPECT_EQ(result_at(m), example_result());
  EXPECT_EQ(m.state().rsi, 0xDEAD8000u);

  // In 16-bit code it is the other way round.
  Machine real("esther9", CodeSize::bits16);
  set_up_example(real, at);
  real.state().rsi = 0xDEAD8000;
  ASSERT_TRUE(is_done(real.issue(kMontmul)));
  EXPECT_EQ(result_at(real), example_result());
  set_up_example(real);
  ASSERT_TRUE(is_done(real.issue(with_prefix(0x67, kMontmul))));
  EXPECT_EQ(result_at(real), example_result());
}

TEST(padlock_pmm, prefixes_leave_eax_and_ecx_at_32_bits) {
  MontmulLayout at;
  at.context = 0x8000;
  for (const Bytes& code : {with_prefix(0x66, kMontmul), with_prefix(0x67, kMontmul)}) {
    Machine m("esther9");
    const Bytes modulus = concat(Bytes(127, 0xFF), {0x7F});
    set_up_montmul(m, number("2", 128), number("3", 128), modulus, at);
    m.state().rcx = 0x400;
    // clause: PLK-PMM-039
    InterruptAfter first(1);
    ASSERT_TRUE(is_interrupted(m.issue(code, &first)));
    EXPECT_EQ(m.state().rcx, 0x400u);
    finish_with_interrupts(m);
    EXPECT_EQ(m.state().rcx, 0u);
    // 2 * 3 * R^-1 with R = 2 * (M + 1), so R = 2 modulo M: 3.
    EXPECT_EQ(result_at(m, kAt.t, 128), with_spare("3", 128));

    // CX alone would be 256.
    set_up_example(m, at);
    m.state().rcx = 0x10100;
    EXPECT_TRUE(is_trap(m.issue(code), Vector::general_protection));
    EXPECT_EQ(m.state().rcx, 0x10100u);
  }
}

TEST(padlock_pmm, operand_size_prefix_is_ignored) {
  Machine m("esther9");
  set_up_example(m);
  // clause: PLK-PMM-040
  ASSERT_TRUE(is_done(m.issue(with_prefix(0x66, kMontmul))));
  EXPECT_EQ(result_at(m), example_result());
  EXPECT_EQ(m.state().rcx, 0u);
  EXPECT_EQ(m.state().rdx, 0u);
}

// Known from a later part (KX-6580), not from the guide: 64-bit code needs the prefix, and pointers
// stay 32 bits wide.
TEST(padlock_pmm, sixty_four_bit_code_needs_the_address_size_prefix) {
  for (const char* model : {"nano", "zhaoxin"}) {
    Machine m(model, CodeSize::bits64);
    set_up_example(m);
    // clause: PLK-PMM-046
    EXPECT_TRUE(is_trap(m.issue(kMontmul), Vector::invalid_opcode));
    EXPECT_EQ(m.state().rcx, 256u);
    // clause: PLK-PMM-047
    ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, kMontmul))));
    EXPECT_EQ(result_at(m), example_result());
  }
  // The order of the prefixes is free, and only 32 bits of each register count.
  Machine m("nano", CodeSize::bits64);
  set_up_example(m);
  constexpr uint64_t kUpperHalf = 0xDEADBEEF00000000;
  for (uint64_t* reg : {&m.state().rax, &m.state().rcx, &m.state().rdx, &m.state().rsi})
    *reg += kUpperHalf;
  const Bytes rep_first = {0xF3, 0x67, 0x0F, 0xA6, 0xC0};
  // clause: PLK-PMM-047
  ASSERT_TRUE(is_done(m.issue(rep_first)));
  EXPECT_EQ(result_at(m), example_result());
  EXPECT_EQ(m.state().rax, 0u);
  EXPECT_EQ(m.state().rcx, 0u);
  EXPECT_EQ(m.state().rdx, 0u);
}

// ---- Interrupts ----

TEST(padlock_pmm, interrupts_at_every_outer_step) {
  const Bytes a = random_bytes(128, 1), b = random_bytes(128, 2);
  Bytes modulus = random_bytes(128, 3);
  modulus[0] |= 1;
  modulus[127] = 0xFF;
  Machine whole("esther9");
  set_up_montmul(whole, a, b, modulus);
  ASSERT_TRUE(is_done(whole.issue(kMontmul)));
  const std::string expected = result_at(whole, kAt.t, 128);

  Bytes partial;
  for (uint64_t steps = 1; steps < 32; ++steps) {
    Machine m("esther9");
    set_up_montmul(m, a, b, modulus);
    InterruptAfter after(steps);
    ASSERT_TRUE(is_interrupted(m.issue(kMontmul, &after))) << steps;
    // clause: PLK-PMM-015
    EXPECT_EQ(m.state().rcx, 1024u);
    // clause: PLK-PMM-021
    EXPECT_EQ(m.state().rsi, kAt.context);
    EXPECT_EQ(m.state().rip, Machine::kCode);
    // clause: PLK-PMM-037
    EXPECT_NE(m.get(kAt.t, 128), partial);
    partial = m.get(kAt.t, 128);

    // Another processor goes on with what registers and memory hold: nothing hidden is needed.
    Machine other("esther9");
    set_up_montmul(other, a, b, modulus);
    other.put(kAt.t, m.get(kAt.t, 128 + kMontmulSpareLen));
    other.put(kAt.scratch, m.get(kAt.scratch, 32));
    other.state() = m.state();
    other.put(Machine::kCode, concat(kMontmul, Bytes(28, 0x90)));
    // clause: PLK-PMM-018
    ASSERT_TRUE(is_done(other.issue_again()));
    EXPECT_EQ(result_at(other, kAt.t, 128), expected) << steps;
  }

  Machine m("esther9");
  set_up_montmul(m, a, b, modulus);
  InterruptAfter first(1);
  ASSERT_TRUE(is_interrupted(m.issue(kMontmul, &first)));
  finish_with_interrupts(m);
  // clause: PLK-PMM-037
  EXPECT_EQ(result_at(m, kAt.t, 128), expected);
  EXPECT_EQ(m.state().rdx, 0u);
  // clause: PLK-PMM-019
  EXPECT_EQ(m.state().rax, 0u);
}

// An overflow in the last outer step but one must survive the interrupt: the restart goes on with
// the spare words.
TEST(padlock_pmm, an_overflow_survives_interrupts) {
  Machine m("esther9");
  set_up_montmul(m, number(kM256Less1, 32), number(kM256Less1, 32), number(kM256, 32));
  InterruptAfter first(1);
  ASSERT_TRUE(is_interrupted(m.issue(kMontmul, &first)));
  finish_with_interrupts(m);
  // clause: PLK-PMM-018
  EXPECT_EQ(result_at(m), with_spare(kOverflow256, 32));
}

// ---- Against GMP ----

#if INCORE_HAVE_GMP

mpz_class integer(const Bytes& bytes) {
  mpz_class z;
  mpz_import(z.get_mpz_t(), bytes.size(), -1, 1, 0, 0, bytes.data());
  return z;
}

Bytes bytes_of(const mpz_class& z, size_t len) {
  Bytes bytes(len);
  mpz_export(bytes.data(), nullptr, -1, 1, 0, 0, z.get_mpz_t());
  return bytes;
}

mpz_class power_of_two(size_t bits) {
  return mpz_class(1) << bits;
}

mpz_class inverse(const mpz_class& z, const mpz_class& modulus) {
  mpz_class result;
  mpz_invert(result.get_mpz_t(), z.get_mpz_t(), modulus.get_mpz_t());
  return result;
}

// T as the processor leaves it.
mpz_class multiply(Machine& m, const mpz_class& a, const mpz_class& b, const mpz_class& modulus,
                   size_t len) {
  set_up_montmul(m, bytes_of(a, len), bytes_of(b, len), bytes_of(modulus, len));
  EXPECT_TRUE(is_done(m.issue(kMontmul)));
  return integer(m.get(kAt.t, len + kMontmulSpareLen));
}

// (a * b + q * M) / R with the q below R that makes it a whole number: what every word-by-word
// order of work leaves.
mpz_class expected_t(const mpz_class& a, const mpz_class& b, const mpz_class& modulus, size_t len) {
  const mpz_class r = power_of_two(8 * len);
  const mpz_class q = a * b % r * (r - inverse(modulus, r)) % r;
  return (a * b + q * modulus) / r;
}

mpz_class random_below(const mpz_class& limit, size_t len, uint64_t seed) {
  return integer(random_bytes(len, seed)) % limit;
}

TEST(padlock_pmm, products_agree_with_gmp) {
  Machine m("esther9");
  size_t overflows = 0;
  uint64_t seed = 1000;
  for (size_t bits : {256, 384, 512, 640, 768, 1024, 1152, 1536, 2048, 3072, 4096, 8192}) {
    const size_t len = bits / 8;
    const mpz_class moduli[] = {
        power_of_two(bits) - 1, power_of_two(bits - 1) + 1, mpz_class(3),
        power_of_two(bits - 1) + 2 * random_below(power_of_two(bits - 2), len, ++seed) + 1,
        integer(random_bytes(len, ++seed)) / 2 * 2 + 1};
    for (const mpz_class& modulus : moduli) {
      const mpz_class numbers[] = {mpz_class(0), mpz_class(1), modulus - 1,
                                   random_below(modulus, len, ++seed),
                                   random_below(modulus, len, ++seed)};
      for (const mpz_class& a : numbers) {
        for (const mpz_class& b : numbers) {
          const mpz_class t = multiply(m, a, b, modulus, len);
          // clause: PLK-PMM-002
          ASSERT_EQ(t, expected_t(a, b, modulus, len)) << bits << " bits, M = " << modulus;
          ASSERT_LT(t, 2 * modulus);
          ASSERT_EQ(t * power_of_two(bits) % modulus, a * b % modulus);
          if (t >= power_of_two(bits)) ++overflows;
        }
      }
    }
  }
  // clause: PLK-PMM-031
  EXPECT_GT(overflows, 0u);
}

TEST(padlock_pmm, products_of_the_largest_size_agree_with_gmp) {
  Machine m("esther9");
  const size_t len = 4096;
  const mpz_class modulus = power_of_two(32768) - 19;
  const mpz_class a = random_below(modulus, len, 1), b = random_below(modulus, len, 2);
  // clause: PLK-PMM-010
  EXPECT_EQ(multiply(m, a, b, modulus, len), expected_t(a, b, modulus, len));
  EXPECT_EQ(multiply(m, modulus - 1, modulus - 1, modulus, len),
            expected_t(modulus - 1, modulus - 1, modulus, len));
}

TEST(padlock_pmm, shorter_moduli_are_padded_on_the_left) {
  Machine m("esther9");
  const mpz_class modulus = power_of_two(499) + 2 * random_below(power_of_two(497), 64, 5) + 1;
  const mpz_class a = random_below(modulus, 64, 6), b = random_below(modulus, 64, 7);
  const mpz_class t = multiply(m, a, b, modulus, 64);
  // clause: PLK-PMM-045
  EXPECT_EQ(m.state().rcx, 0u);
  EXPECT_EQ(t * power_of_two(512) % modulus, a * b % modulus);
  EXPECT_LT(t, 2 * modulus);
}

// The guide's sample programs mmtest and mm, with the processor's instruction for the products.
class Montgomery {
 public:
  Montgomery(Machine& machine, const mpz_class& modulus, size_t bits)
      : machine_(machine), modulus_(modulus), len_(bits / 8) {}

  // One MONTMUL and the subtraction that the program owes.
  mpz_class multiply(const mpz_class& a, const mpz_class& b) {
    ++num_products;
    mpz_class t = test::multiply(machine_, a, b, modulus_, len_);
    if (t >= modulus_) {
      ++num_subtractions;
      t -= modulus_;
    }
    EXPECT_LT(t, modulus_);
    return t;
  }

  mpz_class r_squared() const { return power_of_two(16 * len_) % modulus_; }

  // Left to right: a square for each bit, a product for each 1 bit, and a last product with 1.
  mpz_class power(const mpz_class& base, const mpz_class& exponent) {
    const mpz_class x = multiply(base, r_squared());
    mpz_class result = x;
    for (size_t bit = mpz_sizeinbase(exponent.get_mpz_t(), 2) - 1; bit-- > 0;) {
      result = multiply(result, result);
      if (mpz_tstbit(exponent.get_mpz_t(), bit)) result = multiply(result, x);
    }
    return multiply(result, 1);
  }

  size_t num_products = 0, num_subtractions = 0;

 private:
  Machine& machine_;
  mpz_class modulus_;
  size_t len_;
};

TEST(padlock_pmm, modular_exponentiation_agrees_with_gmp) {
  Machine m("esther9");
  size_t subtractions = 0;
  for (size_t bits : {256, 384, 512, 1024, 1536, 2048}) {
    const size_t len = bits / 8;
    Bytes digits = random_bytes(len, bits);
    digits[0] |= 1;
    digits[len - 1] |= 0x80;
    const mpz_class modulus = integer(digits);
    const mpz_class base = random_below(modulus, len, bits + 1);
    const mpz_class exponent = random_below(modulus, len, bits + 2);
    mpz_class expected;
    mpz_powm(expected.get_mpz_t(), base.get_mpz_t(), exponent.get_mpz_t(), modulus.get_mpz_t());
    Montgomery montgomery(m, modulus, bits);
    // clause: PLK-TOOL-073
    // clause: PLK-TOOL-075
    EXPECT_EQ(montgomery.power(base, exponent), expected) << bits;
    // clause: PLK-TOOL-076
    const double per_bit = static_cast<double>(montgomery.num_products) /
                           static_cast<double>(mpz_sizeinbase(exponent.get_mpz_t(), 2));
    EXPECT_NEAR(per_bit, 1.5, 0.1) << bits;
    subtractions += montgomery.num_subtractions;
  }
  EXPECT_GT(subtractions, 0u);
}

// The two cases that the guide prints for its 16-bit model, at the processor's least size: R is
// 2^256 there.
TEST(padlock_pmm, printed_cases_of_mm) {
  struct {
    const char *m, *a, *b, *rm, *c;
    unsigned k;
  } const cases[] = {
      // clause: PLK-TOOL-086
      {"10a4201d", "a46aa5a", "b4a3016", "a65c865", "d71a93", 0x20},
      {"f180d8c8b1ad8f1f", "a78c9241808a4e34", "9c8a755b17821505", "5cdcb8ef8a4e7317",
       "3b5ab8b2823c75b5", 0x40},
  };
  for (const auto& each : cases) {
    const mpz_class modulus(each.m, 16), a(each.a, 16), b(each.b, 16), c(each.c, 16);
    // clause: PLK-TOOL-085
    EXPECT_EQ(power_of_two(2 * each.k) % modulus, mpz_class(each.rm, 16));
    EXPECT_EQ(a * b % modulus, c);
    Machine m("esther9");
    Montgomery montgomery(m, modulus, 256);
    // clause: PLK-TOOL-088
    EXPECT_EQ(montgomery.multiply(montgomery.multiply(a, montgomery.r_squared()), b), c);
  }
}

#else

TEST(padlock_pmm, products_agree_with_gmp) {
  GTEST_SKIP() << "built without GMP";
}

#endif

}  // namespace
}  // namespace incore::padlock::test
