// What REP XCRYPT does to registers and to the vector at EAX, at the end and at an interruption.
// PadLock guide 1.66, chapter 3.
#include "padlock/machine_units.h"
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

bool vector_is_in_memory(Mode mode, bool decrypt) {
  return mode == Mode::ctr || mode == Mode::ofb || (decrypt && mode != Mode::ecb);
}

struct Case {
  Mode mode;
  bool decrypt;
  XcryptJob job;
  ModeResult expected;
};

// Every mode and direction over the same random blocks.
std::vector<Case> all_cases(size_t blocks) {
  std::vector<Case> cases;
  const Bytes source = random_bytes(16 * blocks, 31), iv = random_bytes(16, 32);
  for (Mode mode : kModes)
    for (bool decrypt : {false, true})
      cases.push_back({mode, decrypt, XcryptJob::standard(mode, decrypt, kSpKey128, source, iv),
                       apply_mode(mode, decrypt, kSpKey128, 10, iv, source)});
  return cases;
}

std::string label(const Case& c) {
  return std::string(name_of(c.mode)) + (c.decrypt ? " decrypt" : " encrypt");
}

TEST(padlock_ace_registers, pointers_and_count_after_completion) {
  for (size_t blocks : {1, 2, 3, 5, 17}) {
    for (const Case& c : all_cases(blocks)) {
      SCOPED_TRACE(label(c) + ", blocks " + std::to_string(blocks));
      Machine m("esther9");
      ASSERT_TRUE(is_done(c.job.run(m)));
      const State& s = m.state();
      // clause: PLK-ACE-008
      EXPECT_EQ(s.rbx, c.job.key_at);
      // clause: PLK-ACE-009
      EXPECT_EQ(s.rdx, c.job.control_at);
      // clause: PLK-ACE-011
      EXPECT_EQ(s.rcx, 0u);
      // clause: PLK-ACE-041
      EXPECT_EQ(s.rsi, c.job.source_at + 16 * blocks);
      EXPECT_EQ(s.rdi, c.job.dest_at + 16 * blocks);
      EXPECT_EQ(s.rip, Machine::kCode + 4);
    }
  }
}

TEST(padlock_ace_registers, count_is_in_blocks) {
  for (const Case& c : all_cases(4)) {
    SCOPED_TRACE(label(c));
    Machine m("esther9");
    c.job.prepare(m);
    m.state().rcx = 3;
    ASSERT_TRUE(is_done(m.issue(opcode_of(c.mode))));
    // clause: PLK-ACE-010
    Bytes expected = c.expected.data;
    std::fill(expected.begin() + 48, expected.end(), uint8_t{0});
    EXPECT_EQ(to_hex(c.job.output(m)), to_hex(expected));
    // clause: PLK-ACE-063
    EXPECT_EQ(m.state().rsi, c.job.source_at + 48);
    EXPECT_EQ(m.state().rdi, c.job.dest_at + 48);
  }
}

TEST(padlock_ace_registers, ecb_does_not_use_eax) {
  for (bool decrypt : {false, true}) {
    Machine m("esther9");
    const XcryptJob job = XcryptJob::standard(Mode::ecb, decrypt, kSpKey128, kSpPlain);
    job.prepare(m);
    m.state().rax = 0xDEAD0003;  // nothing there, and not aligned
    // clause: PLK-ACE-013
    ASSERT_TRUE(is_done(m.issue(kXcryptEcb)));
    EXPECT_EQ(m.state().rax, 0xDEAD0003u);
    EXPECT_EQ(job.output(m), apply_mode(Mode::ecb, decrypt, kSpKey128, 10, kSpIv, kSpPlain).data);
  }
}

