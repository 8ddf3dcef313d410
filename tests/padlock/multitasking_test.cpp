// Several tasks on one PadLock processor, and EFLAGS bit 30, which keeps them apart. PadLock
// guide 1.66.
#include <set>
#include <string>

#include "padlock/other_units.h"
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

// What an operating system that knows nothing of PadLock keeps of a task: general registers, EIP,
// EFLAGS.
struct Task {
  uint64_t rax = 0, rbx = 0, rcx = 0, rdx = 0, rsi = 0, rdi = 0, rip = 0, rflags = 2;

  void save(Machine& m) {
    const State& s = m.state();
    rax = s.rax, rbx = s.rbx, rcx = s.rcx, rdx = s.rdx, rsi = s.rsi, rdi = s.rdi, rip = s.rip;
    rflags = m.processor.store_flags();
  }
  void restore(Machine& m) const {
    State& s = m.state();
    s.rax = rax, s.rbx = rbx, s.rcx = rcx, s.rdx = rdx, s.rsi = rsi, s.rdi = rdi, s.rip = rip;
    m.processor.load_flags(rflags);
  }
};

XcryptJob job_at(uint64_t base, Mode mode, bool decrypt, const Bytes& key, const Bytes& source) {
  XcryptJob job = XcryptJob::standard(mode, decrypt, key, source, kSpIv);
  for (uint64_t* at : {&job.iv_at, &job.key_at, &job.control_at, &job.source_at, &job.dest_at})
    *at += base;
  return job;
}

// Puts |code| where no other task's code is, ready to run.
void place(Machine& m, uint64_t at, const Bytes& code) {
  m.put(at, concat(code, Bytes(16, 0x90)));
  m.state().rip = at;
}

// Both tasks run by turns, one stretch each, until both are done. Returns the number of switches.
unsigned run_by_turns(Machine& m, Task tasks[2]) {
  bool done[2] = {false, false};
  unsigned switches = 0;
  for (int turn = 0; (!done[0] || !done[1]) && switches < 10000; turn ^= 1) {
    if (done[turn]) continue;
    ++switches;
    tasks[turn].restore(m);
    InterruptAfter timer(1);
    const Step step = m.issue_again(&timer);
    if (step.outcome == Outcome::done)
      done[turn] = true;
    else if (!is_interrupted(step)) {
      ADD_FAILURE() << is_interrupted(step).message();
      return switches;
    }
    tasks[turn].save(m);
  }
  EXPECT_TRUE(done[0] && done[1]);
  return switches;
}

// A job whose keys are in the key RAM, bit 30 set.
XcryptJob load_keys(Machine& m, const Bytes& key = kSpKey128) {
  const XcryptJob job = XcryptJob::standard(Mode::ecb, false, key, kSpPlain);
  EXPECT_TRUE(is_done(job.run(m)));
  EXPECT_TRUE(m.keys_loaded());
  return job;
}

// Runs the job again under |key|, which is put to memory first; true if that key was used.
bool new_key_is_used(Machine& m, const XcryptJob& job, const Bytes& key) {
  m.put(job.key_at, key);
  job.set_registers(m);
  EXPECT_TRUE(is_done(m.issue(kXcryptEcb)));
  EXPECT_TRUE(m.keys_loaded());
  return job.output(m) == apply_mode(Mode::ecb, false, key, 10, Bytes(16), job.source).data;
}

const Bytes kOtherKey = random_bytes(16, 99);

TEST(padlock_multitasking, two_tasks_encrypt_by_turns_without_the_systems_help) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    Machine m("esther9");
    const XcryptJob a = job_at(0, mode, false, kSpKey128, random_bytes(480, 1));
    const XcryptJob b = job_at(0x800000, Mode::cbc, true, kSpKey256, random_bytes(320, 2));
    Task tasks[2];
    a.prepare(m);
    place(m, 0x2000, opcode_of(mode));
    tasks[0].save(m);
    b.prepare(m);
    place(m, 0x3000, kXcryptCbc);
    tasks[1].save(m);
    EXPECT_GT(run_by_turns(m, tasks), 15u);
    // clause: PLK-MULTI-001
    // clause: PLK-MULTI-005
    EXPECT_EQ(a.output(m), apply_mode(mode, false, kSpKey128, 10, kSpIv, a.source).data);
    EXPECT_EQ(b.output(m), apply_mode(Mode::cbc, true, kSpKey256, 14, kSpIv, b.source).data);
    EXPECT_EQ(tasks[0].rip, 0x2004u);
  }
}

