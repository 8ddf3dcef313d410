// Faults and interrupts of PadLock instructions: when they come and what state they leave. PadLock
// guide 1.66.
#include "padlock/other_units.h"
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

ModeResult expected_of(const XcryptJob& job, const Bytes& key, size_t blocks) {
  const Bytes part(job.source.begin(), job.source.begin() + static_cast<ptrdiff_t>(16 * blocks));
  return apply_mode(job.mode, job.control.decrypt, key, 10, job.iv, part);
}

// After a stop, the registers, the destination and the vector all tell of the same number of whole
// blocks, which is returned.
uint64_t check_whole_blocks(Machine& m, const XcryptJob& job, const Bytes& key) {
  const State& s = m.state();
  const uint64_t done = (s.rsi - job.source_at) / 16;
  EXPECT_EQ(s.rsi, job.source_at + 16 * done);
  EXPECT_EQ(s.rdi, job.dest_at + 16 * done);
  EXPECT_EQ(s.rcx, job.blocks() - done);
  EXPECT_EQ(s.rbx, job.key_at);
  EXPECT_EQ(s.rdx, job.control_at);
  EXPECT_EQ(s.rip, Machine::kCode);
  const ModeResult expected = expected_of(job, key, done);
  EXPECT_EQ(m.get(job.dest_at, 16 * done), expected.data);
  if (job.mode != Mode::ecb) {
    EXPECT_EQ(m.get(s.rax, 16), expected.next_iv);
  }
  return done;
}

TEST(padlock_exceptions, an_interrupt_waits_for_the_end_of_a_single_step) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    Machine m("esther9");
    const XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, random_bytes(16, 1), kSpIv);
    InterruptAfter pending(0);
    // clause: PLK-EXC-001
    EXPECT_TRUE(is_done(job.run(m, &pending)));
    EXPECT_EQ(m.state().rcx, 0u);
    EXPECT_EQ(job.output(m), expected_of(job, kSpKey128, 1).data);
  }
  Machine m("esther9");
  const XshaJob sha{.message = from_hex("616263")};
  sha.prepare(m);
  InterruptAfter pending(0);
  EXPECT_TRUE(is_done(m.issue(kXsha1, &pending)));
  EXPECT_EQ(to_hex(sha.digest(m)), "363e99a96a81064771253eba6cc250789dd8d09c");
}

TEST(padlock_exceptions, a_long_instruction_is_interrupted_between_iterations) {
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      for (bool align : {false, true}) {
        if (align && mode == Mode::ecb) continue;
        SCOPED_TRACE(std::string(name_of(mode)) + (decrypt ? " decrypt" : " encrypt"));
        XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, random_bytes(320, 2), kSpIv);
        job.control.align = align;
        if (align) job.source_at += 1, job.dest_at += 15;
        Machine m("esther9");
        job.prepare(m);
        unsigned interrupts = 0;
        for (;; ++interrupts) {
          ASSERT_LT(interrupts, 21u);
          InterruptAfter pending(1);
          const Step step =
              interrupts == 0 ? m.issue(opcode_of(mode), &pending) : m.issue_again(&pending);
          if (step.outcome != Outcome::interrupted) {
            ASSERT_TRUE(is_done(step));
            break;
          }
          // clause: PLK-EXC-002
          EXPECT_GT(check_whole_blocks(m, job, kSpKey128), interrupts);
        }
        EXPECT_GE(interrupts, 5u);
        EXPECT_EQ(job.output(m), expected_of(job, kSpKey128, 20).data);
      }
    }
  }
}

TEST(padlock_exceptions, a_page_fault_on_a_source_block_can_be_mended_and_resumed) {
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(std::string(name_of(mode)) + (decrypt ? " decrypt" : " encrypt"));
      // 256 blocks in each of two pages, the second absent.
      const XcryptJob job =
          XcryptJob::standard(mode, decrypt, kSpKey128, random_bytes(8192, 3), kSpIv);
      Machine m("esther9");
      job.prepare(m);
      m.memory.unmap(job.source_at + 4096, 4096);
      const Step step = m.issue(opcode_of(mode));
      // clause: PLK-EXC-003
      ASSERT_TRUE(is_page_fault(step, job.source_at + 4096, false));
      // clause: PLK-EXC-005
      // clause: PLK-EXC-006
      EXPECT_EQ(check_whole_blocks(m, job, kSpKey128), 256u);
      EXPECT_EQ(m.get(job.dest_at + 4096, 4096), Bytes(4096));
      m.memory.map(job.source_at + 4096, 4096);
      // clause: PLK-EXC-004
      ASSERT_TRUE(is_done(m.issue_again()));
      EXPECT_EQ(job.output(m), expected_of(job, kSpKey128, 512).data);
    }
  }
}

