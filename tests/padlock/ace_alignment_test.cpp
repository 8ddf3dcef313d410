// Alignment of REP XCRYPT's operands, the ALIGN bit and its scratch area. PadLock guide 1.66,
// chapter 3.
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

enum class Operand { source, dest, key, control, iv };

XcryptJob shifted(XcryptJob job, Operand operand, uint64_t by) {
  switch (operand) {
    case Operand::source:
      job.source_at += by;
      break;
    case Operand::dest:
      job.dest_at += by;
      break;
    case Operand::key:
      job.key_at += by;
      break;
    case Operand::control:
      job.control_at += by;
      break;
    case Operand::iv:
      job.iv_at += by;
      break;
  }
  return job;
}

// #GP(0), with registers and memory as they were.
void expect_gp(const char* model, const XcryptJob& job) {
  Machine m(model);
  job.prepare(m);
  m.memory.take_snapshot();
  EXPECT_TRUE(is_trap(m.issue(opcode_of(job.mode)), Vector::general_protection));
  EXPECT_EQ(m.state().rip, Machine::kCode);
  EXPECT_EQ(m.state().rcx, job.blocks());
  EXPECT_EQ(m.state().rsi, job.source_at);
  EXPECT_EQ(m.state().rdi, job.dest_at);
  EXPECT_TRUE(m.memory.changes_outside({{Machine::kCode, TestMemory::kPageLen}}).empty());
}

void expect_all_offsets_fault(const char* model, Operand operand, bool align = false) {
  for (Mode mode : kModes) {
    if (operand == Operand::iv && mode == Mode::ecb) continue;
    if (std::string(model) == "nehemiah" && mode == Mode::ctr) continue;
    for (uint64_t by = 1; by < 16; ++by) {
      SCOPED_TRACE(std::string(name_of(mode)) + ", offset " + std::to_string(by));
      XcryptJob job = XcryptJob::standard(mode, by % 2 == 0, kSpKey128, kSpPlain, kSpIv);
      job.control.align = align;
      expect_gp(model, shifted(job, operand, by));
    }
  }
}

TEST(padlock_ace_alignment, nehemiah_needs_every_operand_aligned) {
  for (Operand operand :
       {Operand::source, Operand::dest, Operand::key, Operand::control, Operand::iv}) {
    SCOPED_TRACE(static_cast<int>(operand));
    // clause: PLK-ACE-034
    expect_all_offsets_fault("nehemiah", operand);
  }
}

TEST(padlock_ace_alignment, source_and_destination_must_be_aligned_without_align) {
  // clause: PLK-ACE-037
  expect_all_offsets_fault("esther9", Operand::source);
  expect_all_offsets_fault("esther9", Operand::dest);
}

TEST(padlock_ace_alignment, key_must_be_aligned) {
  // clause: PLK-ACE-043
  expect_all_offsets_fault("esther9", Operand::key);
  expect_all_offsets_fault("esther9", Operand::key, true);
}

TEST(padlock_ace_alignment, vector_must_be_aligned) {
  // clause: PLK-ACE-048
  expect_all_offsets_fault("esther9", Operand::iv);
  expect_all_offsets_fault("esther9", Operand::iv, true);
}

TEST(padlock_ace_alignment, control_word_must_be_aligned) {
  // clause: PLK-ACE-078
  expect_all_offsets_fault("esther9", Operand::control);
  expect_all_offsets_fault("esther9", Operand::control, true);
}