TEST(padlock_multitasking, a_task_sees_nothing_of_the_task_before_it) {
  // Task B alone on a fresh machine, and after task A: no difference that B could see.
  Machine alone("esther9"), shared("esther9");
  Task b_task;
  XcryptJob b = job_at(0x800000, Mode::cbc, false, kSpKey128, random_bytes(64, 3));
  b.control.align = true;
  b.dest_at += 4;
  b.prepare(alone);
  b_task.save(alone);
  ASSERT_TRUE(is_done(alone.issue(kXcryptCbc)));

  XcryptJob a = job_at(0, Mode::cbc, false, kSpKey256, random_bytes(64, 4));
  a.control.align = true;
  a.dest_at += 4;
  a.prepare(shared);
  ASSERT_TRUE(is_done(shared.issue(kXcryptCbc)));
  Task a_task;
  a_task.save(shared);
  b.prepare(shared);
  b_task.restore(shared);
  // A's registers and memory are the system's to guard; B has the key RAM only.
  ASSERT_TRUE(is_done(shared.issue(kXcryptCbc)));
  // clause: PLK-MULTI-002
  EXPECT_EQ(b.output(shared), b.output(alone));
  EXPECT_EQ(shared.get(b.control_at, 128), alone.get(b.control_at, 128));
  EXPECT_EQ(shared.state().rax, alone.state().rax);
  EXPECT_EQ(shared.state().rcx, alone.state().rcx);
  EXPECT_EQ(shared.state().rflags, alone.state().rflags);
}

TEST(padlock_multitasking, generator_settings_are_common_to_all_tasks) {
  PseudoNoise noise;
  Machine m("esther9");
  m.processor.rng.use_noise(&noise);
  m.memory.map(0x90000, 64);
  const auto status = [&] {
    m.state().rdx = 0;
    m.state().rdi = 0x90000;
    EXPECT_TRUE(is_done(m.issue(kXstore)));
    return m.state().rax & ~uint64_t{0x1F};
  };
  Task a;
  EXPECT_EQ(status(), 0x40u);
  a.save(m);
  m.state().cpl = 0;  // task B
  EXPECT_FALSE(m.processor.wrmsr(0x110B, 0x40 | 5 << 10));
  m.state().cpl = 3;
  a.restore(m);
  // clause: PLK-MULTI-003
  EXPECT_EQ(status(), 0x40u | 5 << 10);
}

TEST(padlock_multitasking, random_bits_are_delivered_once) {
  // Two tasks by turns get what one task alone would get, cut in two.
  PseudoNoise noise, same_noise;
  Machine shared("esther9"), alone("esther9");
  shared.processor.rng.use_noise(&noise);
  alone.processor.rng.use_noise(&same_noise);
  const auto draw = [](Machine& m, uint64_t to) {
    m.memory.map(to, 16);
    for (int tries = 0; tries < 1000; ++tries) {
      m.state().rdx = 0;
      m.state().rdi = to;
      EXPECT_TRUE(is_done(m.issue(kXstore)));
      if ((m.state().rax & 0x1F) == 8) return m.get(to, 8);
    }
    ADD_FAILURE() << "no random bytes";
    return Bytes();
  };
  Task tasks[2];
  std::set<std::string> seen;
  for (int i = 0; i < 32; ++i) {
    tasks[i % 2].restore(shared);
    const Bytes bytes = draw(shared, i % 2 == 0 ? 0x90000 : 0xA0000);
    tasks[i % 2].save(shared);
    // clause: PLK-MULTI-004
    EXPECT_TRUE(seen.insert(to_hex(bytes)).second);
    EXPECT_EQ(bytes, draw(alone, 0x90000));
  }
}