TEST(padlock_exceptions, a_fault_in_any_block_keeps_exactly_the_blocks_before_it) {
  constexpr uint64_t kBlocks = 9;
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      for (bool on_store : {false, true}) {
        for (bool in_place : {false, true}) {
          for (uint64_t k = 0; k < kBlocks; ++k) {
            SCOPED_TRACE(std::string(name_of(mode)) + (decrypt ? " decrypt" : " encrypt") +
                         (on_store ? ", store of " : ", load of ") + std::to_string(k));
            XcryptJob job =
                XcryptJob::standard(mode, decrypt, kSpKey128, random_bytes(16 * kBlocks, 4), kSpIv);
            if (in_place) job.dest_at = job.source_at;
            Machine m("esther9");
            job.prepare(m);
            const uint64_t bad = (on_store ? job.dest_at : job.source_at) + 16 * k + 5;
            if (on_store)
              m.memory.fault_writes_at(bad);
            else
              m.memory.fault_reads_at(bad);
            ASSERT_TRUE(is_page_fault(m.issue(opcode_of(mode)), bad, on_store));
            m.memory.clear_faults();
            // clause: PLK-EXC-005
            // clause: PLK-EXC-006
            const uint64_t done = check_whole_blocks(m, job, kSpKey128);
            if (mode != Mode::ecb || k % 2 == 0)
              EXPECT_EQ(done, k);
            else
              EXPECT_TRUE(done == k || done == k - 1) << done;  // ECB works on pairs
            ASSERT_EQ(
                m.get(job.source_at + 16 * (k + 1), 16 * (kBlocks - k - 1)),
                Bytes(job.source.begin() + static_cast<ptrdiff_t>(16 * (k + 1)), job.source.end()));
            // clause: PLK-EXC-004
            ASSERT_TRUE(is_done(m.issue_again()));
            EXPECT_EQ(job.output(m), expected_of(job, kSpKey128, kBlocks).data);
          }
        }
      }
    }
  }
}

TEST(padlock_exceptions, a_vector_that_cannot_be_written_faults_before_anything_is_lost) {
  for (Mode mode : kChainingModes) {
    const bool decrypt = mode == Mode::cbc || mode == Mode::cfb;
    SCOPED_TRACE(name_of(mode));
    XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, random_bytes(80, 5), kSpIv);
    job.dest_at = job.source_at;  // a block done twice would be seen
    Machine m("esther9");
    job.prepare(m);
    m.memory.map(job.iv_at, 16, Access::read_only);
    const Step step = m.issue(opcode_of(mode));
    ASSERT_TRUE(is_trap(step, Vector::page_fault));
    EXPECT_GE(step.trap.address(), job.iv_at);
    EXPECT_LT(step.trap.address(), job.iv_at + 16);
    EXPECT_EQ(step.trap.error_code & 3, 3u);
    // clause: PLK-EXC-005
    EXPECT_EQ(check_whole_blocks(m, job, kSpKey128), 0u);
    EXPECT_EQ(m.get(job.source_at, 80), job.source);
    m.memory.map(job.iv_at, 16);
    // clause: PLK-EXC-004
    ASSERT_TRUE(is_done(m.issue_again()));
    EXPECT_EQ(job.output(m), expected_of(job, kSpKey128, 5).data);
  }
}

TEST(padlock_exceptions, a_fault_addresses_the_first_prefix_byte) {
  Machine m("esther9");
  XcryptJob job = XcryptJob::standard(Mode::ecb, false, kSpKey128, kSpPlain);
  job.prepare(m);
  m.memory.fault_reads_at(job.source_at);
  ASSERT_TRUE(is_trap(m.issue(with_prefix(0x2E, kXcryptEcb)), Vector::page_fault));
  // clause: PLK-EXC-006
  EXPECT_EQ(m.state().rip, Machine::kCode);
  m.memory.clear_faults();
  ASSERT_TRUE(is_done(m.issue_again()));
  EXPECT_EQ(m.state().rip, Machine::kCode + 5);
}

