// Tasks that share one PadLock processor and switch at random points: each sees its own keys only.
// And the converse: where nothing cleared EFLAGS bit 30, the key before stays in force. PadLock
// guide 1.66, chapter 1 (Multi-Tasking) and section 3.2 (EFLAGS[30]).
#include <algorithm>

#include "padlock/other_units.h"
#include "padlock/xcrypt_job.h"
#include "support/choices.h"
#include "support/property.h"

namespace incore::padlock::test {
namespace {

using incore::test::Choices;
using incore::test::for_each_seed;
using incore::test::SeededChoices;

struct RandomJob {
  XcryptJob job;
  Bytes key;
  unsigned rounds;

  Bytes expected() const {
    return apply_mode(job.mode, job.control.decrypt, key, rounds, job.iv, job.source).data;
  }
};

// Keys are much alike, so that none passes for another.
Bytes random_key(Choices& choices, size_t len) {
  Bytes key(len, 0x5A);
  if (choices.chance(2)) key[choices.below(len)] = static_cast<uint8_t>(choices.below(256));
  return choices.chance(4) ? choices.bytes(len) : key;
}

RandomJob random_job(Choices& choices, uint64_t base, bool hardware_keys) {
  static const size_t kKeyLens[] = {16, 24, 32};
  const Bytes key = random_key(choices, hardware_keys ? 16 : choices.pick(kKeyLens));
  const Mode mode = choices.pick(kModes);
  RandomJob random = {
      XcryptJob::standard(mode, choices.chance(2), key, choices.bytes(16 * (1 + choices.below(12))),
                          choices.bytes(16)),
      key, static_cast<unsigned>(key.size() / 4 + 6)};
  XcryptJob& job = random.job;
  if (key.size() == 16) {
    random.rounds = 1 + static_cast<unsigned>(choices.below(16));
    job.control.rounds = random.rounds % 16;
  }
  // Away from the code, and no source behind another.
  for (uint64_t* at : {&job.iv_at, &job.key_at, &job.control_at, &job.source_at, &job.dest_at})
    *at += base;
  return random;
}

// A program that encrypts one message after the other, under a key of its own for each.
class Program {
 public:
  explicit Program(uint64_t base) : base_(base) {}

  // Goes on until something stops it, as on its own processor.
  void run(Machine& m, Choices& choices) {
    restore(m);
    if (!busy_) {
      current_ = random_job(choices, base_, false);
      m.memory.map(current_.job.source_at, current_.job.source.size() + 16);
      current_.job.prepare(m);  // with PUSHF and POPF
      place_code(m);
      busy_ = true;
    }
    m.memory.clear_faults();
    if (choices.chance(3)) m.memory.fault_reads_at(any_byte(choices, current_.job.source_at));
    if (choices.chance(4)) m.memory.fault_writes_at(any_byte(choices, current_.job.dest_at));
    InterruptAfter timer(choices.below(8));
    const Step step = m.issue_again(choices.chance(2) ? &timer : nullptr);
    if (step.outcome == Outcome::trapped) {
      ASSERT_TRUE(is_trap(step, Vector::page_fault));
    }
    if (step.outcome == Outcome::done) {
      // clause: PLK-MULTI-002
      // clause: PLK-MULTI-005
      EXPECT_EQ(to_hex(current_.job.output(m)), to_hex(current_.expected()))
          << name_of(current_.job.mode);
      busy_ = false;
      ++num_done;
    }
    save(m);
  }

  unsigned num_done = 0;

 private:
  static constexpr uint64_t kCodeAt = 0x2000;

  uint64_t any_byte(Choices& choices, uint64_t begin) const {
    return begin + choices.below(current_.job.source.size());
  }
  void place_code(Machine& m) {
    m.put(base_ + kCodeAt, concat(opcode_of(current_.job.mode), Bytes(16, 0x90)));
    m.state().rip = base_ + kCodeAt;
  }
  // What a system keeps that knows nothing of PadLock.
  void save(Machine& m) {
    flags_ = m.processor.store_flags();
    state_ = m.state();
  }
  void restore(Machine& m) {
    if (num_runs_++ != 0) m.state() = state_;
    m.processor.load_flags(flags_);
  }