TEST(padlock_multitasking, clear_bit_loads_control_word_and_key) {
  Machine m("esther9");
  const XcryptJob job = load_keys(m);
  m.processor.store_flags();
  ASSERT_FALSE(m.keys_loaded());
  const uint64_t loads = m.processor.num_key_loads();
  // clause: PLK-MULTI-006
  EXPECT_TRUE(new_key_is_used(m, job, kOtherKey));
  EXPECT_EQ(m.processor.num_key_loads(), loads + 1);
  // The control word too.
  m.processor.store_flags();
  m.put(job.control_at, {0x0A, 0x02});
  job.set_registers(m);
  ASSERT_TRUE(is_done(m.issue(kXcryptEcb)));
  EXPECT_EQ(job.output(m), apply_mode(Mode::ecb, true, kOtherKey, 10, Bytes(16), job.source).data);
}

TEST(padlock_multitasking, set_bit_keeps_control_word_and_key) {
  for (bool memory_keys : {false, true}) {
    Machine m("esther9");
    const XcryptJob job = memory_keys
                              ? XcryptJob::from_memory(Mode::ecb, false, kSpKey256, kSpPlain)
                              : XcryptJob::standard(Mode::ecb, false, kSpKey128, kSpPlain);
    ASSERT_TRUE(is_done(job.run(m)));
    const Bytes first = job.output(m);
    m.put(job.key_at, Bytes(256, 0x55));
    m.put(job.control_at, Bytes(16, 0xFF));
    m.put(job.dest_at, Bytes(64));
    job.set_registers(m);
    ASSERT_TRUE(is_done(m.issue(kXcryptEcb)));
    // clause: PLK-MULTI-007
    EXPECT_EQ(job.output(m), first);
    EXPECT_TRUE(m.keys_loaded());
  }
}

TEST(padlock_multitasking, storing_the_flags_clears_the_bit) {
  Machine m("esther9");
  const XcryptJob job = load_keys(m);
  const uint64_t rest = m.state().rflags & ~kEflagsKeyLoaded;
  const uint64_t image = m.processor.store_flags();  // PUSHFD
  // clause: PLK-MULTI-016
  EXPECT_EQ(image, rest);
  // clause: PLK-MULTI-008
  EXPECT_FALSE(m.keys_loaded());
  EXPECT_EQ(m.state().rflags, rest);
  EXPECT_TRUE(new_key_is_used(m, job, kOtherKey));
}

TEST(padlock_multitasking, a_16_bit_store_clears_the_bit_too) {
  Machine m("esther9");
  load_keys(m);
  const uint16_t image =
      static_cast<uint16_t>(m.processor.store_flags());  // PUSHFW takes the low half
  EXPECT_EQ(image, static_cast<uint16_t>(m.state().rflags));
  // clause: PLK-MULTI-011
  EXPECT_FALSE(m.keys_loaded());
}

TEST(padlock_multitasking, interrupts_and_exceptions_clear_the_bit) {
  Machine m("esther9");
  const XcryptJob job = load_keys(m);
  // INT n and IRET
  const uint64_t image = m.processor.store_flags();
  m.processor.load_flags(image);
  // clause: PLK-MULTI-009
  EXPECT_FALSE(m.keys_loaded());

  // A fault of the instruction itself, before and after it loaded the keys.
  for (bool loaded : {false, true}) {
    if (loaded) load_keys(m);
    job.set_registers(m);
    m.memory.fault_reads_at(job.source_at + 40);
    EXPECT_TRUE(is_trap(m.issue(kXcryptEcb), Vector::page_fault));
    EXPECT_FALSE(m.keys_loaded());
    m.memory.clear_faults();
  }
  for (const Bytes& code : {with_prefix(0x66, kXcryptEcb), Bytes{0x0F, 0xA7, 0xC8}}) {
    load_keys(m);
    const Step step = m.issue(code);
    EXPECT_TRUE(is_trap(step, Vector::invalid_opcode));
    if (step.recognised) {
      EXPECT_FALSE(m.keys_loaded());
    }
  }
  load_keys(m);
  job.set_registers(m);
  ++m.state().rsi;
  EXPECT_TRUE(is_trap(m.issue(kXcryptEcb), Vector::general_protection));
  EXPECT_FALSE(m.keys_loaded());

  // An interrupt inside the instruction.
  load_keys(m);
  job.set_registers(m);
  InterruptAfter timer(1);
  EXPECT_TRUE(is_interrupted(m.issue(kXcryptEcb, &timer)));
  EXPECT_FALSE(m.keys_loaded());
}

