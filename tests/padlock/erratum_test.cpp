// The erratum of REP XCRYPTCTR on Esther stepping 8: a counter that is one too high. PadLock
// guide 1.66, errata chapter.
#include "base/bytes.h"
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

constexpr uint16_t kStart = 0xFEFF;  // of kSpCounter

XcryptJob ctr_job(size_t blocks) {
  return XcryptJob::standard(Mode::ctr, false, kSpKey128, random_bytes(16 * blocks, blocks),
                             kSpCounter);
}

Bytes right_output(const XcryptJob& job) {
  return apply_mode(Mode::ctr, false, kSpKey128, 10, job.iv, job.source).data;
}

uint16_t counter_of(const Machine& m, const XcryptJob& job) {
  return load_be16(m.get(job.iv_at + 14, 2).data());
}

// The counter after |blocks| blocks in one uninterrupted instruction.
uint16_t counter_after(const char* model, size_t blocks) {
  Machine m(model);
  const XcryptJob job = ctr_job(blocks);
  EXPECT_TRUE(is_done(job.run(m)));
  EXPECT_EQ(job.output(m), right_output(job));
  EXPECT_EQ(m.get(job.iv_at, 14), Bytes(kSpCounter.begin(), kSpCounter.begin() + 14));
  return counter_of(m, job);
}

// Issues the instruction until it is done, with an interrupt after each of |stops| blocks of a
// stretch. Returns the number of interrupts that were taken.
unsigned run_interrupted(Machine& m, const XcryptJob& job, const std::vector<uint64_t>& stops) {
  job.prepare(m);
  m.state().rip = Machine::kCode;
  unsigned taken = 0;
  Step step{};
  for (size_t i = 0; i < 10000; ++i) {
    InterruptAfter interrupt(i < stops.size() ? stops[i] : ~uint64_t{0});
    step = i == 0 ? m.issue(kXcryptCtr, &interrupt) : m.issue_again(&interrupt);
    if (step.outcome != Outcome::interrupted) break;
    ++taken;
  }
  EXPECT_TRUE(is_done(step));
  return taken;
}

TEST(padlock_erratum, only_stepping_8_has_it) {
  // clause: PLK-ERR-001
  EXPECT_EQ(counter_after("esther", 256), uint16_t(kStart + 257));
  EXPECT_EQ(counter_after("esther9", 256), uint16_t(kStart + 256));
  EXPECT_EQ(counter_after("nano", 256), uint16_t(kStart + 256));
}

TEST(padlock_erratum, even_count_leaves_the_counter_one_too_high) {
  // clause: PLK-ERR-002
  // clause: PLK-TOOL-109
  EXPECT_EQ(counter_after("esther", 256), 0x0000);
  EXPECT_EQ(counter_after("esther", 255), 0xFFFE);
  // clause: PLK-TOOL-110
  EXPECT_EQ(counter_after("esther9", 256), 0xFFFF);
  EXPECT_EQ(counter_after("esther9", 255), 0xFFFE);
}

// The reference loop of the guide's sample program: one block per instruction, and only ECX is
// loaded anew.
TEST(padlock_erratum, a_loop_of_single_blocks_needs_no_other_register) {
  for (const char* model : {"esther", "esther9"}) {
    Machine m(model);
    const XcryptJob job = ctr_job(256);
    job.prepare(m);
    // clause: PLK-TOOL-102
    EXPECT_EQ(to_hex(m.get(job.control_at, 16)), "0a" + std::string(30, '0'));
    for (int i = 0; i < 256; ++i) {
      // clause: PLK-TOOL-104
      m.state().rcx = 1;
      ASSERT_TRUE(is_done(m.issue(kXcryptCtr)));
      // clause: PLK-TOOL-105
      ASSERT_EQ(m.state().rax, job.iv_at);
      ASSERT_EQ(m.state().rbx, job.key_at);
      ASSERT_EQ(m.state().rdx, job.control_at);
    }
    // clause: PLK-TOOL-103
    EXPECT_EQ(job.output(m), right_output(job)) << model;
  }
}