TEST(padlock_ace_registers, cbc_and_cfb_encryption_move_eax_and_spare_the_vector) {
  for (size_t blocks : {1, 2, 5, 100}) {
    for (const Case& c : all_cases(blocks)) {
      if (c.decrypt || (c.mode != Mode::cbc && c.mode != Mode::cfb)) continue;
      SCOPED_TRACE(label(c));
      Machine m("esther9");
      ASSERT_TRUE(is_done(c.job.run(m)));
      // clause: PLK-ACE-049
      // clause: PLK-ACE-050
      EXPECT_EQ(m.get(c.job.iv_at, 16), c.job.iv);
      // clause: PLK-ACE-057
      EXPECT_EQ(m.state().rax, c.job.dest_at + 16 * (blocks - 1));
      EXPECT_EQ(m.get(m.state().rax, 16), c.expected.next_iv);
    }
  }
}

TEST(padlock_ace_registers, a_model_may_write_the_next_vector_over_the_first) {
  for (size_t blocks : {1, 2, 5, 100}) {
    for (const Case& c : all_cases(blocks)) {
      if (c.decrypt || (c.mode != Mode::cbc && c.mode != Mode::cfb)) continue;
      SCOPED_TRACE(label(c));
      SpecifiedMachine m("nano,vector-written=on");
      ASSERT_TRUE(is_done(c.job.run(*m)));
      // clause: PLK-ACE-106
      EXPECT_EQ(m->get(c.job.iv_at, 16), c.expected.next_iv);
      EXPECT_EQ(m->state().rax, c.job.dest_at + 16 * (blocks - 1));
      EXPECT_EQ(c.job.output(*m), c.expected.data);

      SpecifiedMachine read_only("nano,vector-written=on");
      c.job.prepare(*read_only);
      read_only->memory.map(c.job.iv_at, 16, Access::read_only);
      EXPECT_FALSE(is_done(read_only->issue(opcode_of(c.mode))));
      EXPECT_EQ(read_only->state().rcx, blocks);
    }
  }
}

TEST(padlock_ace_registers, other_chaining_modes_rewrite_the_vector_and_spare_eax) {
  for (size_t blocks : {1, 2, 5, 100}) {
    for (const Case& c : all_cases(blocks)) {
      if (!vector_is_in_memory(c.mode, c.decrypt)) continue;
      SCOPED_TRACE(label(c));
      Machine m("esther9");
      ASSERT_TRUE(is_done(c.job.run(m)));
      // clause: PLK-ACE-051
      // clause: PLK-ACE-052
      // clause: PLK-ACE-053
      // clause: PLK-ACE-054
      EXPECT_EQ(m.state().rax, c.job.iv_at);
      EXPECT_EQ(to_hex(m.get(c.job.iv_at, 16)), to_hex(c.expected.next_iv));
      if (c.decrypt && (c.mode == Mode::cbc || c.mode == Mode::cfb)) {
        EXPECT_EQ(c.expected.next_iv, Bytes(c.job.source.end() - 16, c.job.source.end()));
      }
    }
  }
}

TEST(padlock_ace_registers, encryption_works_with_a_read_only_vector) {
  for (const Case& c : all_cases(5)) {
    if (c.mode == Mode::ecb || vector_is_in_memory(c.mode, c.decrypt)) continue;
    SCOPED_TRACE(label(c));
    Machine m("esther9");
    c.job.prepare(m);
    m.memory.map(c.job.iv_at, 16, Access::read_only);
    // clause: PLK-ACE-049
    // clause: PLK-ACE-050
    EXPECT_TRUE(is_done(m.issue(opcode_of(c.mode))));
    EXPECT_EQ(c.job.output(m), c.expected.data);
  }
}