TEST(padlock_exceptions, montmul_tests_its_buffers_before_it_starts) {
  for (uint64_t MontmulJob::*number :
       {&MontmulJob::a_at, &MontmulJob::b_at, &MontmulJob::t_at, &MontmulJob::m_at}) {
    MontmulJob job;
    job.*number = 0x90FF0;  // its second half lies in the next page
    const uint64_t second = job.*number + 16;
    Machine m("esther9");
    job.prepare(m);
    m.state().rdx = 0x5EED;
    for (Access access : {Access::absent, Access::read_only}) {
      if (access == Access::read_only && number != &MontmulJob::t_at) continue;
      m.memory.map(second, 16, access);
      m.memory.take_snapshot();
      const State before = m.state();
      const Step step = m.issue(kMontmul);
      // clause: PLK-EXC-007
      if (number == &MontmulJob::t_at) {
        EXPECT_TRUE(is_trap(step, Vector::page_fault));
        EXPECT_EQ(step.trap.address(), second);
      } else {
        EXPECT_TRUE(is_page_fault(step, second, false));
      }
      // clause: PLK-EXC-008
      EXPECT_EQ(m.state().rax, before.rax);
      EXPECT_EQ(m.state().rcx, before.rcx);
      EXPECT_EQ(m.state().rdx, before.rdx);
      EXPECT_EQ(m.state().rsi, before.rsi);
      EXPECT_TRUE(m.memory.changes_outside({{Machine::kCode, TestMemory::kPageLen}}).empty());
    }
    m.memory.map(second, 16);
    ASSERT_TRUE(is_done(m.issue_again()));
    EXPECT_EQ(to_hex(job.result(m)), to_hex(kMontmulOf3));
  }
}

TEST(padlock_exceptions, count_of_zero_still_loads_a_source_block) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, kSpIv);
    Machine m("esther9");
    job.prepare(m);
    m.state().rcx = 0;
    m.memory.unmap(job.source_at, 16);
    // clause: PLK-EXC-009
    // clause: PLK-EXC-010
    EXPECT_TRUE(is_page_fault(m.issue(opcode_of(mode)), job.source_at, false));
  }
}

TEST(padlock_exceptions, count_of_zero_touches_as_many_blocks_as_are_fetched_first) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, kSpIv);
    Machine m("esther9");
    job.prepare(m);
    m.state().rcx = 0;
    m.memory.fault_reads_at(job.source_at + 16);
    const Step step = m.issue(opcode_of(mode));
    // clause: PLK-EXC-020
    if (mode == Mode::ecb) {
      EXPECT_TRUE(is_page_fault(step, job.source_at + 16, false));
      m.memory.clear_faults();
      m.memory.fault_reads_at(job.source_at + 32);
      EXPECT_TRUE(is_done(m.issue(opcode_of(mode))));
    } else {
      EXPECT_TRUE(is_done(step));
    }
  }
}

TEST(padlock_exceptions, count_of_zero_changes_nothing) {
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(name_of(mode));
      const XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, kSpPlain, kSpIv);
      Machine m("esther9");
      job.prepare(m);
      m.state().rcx = 0;
      m.memory.take_snapshot();
      const uint64_t loads = m.processor.num_key_loads();
      // clause: PLK-EXC-011
      ASSERT_TRUE(is_done(m.issue(opcode_of(mode))));
      EXPECT_TRUE(m.memory.changes_outside({{Machine::kCode, TestMemory::kPageLen}}).empty());
      EXPECT_EQ(m.state().rax, job.iv_at);
      EXPECT_EQ(m.state().rcx, 0u);
      EXPECT_EQ(m.state().rsi, job.source_at);
      EXPECT_EQ(m.state().rdi, job.dest_at);
      EXPECT_EQ(m.state().rip, Machine::kCode + 4);
      // clause: PLK-EXC-012
      EXPECT_FALSE(m.keys_loaded());
      EXPECT_EQ(m.processor.num_key_loads(), loads);
    }
  }
}