TEST(padlock_erratum, surplus_does_not_grow_with_the_count) {
  // clause: PLK-ERR-003
  for (size_t blocks : {2, 4, 100, 1000})
    EXPECT_EQ(counter_after("esther", blocks), uint16_t(kStart + blocks + 1)) << blocks;
}

TEST(padlock_erratum, odd_count_leaves_the_right_counter) {
  // clause: PLK-ERR-004
  for (size_t blocks : {1, 3, 5, 255})
    EXPECT_EQ(counter_after("esther", blocks), uint16_t(kStart + blocks)) << blocks;
}

TEST(padlock_erratum, ciphertext_of_an_uninterrupted_instruction_is_right) {
  Machine m("esther");
  const XcryptJob job = ctr_job(256);
  ASSERT_TRUE(is_done(job.run(m)));
  const Bytes whole = job.output(m);
  Machine single("esther");
  job.prepare(single);
  for (int i = 0; i < 256; ++i) {
    single.state().rcx = 1;
    ASSERT_TRUE(is_done(single.issue(kXcryptCtr)));
  }
  // clause: PLK-ERR-005
  // clause: PLK-ERR-010
  EXPECT_EQ(whole, job.output(single));
  EXPECT_EQ(whole, right_output(job));
  EXPECT_EQ(counter_of(single, job), uint16_t(kStart + 256));
}

TEST(padlock_erratum, harms_the_program_that_goes_on_with_the_vector) {
  for (const char* model : {"esther", "esther9"}) {
    Machine m(model);
    const XcryptJob job = ctr_job(4);
    job.prepare(m);
    for (int call = 0; call < 2; ++call) {
      m.state().rcx = 2;
      ASSERT_TRUE(is_done(m.issue(kXcryptCtr)));
    }
    const Bytes output = job.output(m), right = right_output(job);
    // clause: PLK-ERR-006
    EXPECT_TRUE(std::equal(right.begin(), right.begin() + 32, output.begin()));
    EXPECT_EQ(std::equal(right.begin() + 32, right.end(), output.begin() + 32),
              std::string(model) == "esther9");
  }
}

TEST(padlock_erratum, interrupts_are_taken_after_pairs_of_blocks) {
  for (uint64_t stop : {1, 2, 3, 7, 20}) {
    Machine m("esther");
    const XcryptJob job = ctr_job(41);
    InterruptAfter interrupt(stop);
    ASSERT_TRUE(is_interrupted(job.run(m, &interrupt)));
    const uint64_t done = 41 - m.state().rcx;
    // clause: PLK-ERR-007
    EXPECT_EQ(done, (stop + 1) / 2 * 2);
    EXPECT_EQ(m.state().rsi, job.source_at + 16 * done);
  }
  // Asked, it must have been at every pair.
  Machine m("esther");
  const XcryptJob job = ctr_job(9);
  InterruptAfter never(~uint64_t{0});
  ASSERT_TRUE(is_done(job.run(m, &never)));
  EXPECT_EQ(never.asked, (std::vector<uint64_t>{2, 4, 6}));
}

TEST(padlock_erratum, interrupt_spoils_all_that_follows) {
  const XcryptJob job = ctr_job(255);
  for (uint64_t stop : {2, 100, 252}) {
    Machine m("esther");
    ASSERT_EQ(run_interrupted(m, job, {stop}), 1u);
    Bytes later_counter = kSpCounter;
    store_be16(later_counter.data() + 14, static_cast<uint16_t>(kStart + stop + 1));
    const auto split = static_cast<ptrdiff_t>(16 * stop);
    Bytes expected = right_output(job);
    const Bytes rest = apply_mode(Mode::ctr, false, kSpKey128, 10, later_counter,
                                  Bytes(job.source.begin() + split, job.source.end()))
                           .data;
    std::copy(rest.begin(), rest.end(), expected.begin() + split);
    // clause: PLK-ERR-008
    EXPECT_EQ(job.output(m), expected);
    EXPECT_EQ(counter_of(m, job), uint16_t(kStart + 256));

    Machine good("esther9");
    run_interrupted(good, job, {stop});
    EXPECT_EQ(good.processor.state.rcx, 0u);
    EXPECT_EQ(job.output(good), right_output(job));
    EXPECT_EQ(counter_of(good, job), uint16_t(kStart + 255));
  }
}