TEST(padlock_multitasking, a_task_switch_clears_the_bit) {
  Machine m("esther9");
  const XcryptJob job = load_keys(m);
  Task a, b;
  a.save(m);
  b.restore(m);
  EXPECT_FALSE(m.keys_loaded());
  b.save(m);
  a.restore(m);
  // clause: PLK-MULTI-010
  EXPECT_FALSE(m.keys_loaded());
  EXPECT_TRUE(new_key_is_used(m, job, kOtherKey));
}

TEST(padlock_multitasking, loading_flags_never_sets_the_bit) {
  Machine m("esther9");
  for (uint64_t image : {uint64_t{2}, uint64_t{2} | kEflagsKeyLoaded, ~uint64_t{0}}) {
    for (bool loaded : {false, true}) {
      if (loaded)
        load_keys(m);
      else
        m.processor.store_flags();
      m.processor.load_flags(image);
      // clause: PLK-MULTI-012
      // clause: PLK-MULTI-017
      EXPECT_FALSE(m.keys_loaded());
    }
  }
  m.processor.load_flags(0x202 | kEflagsKeyLoaded);
  EXPECT_EQ(m.state().rflags, 0x202u);
}

TEST(padlock_multitasking, only_xcrypt_sets_the_bit) {
  PseudoNoise noise;
  Machine m("esther9");
  m.processor.rng.use_noise(&noise);
  m.memory.map(0x90000, 64);
  // clause: PLK-MULTI-013
  for (const Bytes* xstore : {&kXstore, &kRepXstore}) {
    m.state().rdi = 0x90000, m.state().rdx = 0, m.state().rcx = 8;
    EXPECT_TRUE(is_done(m.issue(*xstore)));
    EXPECT_FALSE(m.keys_loaded());
  }
  for (bool sha256 : {false, true}) {
    XshaJob job{.sha256 = sha256, .message = random_bytes(100, 5)};
    job.prepare(m);
    EXPECT_TRUE(is_done(m.issue(job.opcode())));
    EXPECT_FALSE(m.keys_loaded());
  }
  MontmulJob().prepare(m);
  EXPECT_TRUE(is_done(m.issue(kMontmul)));
  EXPECT_FALSE(m.keys_loaded());
  m.processor.cpuid(0xC0000001, 0);
  EXPECT_FALSE(m.keys_loaded());
  for (Mode mode : kModes) {
    XcryptJob::standard(mode, false, kSpKey128, kSpPlain).run(m);
    EXPECT_TRUE(m.keys_loaded());
  }
}

TEST(padlock_multitasking, sysenter_clears_the_bit) {
  Machine m("esther9");
  const XcryptJob job = load_keys(m);
  m.processor.sysenter();
  // clause: PLK-MULTI-014
  EXPECT_FALSE(m.keys_loaded());
  EXPECT_TRUE(new_key_is_used(m, job, kOtherKey));
}

TEST(padlock_multitasking, pushf_popf_puts_the_second_key_into_effect) {
  Machine m("esther9");
  const XcryptJob job = load_keys(m);
  EXPECT_FALSE(new_key_is_used(m, job, kOtherKey));  // without it
  m.processor.load_flags(m.processor.store_flags());
  // clause: PLK-MULTI-015
  EXPECT_TRUE(new_key_is_used(m, job, kOtherKey));
}