  uint64_t base_;
  RandomJob current_;
  bool busy_ = false;
  State state_;
  uint64_t flags_ = 2;
  unsigned num_runs_ = 0;
};

TEST(padlock_tasks, never_see_each_others_keys) {
  for_each_seed(60, [](uint64_t seed) {
    SeededChoices choices(seed);
    Machine m(choices.chance(2) ? "esther9" : "nano");
    Program programs[] = {Program(0), Program(0x800000), Program(0x1000000)};
    for (int i = 0; i < 60; ++i) {
      choices.pick(programs).run(m, choices);
      if (choices.chance(8)) {  // someone hashes in between
        XshaJob hash;
        hash.message = choices.bytes(choices.below(200));
        hash.message_at = 0x1900000, hash.state_at = 0x1910000;
        hash.prepare(m);
        EXPECT_TRUE(is_done(m.issue(hash.opcode())));
      }
    }
    EXPECT_GT(programs[0].num_done + programs[1].num_done + programs[2].num_done, 5u);
  });
}

enum class Event : uint8_t { none, pushf, popf, sysenter, hash, interrupt };

// Makes |event| happen; true if it clears bit 30.
bool happens(Machine& m, Event event) {
  switch (event) {
    case Event::none:
      return false;
    case Event::pushf:
      m.processor.store_flags();
      return true;
    case Event::popf:
      m.processor.load_flags(m.state().rflags | kEflagsKeyLoaded);
      return true;
    case Event::sysenter:
      m.processor.sysenter();
      return true;
    case Event::hash: {
      XshaJob hash;
      hash.message_at = 0x1900000, hash.state_at = 0x1910000;
      m.memory.map(hash.message_at, 1);
      hash.prepare(m);
      EXPECT_TRUE(is_done(m.issue(kXsha256)));
      return true;
    }
    case Event::interrupt:
      break;
  }
  EXPECT_TRUE(is_trap(m.issue({0x0F, 0x0B}), Vector::invalid_opcode));
  m.processor.store_flags();  // its delivery
  return true;
}

TEST(padlock_tasks, the_key_before_stays_in_force_until_the_bit_is_cleared) {
  for_each_seed(60, [](uint64_t seed) {
    SeededChoices choices(seed);
    Machine m(choices.chance(2) ? "esther9" : "nano");
    RandomJob in_force;
    bool cleared = true;
    for (int i = 0; i < 20; ++i) {
      RandomJob random = random_job(choices, 0, true);
      random.job.prepare(m);  // clears the bit: put it back where nothing else did
      m.memory.map(random.job.source_at, random.job.source.size() + 16);
      if (!cleared) m.state().rflags |= kEflagsKeyLoaded;
      const uint64_t loads = m.processor.num_key_loads();
      ASSERT_TRUE(is_done(m.issue(opcode_of(random.job.mode))));
      // clause: PLK-MULTI-006
      // clause: PLK-MULTI-007
      EXPECT_EQ(m.processor.num_key_loads(), loads + (cleared ? 1 : 0));
      if (cleared) in_force = random;
      EXPECT_EQ(random.job.output(m),
                apply_mode(random.job.mode, in_force.job.control.decrypt, in_force.key,
                           in_force.rounds, random.job.iv, random.job.source)
                    .data);
      const Event events[] = {Event::none, Event::none,     Event::none, Event::pushf,
                              Event::popf, Event::sysenter, Event::hash, Event::interrupt};
      cleared = happens(m, choices.pick(events));
      EXPECT_EQ(m.keys_loaded(), !cleared);
    }
  });
}

}  // namespace
}  // namespace incore::padlock::test