TEST(padlock_erratum, fewer_than_five_blocks_are_never_interrupted) {
  for (size_t blocks : {1, 2, 3, 4}) {
    Machine m("esther");
    const XcryptJob job = ctr_job(blocks);
    InterruptAfter pending(0);
    // clause: PLK-ERR-009
    EXPECT_TRUE(is_done(job.run(m, &pending))) << blocks;
    EXPECT_EQ(job.output(m), right_output(job));
  }
  // clause: PLK-ERR-017
  Machine m("esther");
  const XcryptJob job = ctr_job(5);
  InterruptAfter pending(0);
  EXPECT_TRUE(is_interrupted(job.run(m, &pending)));
  EXPECT_EQ(m.state().rcx, 3u);
  InterruptAfter again(0);
  EXPECT_TRUE(is_done(m.issue_again(&again)));  // 3 remain: no further stop
}

TEST(padlock_erratum, setting_the_counter_before_each_call_works_around_it) {
  Machine m("esther");
  const XcryptJob job = ctr_job(30);
  job.prepare(m);
  uint16_t counter = kStart;
  for (uint64_t count : {2, 4, 7, 1, 16}) {
    uint8_t bytes[2];
    store_be16(bytes, counter);
    m.put(job.iv_at + 14, {bytes[0], bytes[1]});
    m.state().rcx = count;
    ASSERT_TRUE(is_done(m.issue(kXcryptCtr)));
    counter = static_cast<uint16_t>(counter + count);
  }
  // clause: PLK-ERR-011
  EXPECT_EQ(job.output(m), right_output(job));
}

// The guide's second workaround: repeat the call until the counter is what one uninterrupted
// instruction leaves. |stops_of_try| gives the interrupts of each try. Returns the tries it took, 0
// if the limit was reached.
unsigned repeat_until_right(Machine& m, const XcryptJob& job, unsigned max_tries,
                            const std::vector<std::vector<uint64_t>>& stops_of_try) {
  const uint16_t expected =
      static_cast<uint16_t>(kStart + job.blocks() + (job.blocks() % 2 == 0 ? 1 : 0));
  for (unsigned attempt = 1; attempt <= max_tries; ++attempt) {
    run_interrupted(m, job, stops_of_try[std::min<size_t>(attempt, stops_of_try.size()) - 1]);
    if (counter_of(m, job) == expected) return attempt;
  }
  return 0;
}

TEST(padlock_erratum, repeating_until_the_counter_is_right_works_around_it) {
  for (size_t blocks : {255, 256}) {
    Machine m("esther");
    const XcryptJob job = ctr_job(blocks);
    // clause: PLK-ERR-012
    EXPECT_EQ(repeat_until_right(m, job, 10, {{64}, {8, 30}, {}}), 3u);
    EXPECT_EQ(job.output(m), right_output(job));
  }
}

TEST(padlock_erratum, repeat_loop_never_ends_if_every_try_is_interrupted) {
  Machine m("esther");
  const XcryptJob job = ctr_job(512);
  // clause: PLK-ERR-015
  EXPECT_EQ(repeat_until_right(m, job, 25, {{100}}), 0u);
  EXPECT_NE(job.output(m), right_output(job));
}