TEST(padlock_multitasking, keys_are_loaded_at_the_first_use_after_each_switch) {
  Machine m("esther9");
  const XcryptJob a = job_at(0, Mode::ecb, false, kSpKey128, kSpPlain);
  const XcryptJob b = job_at(0x800000, Mode::ecb, false, kOtherKey, kSpPlain);
  Task task_a, task_b;
  b.prepare(m);
  task_b.save(m);
  a.prepare(m);
  const uint64_t start = m.processor.num_key_loads();
  const auto step_of = [&](const XcryptJob& job, const Bytes& key) {
    m.put(job.dest_at, Bytes(64));
    job.set_registers(m);
    EXPECT_TRUE(is_done(m.issue(kXcryptEcb)));
    EXPECT_EQ(job.output(m), apply_mode(Mode::ecb, false, key, 10, Bytes(16), kSpPlain).data);
    return m.processor.num_key_loads() - start;
  };
  // clause: PLK-MULTI-018
  EXPECT_EQ(step_of(a, kSpKey128), 1u);  // 1: load
  EXPECT_EQ(step_of(a, kSpKey128), 1u);  // 2: reuse
  task_a.save(m);                        // 3: switch
  task_b.restore(m);
  EXPECT_EQ(step_of(b, kOtherKey), 2u);  // 4: load
  task_b.save(m);
  task_a.restore(m);
  EXPECT_EQ(step_of(a, kSpKey128), 3u);  // 5: load again
}

TEST(padlock_multitasking, an_interrupted_instruction_loads_its_keys_again) {
  Machine m("esther9");
  const XcryptJob job = job_at(0, Mode::cbc, false, kSpKey128, random_bytes(640, 6));
  job.prepare(m);
  const uint64_t start = m.processor.num_key_loads();
  for (uint64_t interrupts = 0; interrupts < 5; ++interrupts) {
    InterruptAfter timer(3);
    ASSERT_TRUE(
        is_interrupted(interrupts == 0 ? m.issue(kXcryptCbc, &timer) : m.issue_again(&timer)));
    // clause: PLK-MULTI-019
    EXPECT_EQ(m.processor.num_key_loads(), start + interrupts + 1);
  }
  ASSERT_TRUE(is_done(m.issue_again()));
  EXPECT_EQ(m.processor.num_key_loads(), start + 6);
  EXPECT_EQ(job.output(m), apply_mode(Mode::cbc, false, kSpKey128, 10, kSpIv, job.source).data);
}

TEST(padlock_multitasking, two_tasks_hash_by_turns) {
  Machine alone("esther9"), m("esther9");
  const XshaJob a{.message = random_bytes(1000, 7)};
  const XshaJob b{.sha256 = true,
                  .message = random_bytes(777, 8),
                  .message_at = 0x860000,
                  .state_at = 0x870000};
  Task tasks[2];
  for (const XshaJob* job : {&a, &b}) {
    job->prepare(alone);
    ASSERT_TRUE(is_done(alone.issue(job->opcode())));
    job->prepare(m);
    place(m, job == &a ? 0x2000 : 0x3000, job->opcode());
    tasks[job == &a ? 0 : 1].save(m);
  }
  EXPECT_GT(run_by_turns(m, tasks), 10u);
  // clause: PLK-MULTI-021
  EXPECT_EQ(to_hex(a.digest(m)), to_hex(a.digest(alone)));
  EXPECT_EQ(to_hex(b.digest(m)), to_hex(b.digest(alone)));
}

TEST(padlock_multitasking, xsha_clears_the_bit) {
  for (bool sha256 : {false, true}) {
    Machine m("esther9");
    const XcryptJob job = load_keys(m);
    const XshaJob sha{.sha256 = sha256, .message = from_hex("616263")};
    sha.prepare(m);
    ASSERT_TRUE(is_done(m.issue(sha.opcode())));
    // clause: PLK-MULTI-022
    EXPECT_FALSE(m.keys_loaded());
    EXPECT_TRUE(new_key_is_used(m, job, kOtherKey));
  }
}

TEST(padlock_multitasking, hashing_in_between_costs_a_key_load_each_time) {
  const XshaJob sha{.message = from_hex("616263")};
  for (bool interleaved : {false, true}) {
    Machine m("esther9");
    const XcryptJob job = XcryptJob::standard(Mode::ecb, false, kSpKey128, kSpPlain);
    job.prepare(m);
    const uint64_t start = m.processor.num_key_loads();
    for (int i = 0; i < 5; ++i) {
      if (interleaved || i == 0) {
        sha.prepare(m);
        ASSERT_TRUE(is_done(m.issue(kXsha1)));
      }
      job.set_registers(m);
      ASSERT_TRUE(is_done(m.issue(kXcryptEcb)));
    }
    // clause: PLK-MULTI-023
    EXPECT_EQ(m.processor.num_key_loads() - start, interleaved ? 5u : 1u);
  }
}