TEST(padlock_ace_registers, digest_keeps_edi_in_cbc_and_cfb_only) {
  for (const Case& c : all_cases(5)) {
    SCOPED_TRACE(label(c));
    XcryptJob job = c.job;
    job.control.digest = true;
    Machine m("esther9");
    job.prepare(m);
    m.memory.take_snapshot();
    ASSERT_TRUE(is_done(m.issue(opcode_of(c.mode))));
    EXPECT_EQ(m.state().rcx, 0u);
    EXPECT_EQ(m.state().rsi, job.source_at + 80);
    if (c.mode == Mode::cbc || c.mode == Mode::cfb) {
      // clause: PLK-ACE-042
      EXPECT_EQ(m.state().rdi, job.dest_at);
      const Bytes last(c.expected.data.end() - 16, c.expected.data.end());
      EXPECT_EQ(m.get(job.dest_at, 16), last);
      EXPECT_TRUE(
          m.memory
              .changes_outside(
                  {{job.dest_at, 16}, {job.iv_at, 16}, {Machine::kCode, TestMemory::kPageLen}})
              .empty());
      // clause: PLK-ACE-057
      EXPECT_EQ(m.state().rax, c.decrypt ? job.iv_at : job.dest_at);
      EXPECT_EQ(m.get(m.state().rax, 16), c.expected.next_iv);
    } else {
      // clause: PLK-ACE-064
      EXPECT_EQ(m.state().rdi, job.dest_at + 80);
      EXPECT_EQ(job.output(m), c.expected.data);
    }
  }
}

TEST(padlock_ace_registers, interruption_leaves_whole_blocks_counted) {
  for (size_t stop : {1, 2, 3, 4, 7}) {
    for (const Case& c : all_cases(12)) {
      SCOPED_TRACE(label(c) + ", stop at " + std::to_string(stop));
      Machine m("esther9");
      InterruptAfter interrupt(stop);
      ASSERT_TRUE(is_interrupted(c.job.run(m, &interrupt)));
      const State& s = m.state();
      ASSERT_FALSE(interrupt.asked.empty());
      const uint64_t done = interrupt.asked.back();
      EXPECT_GE(done, stop);
      EXPECT_LT(done, 12u);
      // clause: PLK-ACE-046
      EXPECT_EQ(s.rcx, 12 - done);
      // clause: PLK-ACE-041
      EXPECT_EQ(s.rsi, c.job.source_at + 16 * done);
      EXPECT_EQ(s.rdi, c.job.dest_at + 16 * done);
      EXPECT_EQ(s.rbx, c.job.key_at);
      EXPECT_EQ(s.rdx, c.job.control_at);
      const Bytes output = c.job.output(m);
      const auto split = static_cast<ptrdiff_t>(16 * done);
      EXPECT_TRUE(std::equal(output.begin(), output.begin() + split, c.expected.data.begin()));
      EXPECT_EQ(Bytes(output.begin() + split, output.end()), Bytes(16 * (12 - done)));
      if (c.mode != Mode::ecb) {
        const Bytes part(c.job.source.begin(), c.job.source.begin() + split);
        EXPECT_EQ(m.get(s.rax, 16),
                  apply_mode(c.mode, c.decrypt, kSpKey128, 10, c.job.iv, part).next_iv);
      }
      ASSERT_TRUE(is_done(m.issue_again()));
      EXPECT_EQ(c.job.output(m), c.expected.data);
    }
  }
}

TEST(padlock_ace_registers, interruption_under_an_address_prefix_counts_in_cx) {
  Machine m("esther9");
  XcryptJob job = XcryptJob::standard(Mode::cbc, true, kSpKey128, random_bytes(192, 3), kSpIv);
  job.iv_at = 0x2000, job.key_at = 0x3000, job.control_at = 0x4000;
  job.source_at = 0x5000, job.dest_at = 0x6000;
  job.prepare(m);
  m.state().rcx = 0x7000C;
  m.state().rsi |= 0x110000;
  InterruptAfter interrupt(4);
  ASSERT_TRUE(is_interrupted(m.issue(with_prefix(0x67, kXcryptCbc), &interrupt)));
  const uint64_t done = interrupt.asked.back();
  // clause: PLK-ACE-046
  EXPECT_EQ(m.state().rcx, 0x7000C - done);
  EXPECT_EQ(m.state().rsi, 0x115000 + 16 * done);
  ASSERT_TRUE(is_done(m.issue_again()));
  EXPECT_EQ(m.state().rcx, 0x70000u);
  EXPECT_EQ(job.output(m), apply_mode(Mode::cbc, true, kSpKey128, 10, kSpIv, job.source).data);
}