TEST(padlock_exceptions, invalid_opcode_comes_before_alignment_and_limit_before_page_faults) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, kSpIv);
    Machine m("esther9");
    job.prepare(m);
    m.memory.unmap(job.source_at, 64);
    // clause: PLK-EXC-013
    m.state().rsi = job.source_at + 8;
    EXPECT_TRUE(is_trap(m.issue(opcode_of(mode)), Vector::general_protection));
    EXPECT_TRUE(is_trap(m.issue(with_prefix(0x66, opcode_of(mode))), Vector::invalid_opcode));
    m.state().rsi = job.source_at;
    EXPECT_TRUE(is_trap(m.issue(opcode_of(mode)), Vector::page_fault));
    EXPECT_TRUE(is_trap(m.issue(with_prefix(0x66, opcode_of(mode))), Vector::invalid_opcode));

    m.state().es.limit = job.source_at - 1;
    EXPECT_TRUE(is_trap(m.issue(opcode_of(mode)), Vector::general_protection));
    m.state().es.limit = ~uint64_t{0};

    m.state().cpl = 0;
    ASSERT_FALSE(m.processor.wrmsr(0x1107, 0));  // FCR bit 28 = 0: disabled
    m.state().cpl = 3;
    EXPECT_TRUE(is_trap(m.issue(opcode_of(mode)), Vector::invalid_opcode));
    m.state().rsi = job.source_at + 8;
    EXPECT_TRUE(is_trap(m.issue(opcode_of(mode)), Vector::invalid_opcode));

    Machine absent("c5xl");
    job.prepare(absent);
    absent.memory.unmap(job.source_at, 64);
    EXPECT_TRUE(is_trap(absent.issue(opcode_of(mode)), Vector::invalid_opcode));
  }
}

TEST(padlock_exceptions, crypto_and_hash_need_the_rep_prefix) {
  for (const Bytes* code : {&kXcryptEcb, &kXcryptCbc, &kXcryptCtr, &kXcryptCfb, &kXcryptOfb,
                            &kXsha1, &kXsha256, &kMontmul}) {
    const Bytes bare(code->begin() + 1, code->end());
    SCOPED_TRACE(to_hex(bare));
    Machine m("esther9");
    XcryptJob::standard(Mode::cbc, false, kSpKey128, kSpPlain, kSpIv).prepare(m);
    if (code == &kMontmul) MontmulJob().prepare(m);
    if (code == &kXsha1) XshaJob{.message = Bytes(3)}.prepare(m);
    if (code == &kXsha256) XshaJob{.sha256 = true, .message = Bytes(3)}.prepare(m);
    m.memory.take_snapshot();
    // clause: PLK-EXC-015
    EXPECT_TRUE(is_trap(m.issue(bare), Vector::invalid_opcode));
    EXPECT_EQ(m.state().rip, Machine::kCode);
    EXPECT_TRUE(m.memory.changes_outside({{Machine::kCode, TestMemory::kPageLen}}).empty());
    EXPECT_TRUE(is_done(m.issue(*code)));  // with it, all is well
  }
}

TEST(padlock_exceptions, an_instruction_of_more_than_15_bytes_is_a_protection_fault) {
  for (const Bytes* code : {&kXstore, &kRepXstore, &kXcryptEcb, &kXcryptCbc, &kXcryptCtr,
                            &kXcryptCfb, &kXcryptOfb, &kXsha1, &kXsha256, &kMontmul}) {
    SCOPED_TRACE(to_hex(*code));
    Machine m("esther9");
    const Step bare = m.issue(*code), locked = m.issue(with_prefix(0xF0, *code));
    EXPECT_TRUE(is_trap(locked, Vector::invalid_opcode));
    for (size_t prefixes = 12 - code->size(); prefixes < 20; ++prefixes) {
      const bool too_long = prefixes + code->size() > 15;
      const Step step = m.issue(concat(Bytes(prefixes, 0x2E), *code));
      // clause: PLK-EXC-022
      EXPECT_EQ(step.outcome, too_long ? Outcome::trapped : bare.outcome) << prefixes;
      EXPECT_EQ(step.trap.vector, too_long ? Vector::general_protection : bare.trap.vector);
      EXPECT_TRUE(is_trap(m.issue(concat(Bytes(prefixes, 0xF0), *code)),
                          too_long ? Vector::general_protection : Vector::invalid_opcode));
      EXPECT_EQ(m.state().rip, Machine::kCode);
    }
  }
  // The length comes before the question whether the processor has the unit.
  Machine absent("c5xl");
  const Bytes longest = concat(Bytes(11, 0x2E), kXcryptEcb);
  EXPECT_TRUE(is_trap(absent.issue(longest), Vector::invalid_opcode));
  EXPECT_TRUE(is_trap(absent.issue(with_prefix(0x2E, longest)), Vector::general_protection));
}