TEST(padlock_erratum, counter_mismatch_and_wrong_ciphertext_come_together) {
  for (size_t blocks : {64, 65}) {
    for (const std::vector<uint64_t>& stops :
         std::vector<std::vector<uint64_t>>{{}, {10}, {10, 20}, {1, 1, 1, 1}}) {
      Machine m("esther");
      const XcryptJob job = ctr_job(blocks);
      const unsigned taken = run_interrupted(m, job, stops);
      ASSERT_EQ(taken, stops.size());
      const bool mismatch =
          counter_of(m, job) != uint16_t(kStart + blocks + (blocks % 2 == 0 ? 1 : 0));
      // clause: PLK-ERR-013
      EXPECT_EQ(mismatch, job.output(m) != right_output(job));
      EXPECT_EQ(mismatch, taken != 0);
    }
  }
}

TEST(padlock_erratum, each_even_stretch_adds_one) {
  for (size_t blocks : {64, 65}) {
    for (unsigned interrupts : {0u, 1u, 2u, 5u}) {
      Machine m("esther");
      const XcryptJob job = ctr_job(blocks);
      ASSERT_EQ(run_interrupted(m, job, std::vector<uint64_t>(interrupts, 4)), interrupts);
      // clause: PLK-ERR-016
      EXPECT_EQ(counter_of(m, job),
                uint16_t(kStart + blocks + interrupts + (blocks % 2 == 0 ? 1 : 0)));
    }
  }
}

TEST(padlock_erratum, a_fault_ends_a_stretch_too) {
  for (bool on_store : {false, true}) {
    for (uint64_t done : {1, 2, 3, 4, 40, 41}) {
      SCOPED_TRACE(done);
      Machine m("esther");
      const XcryptJob job = ctr_job(64);
      job.prepare(m);
      const uint64_t bad = 16 * done + (on_store ? job.dest_at : job.source_at);
      if (on_store)
        m.memory.fault_writes_at(bad);
      else
        m.memory.fault_reads_at(bad);
      ASSERT_TRUE(is_page_fault(m.issue(kXcryptCtr), bad, on_store));
      ASSERT_EQ(m.state().rcx, 64 - done);
      // clause: PLK-ERR-016
      EXPECT_EQ(counter_of(m, job), uint16_t(kStart + done + (done % 2 == 0 ? 1 : 0)));
      m.memory.clear_faults();
      ASSERT_TRUE(is_done(m.issue_again()));
      EXPECT_EQ(job.output(m) == right_output(job), done % 2 != 0);
      // Of two odd stretches none is off by one, of two even ones both are.
      EXPECT_EQ(counter_of(m, job), uint16_t(kStart + 64 + (done % 2 == 0 ? 2 : 0)));
    }
  }
}

TEST(padlock_erratum, empty_instruction_leaves_the_counter) {
  Machine m("esther");
  const XcryptJob job = ctr_job(2);
  job.prepare(m);
  m.state().rcx = 0;
  ASSERT_TRUE(is_done(m.issue(kXcryptCtr)));
  // clause: PLK-ERR-016
  EXPECT_EQ(counter_of(m, job), kStart);
}

TEST(padlock_erratum, align_and_direction_make_no_difference) {
  for (bool align : {false, true}) {
    for (bool decrypt : {false, true}) {
      Machine m("esther");
      XcryptJob job = ctr_job(2);
      job.control.align = align;
      job.control.decrypt = decrypt;
      if (align) job.source_at += 1, job.dest_at += 2;
      ASSERT_TRUE(is_done(job.run(m)));
      // clause: PLK-ERR-018
      EXPECT_EQ(counter_of(m, job), uint16_t(kStart + 3));
      EXPECT_EQ(job.output(m), right_output(job));
    }
  }
}

TEST(padlock_erratum, the_other_modes_keep_their_vectors) {
  for (Mode mode : {Mode::cbc, Mode::cfb, Mode::ofb}) {
    Machine m("esther");
    const XcryptJob job = XcryptJob::standard(mode, true, kSpKey128, kSpPlain, kSpIv);
    ASSERT_TRUE(is_done(job.run(m)));
    // clause: PLK-ERR-001
    EXPECT_EQ(m.get(job.iv_at, 16), apply_mode(mode, true, kSpKey128, 10, kSpIv, kSpPlain).next_iv);
  }
}

}  // namespace
}  // namespace incore::padlock::test