TEST(padlock_ace_registers, ecb_reads_one_block_more_when_the_count_is_odd) {
  for (size_t count : {1, 3}) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(count);
      XcryptJob job =
          XcryptJob::standard(Mode::ecb, decrypt, kSpKey128, random_bytes(16 * count, 4));
      job.source_at = 0x101000 - 16 * count;
      const Bytes expected =
          apply_mode(Mode::ecb, decrypt, kSpKey128, 10, Bytes(16), job.source).data;
      Machine cut("esther9");
      // clause: PLK-ACE-062
      const Step step = job.run(cut);
      EXPECT_TRUE(is_page_fault(step, 0x101000, false));
      EXPECT_EQ(cut.state().rcx, count - (cut.state().rsi - job.source_at) / 16);
      EXPECT_GE(cut.state().rcx, 1u);

      // The chaining modes do not.
      Machine cbc("esther9");
      XcryptJob chained = job;
      chained.mode = Mode::cbc;
      EXPECT_TRUE(is_done(chained.run(cbc)));

      Machine whole("esther9");
      job.prepare(whole);
      whole.put(0x101000, random_bytes(16, 5));
      whole.memory.map(job.dest_at, 64);
      whole.put(job.dest_at + 16 * count, Bytes(16, 0xEE));
      ASSERT_TRUE(is_done(whole.issue(kXcryptEcb)));
      // clause: PLK-ACE-063
      EXPECT_EQ(job.output(whole), expected);
      EXPECT_EQ(whole.get(job.dest_at + 16 * count, 16), Bytes(16, 0xEE));
      EXPECT_EQ(whole.state().rsi, job.source_at + 16 * count);
      EXPECT_EQ(whole.state().rdi, job.dest_at + 16 * count);
    }
  }
}

TEST(padlock_ace_registers, ecb_needs_only_the_stored_blocks_to_be_writable) {
  XcryptJob job = XcryptJob::standard(Mode::ecb, false, kSpKey128, random_bytes(48, 6));
  job.dest_at = 0x301000 - 48;  // the page behind is absent
  Machine m("esther9");
  // clause: PLK-ACE-063
  EXPECT_TRUE(is_done(job.run(m)));
  EXPECT_EQ(job.output(m), apply_mode(Mode::ecb, false, kSpKey128, 10, Bytes(16), job.source).data);
}

// The second block of a pair, too, lies where SI goes after the first.
TEST(padlock_ace_registers, a_pair_of_source_blocks_wraps_as_si_does) {
  XcryptJob job = XcryptJob::standard(Mode::ecb, false, kSpKey128, random_bytes(64, 7));
  job.key_at = 0x3000, job.control_at = 0x4000, job.source_at = 0xFFF0, job.dest_at = 0x6000;
  const Bytes blocks = random_bytes(32, 8);
  Machine m("esther9", CodeSize::bits16);
  job.prepare(m);
  m.put(0xFFF0, Bytes(blocks.begin(), blocks.begin() + 16));
  m.put(0, Bytes(blocks.begin() + 16, blocks.end()));
  m.state().rcx = 2;
  ASSERT_TRUE(is_done(m.issue(kXcryptEcb)));
  EXPECT_EQ(m.get(job.dest_at, 32),
            apply_mode(Mode::ecb, false, kSpKey128, 10, Bytes(16), blocks).data);
  EXPECT_EQ(m.state().rsi, 0x10u);
}

}  // namespace
}  // namespace incore::padlock::test