// Runs |code| after |set_up| on two machines, the second of which was treated by |change|;
// everything comes out alike.
template <class SetUp, class Change>
void expect_no_difference(const Bytes& plain_code, const Bytes& other_code, SetUp set_up,
                          Change change) {
  SCOPED_TRACE(to_hex(plain_code));
  PseudoNoise noise_a, noise_b;
  Machine a("esther9"), b("esther9");
  a.processor.rng.use_noise(&noise_a);
  b.processor.rng.use_noise(&noise_b);
  set_up(a), set_up(b);
  change(b);
  b.memory.take_snapshot();
  ASSERT_TRUE(is_done(a.issue(plain_code)));
  ASSERT_TRUE(is_done(b.issue(other_code)));
  EXPECT_EQ(a.state().rax, b.state().rax);
  EXPECT_EQ(a.state().rbx, b.state().rbx);
  EXPECT_EQ(a.state().rcx, b.state().rcx);
  EXPECT_EQ(a.state().rdx, b.state().rdx);
  EXPECT_EQ(a.state().rsi, b.state().rsi);
  EXPECT_EQ(a.state().rdi, b.state().rdi);
  const uint64_t base = a.state().es.base;
  for (uint64_t at : {0x10000, 0x60000, 0x70000, 0x83000, 0x90000, 0x100000, 0x300000}) {
    a.memory.map(base + at, 4096), b.memory.map(base + at, 4096);
    EXPECT_EQ(a.get(base + at, 4096), b.get(base + at, 4096)) << at;
  }
  EXPECT_FALSE(b.memory.changes_outside({{Machine::kCode, 4096}}).empty());  // it did something
}

// All instructions, each with its operands.
template <class Change>
void expect_no_difference_anywhere(uint8_t prefix, Change change) {
  const auto code = [prefix](const Bytes& c) { return prefix == 0 ? c : with_prefix(prefix, c); };
  for (Mode mode : kModes)
    for (bool decrypt : {false, true})
      expect_no_difference(
          opcode_of(mode), code(opcode_of(mode)),
          [&](Machine& m) {
            XcryptJob::standard(mode, decrypt, kSpKey128, random_bytes(160, 6), kSpIv).prepare(m);
          },
          change);
  for (bool sha256 : {false, true})
    expect_no_difference(
        sha256 ? kXsha256 : kXsha1, code(sha256 ? kXsha256 : kXsha1),
        [&](Machine& m) { XshaJob{.sha256 = sha256, .message = random_bytes(200, 7)}.prepare(m); },
        change);
  expect_no_difference(
      kMontmul, code(kMontmul), [](Machine& m) { MontmulJob().prepare(m); }, change);
  for (const Bytes* xstore : {&kXstore, &kRepXstore})
    expect_no_difference(
        *xstore, code(*xstore),
        [](Machine& m) {
          m.memory.map(0x90000, 64);
          m.state().rdx = 0;
          m.state().rcx = 24;
          m.state().rdi = 0x90000;
        },
        change);
}

TEST(padlock_exceptions, direction_flag_has_no_influence) {
  // clause: PLK-EXC-016
  expect_no_difference_anywhere(0, [](Machine& m) { m.state().rflags |= 1u << 10; });
}

TEST(padlock_exceptions, segment_override_has_no_influence) {
  for (uint8_t prefix : {0x2E, 0x36, 0x3E, 0x64, 0x65, 0x26}) {
    SCOPED_TRACE(unsigned{prefix});
    // clause: PLK-EXC-017
    expect_no_difference_anywhere(prefix, [](Machine&) {});
  }
}