TEST(padlock_multitasking, two_tasks_multiply_by_turns) {
  Machine alone("esther9"), m("esther9");
  MontmulJob a, b;
  b.b = 7;
  for (uint64_t MontmulJob::*at : {&MontmulJob::context_at, &MontmulJob::a_at, &MontmulJob::b_at,
                                   &MontmulJob::t_at, &MontmulJob::m_at, &MontmulJob::scratch_at})
    b.*at += 0x800000;
  b.prepare(alone);
  ASSERT_TRUE(is_done(alone.issue(kMontmul)));
  Task tasks[2];
  a.prepare(m);
  place(m, 0x2000, kMontmul);
  tasks[0].save(m);
  b.prepare(m);
  place(m, 0x3000, kMontmul);
  tasks[1].save(m);
  EXPECT_GT(run_by_turns(m, tasks), 4u);
  // clause: PLK-MULTI-024
  EXPECT_EQ(to_hex(a.result(m)), to_hex(kMontmulOf3));
  EXPECT_EQ(to_hex(b.result(m)), to_hex(b.result(alone)));
  EXPECT_NE(b.result(m), a.result(m));
}

TEST(padlock_multitasking, montmul_leaves_the_bit_alone) {
  Machine m("esther9");
  MontmulJob().prepare(m);
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  // clause: PLK-MULTI-025
  EXPECT_FALSE(m.keys_loaded());
  const XcryptJob job = load_keys(m);
  MontmulJob().prepare(m);
  ASSERT_TRUE(is_done(m.issue(kMontmul)));
  EXPECT_TRUE(m.keys_loaded());
  EXPECT_FALSE(new_key_is_used(m, job, kOtherKey));  // the old one is still loaded
}

TEST(padlock_multitasking, xstore_leaves_the_bit_alone) {
  PseudoNoise noise;
  for (const Bytes* xstore : {&kXstore, &kRepXstore}) {
    Machine m("esther9");
    m.processor.rng.use_noise(&noise);
    m.memory.map(0x90000, 64);
    load_keys(m);
    m.state().rdi = 0x90000, m.state().rdx = 0, m.state().rcx = 8;
    ASSERT_TRUE(is_done(m.issue(*xstore)));
    // clause: PLK-MULTI-026
    EXPECT_TRUE(m.keys_loaded());
  }
}

TEST(padlock_multitasking, the_loaded_control_word_counts_for_every_field) {
  Machine m("esther9");
  XcryptJob job = XcryptJob::standard(Mode::cbc, false, kSpKey128, kSpPlain, kSpIv);
  ASSERT_TRUE(is_done(job.run(m)));
  // ALIGN set in memory only.
  m.put(job.control_at, {0x2A});
  job.set_registers(m);
  m.state().rsi += 1;
  // clause: PLK-MULTI-028
  EXPECT_TRUE(is_trap(m.issue(kXcryptCbc), Vector::general_protection));

  // ALIGN, DGEST and CRYPT set in the hardware only.
  job.control.align = job.control.digest = job.control.decrypt = true;
  job.source_at += 1;
  ASSERT_TRUE(is_done(job.run(m)));
  m.put(job.control_at, {0x0A, 0x00});
  m.put(job.iv_at, kSpIv);
  m.put(job.dest_at, Bytes(64));
  job.set_registers(m);
  EXPECT_TRUE(is_done(m.issue(kXcryptCbc)));
  EXPECT_EQ(m.state().rdi, job.dest_at);
  const Bytes expected = apply_mode(Mode::cbc, true, kSpKey128, 10, kSpIv, kSpPlain).data;
  EXPECT_EQ(m.get(job.dest_at, 16), Bytes(expected.end() - 16, expected.end()));
}

}  // namespace
}  // namespace incore::padlock::test