TEST(padlock_ace_alignment, linear_address_counts_not_the_offset) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    Machine m("esther9");
    const XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, kSpIv);
    job.prepare(m);
    State& s = m.state();
    s.es.base = 0x8008;
    for (uint64_t* r : {&s.rax, &s.rbx, &s.rdx, &s.rsi, &s.rdi}) *r -= 0x8008;
    // clause: PLK-ACE-038
    EXPECT_TRUE(is_done(m.issue(opcode_of(mode))));
    EXPECT_EQ(job.output(m), apply_mode(mode, false, kSpKey128, 10, kSpIv, kSpPlain).data);
    EXPECT_EQ(s.rsi, job.source_at - 0x8008 + 64);

    // Offsets that are multiples of 16 are now misaligned, one operand at a time.
    for (uint64_t State::*reg : {&State::rsi, &State::rdi, &State::rbx, &State::rdx, &State::rax}) {
      if (mode == Mode::ecb && reg == &State::rax) continue;
      job.prepare(m);
      for (uint64_t* r : {&s.rax, &s.rbx, &s.rdx, &s.rsi, &s.rdi}) *r -= 0x8008;
      s.*reg -= 8;
      ASSERT_EQ(s.*reg % 16, 0u);
      EXPECT_TRUE(is_trap(m.issue(opcode_of(mode)), Vector::general_protection));
    }
  }
}

TEST(padlock_ace_alignment, align_frees_source_and_destination_but_in_ecb) {
  for (Mode mode : kChainingModes) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(name_of(mode));
      const Bytes in = random_bytes(16 * 7, 8);
      Machine m("esther9");
      XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey256, in, kSpIv);
      job.control.align = true;
      job.source_at += 1, job.dest_at += 3;
      // clause: PLK-ACE-035
      EXPECT_TRUE(is_done(job.run(m)));
      EXPECT_EQ(job.output(m), apply_mode(mode, decrypt, kSpKey256, 14, kSpIv, in).data);
      EXPECT_EQ(m.state().rsi, job.source_at + in.size());
      EXPECT_EQ(m.state().rdi, job.dest_at + in.size());
    }
  }
}

TEST(padlock_ace_alignment, align_serves_every_pair_of_offsets) {
  const Bytes in = random_bytes(80, 9);
  for (bool decrypt : {false, true}) {
    const ModeResult expected = apply_mode(Mode::cbc, decrypt, kSpKey128, 10, kSpIv, in);
    for (uint64_t from = 0; from < 16; ++from) {
      for (uint64_t to = 0; to < 16; ++to) {
        SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
        Machine m("esther9");
        XcryptJob job = XcryptJob::standard(Mode::cbc, decrypt, kSpKey128, in, kSpIv);
        job.control.align = true;
        job.source_at += from, job.dest_at += to;
        // clause: PLK-ACE-091
        ASSERT_TRUE(is_done(job.run(m)));
        ASSERT_EQ(job.output(m), expected.data);
        // clause: PLK-ACE-058
        ASSERT_EQ(m.state().rax % 16, 0u);
        ASSERT_EQ(m.get(m.state().rax, 16), expected.next_iv);
      }
    }
  }
}

TEST(padlock_ace_alignment, vector_of_a_misaligned_destination_is_kept_in_the_scratch_area) {
  for (Mode mode : {Mode::cbc, Mode::cfb}) {
    SCOPED_TRACE(name_of(mode));
    const Bytes in = random_bytes(80, 12);
    Machine m("esther9");
    XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, in, kSpIv);
    job.control.align = true;
    job.dest_at += 4;
    ASSERT_TRUE(is_done(job.run(m)));
    // clause: PLK-ACE-058
    EXPECT_EQ(m.state().rax % 16, 0u);
    EXPECT_GE(m.state().rax, job.control_at + 16);
    EXPECT_LE(m.state().rax + 16, job.control_at + 128);
    EXPECT_EQ(m.get(m.state().rax, 16), Bytes(m.get(job.dest_at + 64, 16)));
  }
}

TEST(padlock_ace_alignment, ecb_needs_alignment_even_with_align) {
  for (Operand operand : {Operand::source, Operand::dest}) {
    for (uint64_t by = 1; by < 16; ++by) {
      XcryptJob job = XcryptJob::standard(Mode::ecb, by % 2 == 0, kSpKey128, kSpPlain);
      job.control.align = true;
      // clause: PLK-ACE-092
      expect_gp("esther9", shifted(job, operand, by));
    }
  }
}