TEST(padlock_exceptions, operands_lie_in_es) {
  constexpr uint64_t kBase = 0x800000;
  for (uint8_t prefix : {0x00, 0x2E, 0x64}) {
    const auto code = [prefix](const Bytes& c) { return prefix == 0 ? c : with_prefix(prefix, c); };
    const auto move = [](Machine& m, std::initializer_list<uint64_t State::*> registers) {
      m.state().es.base = kBase;
      for (uint64_t State::*r : registers) m.state().*r -= kBase;
    };
    for (Mode mode : kModes) {
      XcryptJob job = XcryptJob::standard(mode, true, kSpKey128, kSpPlain, kSpIv);
      for (uint64_t* at : {&job.iv_at, &job.key_at, &job.control_at, &job.source_at, &job.dest_at})
        *at += kBase;
      Machine m("esther9");
      job.prepare(m);
      move(m, {&State::rax, &State::rbx, &State::rdx, &State::rsi, &State::rdi});
      // clause: PLK-EXC-017
      EXPECT_TRUE(is_done(m.issue(code(opcode_of(mode)))));
      EXPECT_EQ(job.output(m), apply_mode(mode, true, kSpKey128, 10, kSpIv, kSpPlain).data);
    }
    Machine m("esther9");
    const XshaJob sha{.message = from_hex("616263"), .message_at = kBase, .state_at = kBase + 4096};
    sha.prepare(m);
    move(m, {&State::rsi, &State::rdi});
    EXPECT_TRUE(is_done(m.issue(code(kXsha1))));
    EXPECT_EQ(to_hex(sha.digest(m)), "363e99a96a81064771253eba6cc250789dd8d09c");
  }
}

TEST(padlock_exceptions, operands_of_64_bit_code_have_canonical_addresses) {
  // The first byte behind the lower half, the last before the upper half, and the ends of both.
  const struct {
    uint64_t address;
    bool canonical;
  } cases[] = {{0x00007FFFFFFFF000, true},  {0x0000800000000000, false},
               {0x0001000000000000, false}, {0xFFFF7FFFFFFFF000, false},
               {0xFFFF800000000000, true},  {0xFFFFFFFFFFFFF000, true}};
  for (const auto& c : cases) {
    SCOPED_TRACE(to_hex(reinterpret_cast<const uint8_t*>(&c.address), 8));
    const auto expect = [&c](Machine& m, const Bytes& code) {
      const Step step = m.issue(code);  // what is canonical is not mapped
      // clause: PLK-EXC-018
      EXPECT_TRUE(is_trap(step, c.canonical ? Vector::page_fault : Vector::general_protection));
    };
    for (Mode mode : kModes) {
      for (uint64_t State::*operand :
           {&State::rax, &State::rbx, &State::rdx, &State::rsi, &State::rdi}) {
        if (mode == Mode::ecb && operand == &State::rax) continue;
        Machine m("esther9", CodeSize::bits64);
        XcryptJob::standard(mode, true, kSpKey128, random_bytes(32, 8), kSpIv).prepare(m);
        m.state().*operand = c.address;
        expect(m, opcode_of(mode));
      }
    }
    for (uint64_t State::*operand : {&State::rsi, &State::rdi}) {
      Machine m("esther9", CodeSize::bits64);
      XshaJob{.message = random_bytes(100, 9)}.prepare(m);
      m.state().*operand = c.address;
      expect(m, kXsha1);
    }
    for (const Bytes* code : {&kXstore, &kRepXstore}) {
      PseudoNoise noise;
      Machine m("esther9", CodeSize::bits64);
      m.processor.rng.use_noise(&noise);
      m.state().rcx = 8;
      m.state().rdi = c.address;
      expect(m, *code);
    }
  }
}