TEST(padlock_ace_alignment, align_needs_112_bytes_of_scratch) {
  for (Mode mode : kChainingModes) {
    SCOPED_TRACE(name_of(mode));
    XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, kSpIv);
    job.control.align = true;
    job.source_at += 1, job.dest_at += 1;
    job.control_at = 0x30FF0;  // the page behind, where the scratch area lies, is absent
    Machine m("esther9");
    m.memory.unmap(0x31000, 1);
    const Step step = job.run(m);
    // clause: PLK-ACE-079
    EXPECT_TRUE(is_trap(step, Vector::page_fault));
    EXPECT_EQ(step.trap.address(), 0x31000u);
    EXPECT_EQ(m.state().rcx, job.blocks());
    EXPECT_EQ(job.output(m), Bytes(kSpPlain.size()));
    m.memory.map(0x31000, 1);
    EXPECT_TRUE(is_done(m.issue_again()));
    EXPECT_EQ(job.output(m), apply_mode(mode, false, kSpKey128, 10, kSpIv, kSpPlain).data);

    // The last of the 128 bytes counts too, and the one behind it does not.
    Machine last("esther9");
    job.control_at = 0x30000;
    job.prepare(last);
    last.memory.fault_writes_at(job.control_at + 127);
    EXPECT_TRUE(is_trap(last.issue(opcode_of(mode)), Vector::page_fault));
    last.memory.clear_faults();
    last.memory.fault_writes_at(job.control_at + 128);
    last.memory.fault_reads_at(job.control_at + 128);
    EXPECT_TRUE(is_done(last.issue(opcode_of(mode))));

    // Segments count like pages.
    Machine limited("esther9");
    job.control_at = 0x500000;  // above all others
    job.prepare(limited);
    limited.state().es.limit = job.control_at + 126;
    EXPECT_TRUE(is_trap(limited.issue(opcode_of(mode)), Vector::general_protection));
    limited.state().es.limit = job.control_at + 127;
    EXPECT_TRUE(is_done(limited.issue(opcode_of(mode))));
  }
}

TEST(padlock_ace_alignment, scratch_is_written_within_its_112_bytes) {
  for (Mode mode : kChainingModes) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(name_of(mode));
      XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, kSpPlain, kSpIv);
      job.control.align = true;
      job.source_at += 7, job.dest_at += 9;
      Machine m("esther9");
      job.prepare(m);
      m.put(job.control_at + 128, Bytes(64, 0xEE));
      m.memory.take_snapshot();
      ASSERT_TRUE(is_done(m.issue(opcode_of(mode))));
      EXPECT_TRUE(m.memory
                      .changes_outside({{job.control_at + 16, 112},
                                        {job.dest_at, job.source.size()},
                                        {job.iv_at, 16},
                                        {Machine::kCode, TestMemory::kPageLen}})
                      .empty());

      // clause: PLK-ACE-080
      Machine read_only("esther9");
      job.prepare(read_only);
      read_only.memory.map(job.control_at, 128, Access::read_only);
      const Step step = read_only.issue(opcode_of(mode));
      EXPECT_TRUE(is_trap(step, Vector::page_fault));
      EXPECT_EQ(step.trap.error_code & 3, 3u);  // a write to a page that is there
      EXPECT_GE(step.trap.address(), job.control_at + 16);
      EXPECT_LT(step.trap.address(), job.control_at + 128);
    }
  }
}

TEST(padlock_ace_alignment, without_align_nothing_behind_the_control_word_is_needed) {
  XcryptJob job = XcryptJob::standard(Mode::cbc, false, kSpKey128, kSpPlain, kSpIv);
  job.control_at = 0x30FF0;
  Machine m("esther9");
  m.memory.unmap(0x31000, 1);
  // clause: PLK-ACE-079
  EXPECT_TRUE(is_done(job.run(m)));
  EXPECT_EQ(to_hex(job.output(m)), to_hex(kSpCbc128));
}

}  // namespace
}  // namespace incore::padlock::test