TEST(padlock_exceptions, es_limit_and_pages_guard_every_operand) {
  // clause: PLK-EXC-018
  for (Mode mode : kModes) {
    for (uint64_t XcryptJob::*operand :
         {&XcryptJob::source_at, &XcryptJob::dest_at, &XcryptJob::key_at, &XcryptJob::control_at,
          &XcryptJob::iv_at}) {
      if (mode == Mode::ecb && operand == &XcryptJob::iv_at) continue;
      SCOPED_TRACE(name_of(mode));
      XcryptJob job = XcryptJob::standard(mode, true, kSpKey128, random_bytes(16, 8), kSpIv);
      job.*operand = 0x500000;  // above all others
      Machine m("esther9");
      job.prepare(m);
      m.memory.map(0x500000, 4096);
      m.state().es.limit = 0x500000 + 14;  // one byte short
      EXPECT_TRUE(is_trap(m.issue(opcode_of(mode)), Vector::general_protection));
      m.state().es.limit =
          0x500000 + (mode == Mode::ecb && operand == &XcryptJob::source_at ? 31 : 15);
      m.memory.unmap(0x500000, 16);
      EXPECT_TRUE(is_trap(m.issue(opcode_of(mode)), Vector::page_fault));
      EXPECT_EQ(m.state().rcx, 1u);
      m.memory.map(0x500000, 16);
      EXPECT_TRUE(is_done(m.issue(opcode_of(mode))));
    }
  }
  for (uint64_t XshaJob::*operand : {&XshaJob::message_at, &XshaJob::state_at}) {
    XshaJob job{.message = random_bytes(100, 9)};
    job.*operand = 0x500000;
    Machine m("esther9");
    job.prepare(m);
    m.state().es.limit = 0x500000 + 10;
    EXPECT_TRUE(is_trap(m.issue(kXsha1), Vector::general_protection));
    m.state().es.limit = ~uint64_t{0};
    m.memory.unmap(0x500000, 16);
    EXPECT_TRUE(is_trap(m.issue(kXsha1), Vector::page_fault));
  }
  for (uint64_t MontmulJob::*operand : {&MontmulJob::context_at, &MontmulJob::a_at,
                                        &MontmulJob::b_at, &MontmulJob::t_at, &MontmulJob::m_at}) {
    MontmulJob job;
    job.*operand = 0x500000;
    Machine m("esther9");
    job.prepare(m);
    m.state().es.limit = 0x500000 + 20;
    EXPECT_TRUE(is_trap(m.issue(kMontmul), Vector::general_protection));
    m.state().es.limit = ~uint64_t{0};
    m.memory.unmap(0x500000, 16);
    EXPECT_TRUE(is_trap(m.issue(kMontmul), Vector::page_fault));
  }
}

// Runs |code| after |prepare| with ES as |es|; without a fault it must be that of a flat ES.
template <class Prepare>
void expect_of_segment(const Bytes& code, Prepare prepare, const Segment& es, bool allowed) {
  PseudoNoise noise;
  Machine m("esther9");
  m.processor.rng.use_noise(&noise);
  prepare(m);
  m.state().es = es;
  const State before = m.state();
  m.memory.take_snapshot();
  const Step step = m.issue(code);
  if (allowed) {
    EXPECT_TRUE(is_done(step));
    return;
  }
  EXPECT_TRUE(is_trap(step, Vector::general_protection));
  EXPECT_EQ(m.state().rcx, before.rcx);
  EXPECT_EQ(m.state().rdi, before.rdi);
  EXPECT_TRUE(m.memory.changes_outside({{Machine::kCode, 4096}}).empty());
}

TEST(padlock_exceptions, es_may_forbid_writing_expand_down_or_be_null) {
  const auto try_segments = [](const Bytes& code, auto prepare, uint32_t lowest) {
    // clause: PLK-EXC-018
    expect_of_segment(code, prepare, Segment{}, true);
    expect_of_segment(code, prepare, {.writable = false}, false);
    expect_of_segment(code, prepare, {.first = lowest}, true);
    expect_of_segment(code, prepare, {.first = lowest + 1}, false);
    expect_of_segment(code, prepare, Segment::none(), false);
  };
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(name_of(mode));
      XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, kSpPlain, kSpIv);
      job.control_at = 0x8000;
      try_segments(
          opcode_of(mode), [&](Machine& m) { job.prepare(m); }, job.control_at);
    }
  }
  const XshaJob sha{.message = from_hex("616263"), .message_at = 0x8000};
  try_segments(
      kXsha1, [&](Machine& m) { sha.prepare(m); }, sha.message_at);
  MontmulJob montmul;
  montmul.a_at = 0x8000;
  try_segments(
      kMontmul, [&](Machine& m) { montmul.prepare(m); }, montmul.a_at);
  const auto prepare_xstore = [](Machine& m) {
    m.memory.map(0x90000, 64);
    m.state().rdx = 0;
    m.state().rcx = 16;
    m.state().rdi = 0x90000;
  };
  for (const Bytes* xstore : {&kXstore, &kRepXstore})
    try_segments(*xstore, prepare_xstore, 0x90000);
}

// Nothing is stored, so a segment that only can be read does.
TEST(padlock_exceptions, es_need_not_be_writable_for_no_blocks) {
  for (Mode mode : kModes) {
    Machine m("esther9");
    XcryptJob::standard(mode, true, kSpKey128, kSpPlain, kSpIv).prepare(m);
    m.state().rcx = 0;
    m.state().es.writable = false;
    // clause: PLK-EXC-011
    EXPECT_TRUE(is_done(m.issue(opcode_of(mode)))) << name_of(mode);
  }
}

}  // namespace
}  // namespace incore::padlock::test
