// Random instructions, stopped by a page fault or an interrupt wherever that can happen, and issued
// again until they are done. PadLock guide 1.66, chapter 1 (REP Prefixes and Exception Handling)
// and section 3.2 (EFLAGS[30]).
//
// An instruction that was stopped after k blocks must have left what the same instruction for k
// blocks leaves, and go on to the uninterrupted result. The arena gives access to the documented
// operands only, so that every other access is a fault which nobody mends.
#include <map>
#include <memory>
#include <string>

#include "crypto/sm3/sm3_steps.h"
#include "padlock/random_call.h"
#include "padlock/xsha.h"
#include "support/property.h"

namespace incore::padlock::test {
namespace {

using incore::test::for_each_seed;
using incore::test::SeededChoices;

// Pending once |first| units are done.
class InterruptFrom final : public Interrupts {
 public:
  explicit InterruptFrom(uint64_t first) : first_(first) {}
  bool pending(uint64_t done) override { return done >= first_; }

 private:
  uint64_t first_;
};
constexpr uint64_t kNever = ~uint64_t{0};

// The registers that instructions use, without bit 30 of the flags, for comparison and for people.
std::string registers(const State& s) {
  char text[300];
  std::snprintf(text, sizeof text,
                "rax %llx rbx %llx rcx %llx rdx %llx rsi %llx rdi %llx rip %llx flags %llx",
                static_cast<unsigned long long>(s.rax), static_cast<unsigned long long>(s.rbx),
                static_cast<unsigned long long>(s.rcx), static_cast<unsigned long long>(s.rdx),
                static_cast<unsigned long long>(s.rsi), static_cast<unsigned long long>(s.rdi),
                static_cast<unsigned long long>(s.rip),
                static_cast<unsigned long long>(s.rflags & ~kEflagsKeyLoaded));
  return text;
}

void expect_same_state(const Run& run, const Run& expected) {
  EXPECT_EQ(registers(run.cpu.state), registers(expected.cpu.state));
  const auto difference = std::mismatch(run.arena.bytes().begin(), run.arena.bytes().end(),
                                        expected.arena.bytes().begin());
  EXPECT_TRUE(difference.first == run.arena.bytes().end())
      << "memory differs at offset 0x" << std::hex
      << run.call.first_offset +
             static_cast<uint64_t>(difference.first - run.arena.bytes().begin());
}

void expect_same_end(const Run& run, Outcome outcome, const Run& expected,
                     Outcome expected_outcome) {
  EXPECT_EQ(outcome, expected_outcome) << (run.trap ? run.trap.reason() : "");
  EXPECT_EQ(run.trap.vector, expected.trap.vector);
  if (expected.trap.vector == Vector::page_fault) {
    EXPECT_EQ(run.trap.address(), expected.trap.address());
  }
  // With a count of 0 no key is loaded in the place of one that was forgotten.
  if ((run.call.state.rcx & run.call.mask()) != 0) {
    EXPECT_EQ(run.cpu.state.rflags & kEflagsKeyLoaded,
              expected.cpu.state.rflags & kEflagsKeyLoaded);
  }
  expect_same_state(run, expected);
}

class RestartCheck {
 public:
  explicit RestartCheck(const RandomCall& call) : call_(call), truth_(call) {}
  void check();

 private:
  bool counts_blocks_down() const { return is_xcrypt(*call_.insn) || call_.insn == &ccs_encrypt; }
  bool is_rep_xstore() const { return call_.insn->unit == Unit::rng && call_.insn->rep; }
  // Blocks (bytes of XSTORE) that the registers show as done.
  uint64_t done(const State& s) const;
  void check_stop(Run& run);
  void check_hash_stop(Run& run);
  // The instruction for the first |count| blocks, then for the others: its end.
  void issue_first(Run& run, uint64_t count) const;
  const Run& parts(uint64_t count);
  const Run& both_parts(uint64_t count);
  void finish(Run& run, Outcome outcome, uint64_t stopped_at);
  void check_fault(const Fault& fault);
  void check_interrupt(uint64_t after);
  void check_all_faults(bool interrupts);

  const RandomCall& call_;
  Run truth_;
  Outcome truth_outcome_ = Outcome::done;
  std::map<uint64_t, std::unique_ptr<Run>> parts_, both_parts_;
};

uint64_t RestartCheck::done(const State& s) const {
  if (counts_blocks_down() || is_rep_xstore()) return (call_.state.rcx - s.rcx) & call_.mask();
  if (call_.insn->unit == Unit::pmm) return static_cast<uint32_t>(s.rax);
  return 0;
}

// The instruction for |count| units instead of all. Then it looks as if stopped there.
void RestartCheck::issue_first(Run& run, uint64_t count) const {
  State& s = run.cpu.state;
  s.rcx = (s.rcx & ~call_.mask()) | count;
  run.issue();
  s.rcx += (call_.state.rcx & call_.mask()) - count;  // is 0 in the width of the address size
  s.rip = call_.state.rip;
}

const Run& RestartCheck::parts(uint64_t count) {
  std::unique_ptr<Run>& run = parts_[count];
  if (run != nullptr) return *run;
  run = std::make_unique<Run>(call_);
  run->arena.restarted = true;  // fewer blocks end elsewhere in a group
  if (count == 0) return *run;
  issue_first(*run, count);
  EXPECT_EQ(run->trap.vector, Vector::none) << run->trap.reason();
  return *run;
}

const Run& RestartCheck::both_parts(uint64_t count) {
  std::unique_ptr<Run>& run = both_parts_[count];
  if (run != nullptr) return *run;
  run = std::make_unique<Run>(call_);
  run->arena.restarted = true;
  if (count != 0) issue_first(*run, count);
  run->cpu.store_flags();
  run->issue();
  return *run;
}

// One block more in the running value of a hash instruction.
void compress_block(const Insn& insn, uint8_t* state, const uint8_t* block) {
  if (&insn == &ccs_hash) {
    uint32_t words[sm3::kNumWords];
    for (size_t i = 0; i < sm3::kNumWords; ++i) words[i] = load_be32(state + 4 * i);
    sm3::compress_block(words, block);
    for (size_t i = 0; i < sm3::kNumWords; ++i) store_be32(state + 4 * i, words[i]);
  } else if (insn.unit == Unit::phe2) {
    compress_words<uint64_t, 8>(sha512_portable.compress, state, block, 1);
  } else if (&insn == &xsha1) {
    compress_words<uint32_t, 5>(sha1_portable.compress, state, block, 1);
  } else {
    compress_words<uint32_t, 8>(sha256_portable.compress, state, block, 1);
  }
}

// What a stopped hash leaves: the running value, and the count in ESI and EAX (or ECX).
void RestartCheck::check_hash_stop(Run& run) {
  Run expected(call_);
  State& s = expected.cpu.state;
  const uint64_t count_mask = call_.address_bits == 64 ? ~uint64_t{0} : 0xFFFFFFFF;
  const bool whole_blocks = hash_counts_blocks(call_);
  const size_t block_len = hash_block_len(*call_.insn);
  const uint64_t done = (run.cpu.state.rsi - s.rsi) & call_.mask();
  ASSERT_EQ(done % block_len, 0u);
  Bytes& bytes = expected.arena.bytes();
  const auto at = [&](uint64_t reg) {
    return &bytes[static_cast<size_t>((reg & call_.mask()) - call_.first_offset)];
  };
  for (uint64_t i = 0; i < done; i += block_len) {
    compress_block(*call_.insn, at(s.rdi), at(s.rsi));
    if (call_.insn == &xsha1 && call_.model->xsha1_stores_32)
      std::fill_n(at(s.rdi) + 20, 12, uint8_t{0});
    s.rsi = (call_.address_bits == 16 ? s.rsi & ~call_.mask() : 0) |
            ((s.rsi + block_len) & call_.mask());
    if (whole_blocks)
      s.rcx = (s.rcx - 1) & count_mask;
    else
      s.rax = (s.rax + block_len) & count_mask;
  }
  // clause: PLK-PHE-021
  expect_same_state(run, expected);
}

// After a fault or an interrupt.
void RestartCheck::check_stop(Run& run) {
  const State& s = run.cpu.state;
  // clause: PLK-EXC-006
  EXPECT_EQ(s.rip, call_.state.rip);
  if (is_hash(*call_.insn)) {
    check_hash_stop(run);
  } else if (call_.insn->unit == Unit::pmm && run.trap) {
    // clause: PLK-EXC-008
    expect_same_state(run, Run(call_));
  } else if (call_.insn->unit == Unit::pmm) {
    // clause: PLK-PMM-015
    EXPECT_EQ(s.rcx, call_.state.rcx);
    EXPECT_EQ(s.rsi, call_.state.rsi);
  } else {
    // clause: PLK-EXC-002
    // clause: PLK-EXC-005
    expect_same_state(run, parts(done(s)));
  }
  EXPECT_EQ(s.rflags & kEflagsKeyLoaded, 0u);
}

// Issues the instruction until nothing stops it any more.
void RestartCheck::finish(Run& run, Outcome outcome, uint64_t stopped_at) {
  if (outcome != truth_outcome_ || outcome == Outcome::interrupted) outcome = run.issue();
  // clause: PLK-EXC-004
  if (call_.restartable) expect_same_end(run, outcome, truth_, truth_outcome_);
  if (counts_blocks_down() && truth_outcome_ == Outcome::done) {
    // Also where another key has come into force.
    const Run& expected = both_parts(stopped_at);
    EXPECT_EQ(run.trap.vector, expected.trap.vector);
    expect_same_state(run, expected);
  }
}

void RestartCheck::check_fault(const Fault& fault) {
  SCOPED_TRACE("fault at offset " + std::to_string(call_.first_offset + fault.position) +
               (fault.writes_only ? ", writes only" : ""));
  Run run(call_);
  run.arena.faults = {fault};
  const Outcome outcome = run.issue();
  if (outcome == Outcome::done) {  // not touched (by a write)
    expect_same_end(run, outcome, truth_, truth_outcome_);
    return;
  }
  ASSERT_EQ(outcome, Outcome::trapped);
  if (run.trap.vector != Vector::page_fault) return;  // something is wrong besides
  EXPECT_EQ(run.arena.position(run.trap.address()), fault.position);
  if (fault.writes_only) {
    EXPECT_NE(run.trap.error_code & 2, 0u);
  }
  check_stop(run);
  run.arena.faults.clear();
  finish(run, Outcome::interrupted, done(run.cpu.state));
}

void RestartCheck::check_interrupt(uint64_t after) {
  SCOPED_TRACE("interrupt after " + std::to_string(after));
  Run run(call_);
  InterruptFrom interrupt(after);
  const Outcome outcome = run.issue(&interrupt);
  if (outcome != Outcome::interrupted) {
    expect_same_end(run, outcome, truth_, truth_outcome_);
    return;
  }
  check_stop(run);
  finish(run, outcome, done(run.cpu.state));
}

// All of them, mended one by one, and an interrupt whenever it is possible.
void RestartCheck::check_all_faults(bool interrupts) {
  Run run(call_);
  for (size_t point : call_.fault_points) run.arena.faults.push_back({point, false});
  InterruptFrom always(0);
  for (size_t stops = 0;; ++stops) {
    ASSERT_LT(stops, 10000u) << "it never ends";
    const Outcome outcome = run.issue(interrupts ? &always : nullptr);
    if (outcome == Outcome::done) {
      expect_same_end(run, outcome, truth_, truth_outcome_);
      return;
    }
    if (outcome == Outcome::interrupted) continue;
    ASSERT_EQ(run.trap.vector, Vector::page_fault) << run.trap.reason();
    const size_t at = run.arena.position(run.trap.address());
    const size_t before = run.arena.faults.size();
    std::erase_if(run.arena.faults, [at](const Fault& fault) { return fault.position == at; });
    ASSERT_LT(run.arena.faults.size(), before) << "a fault at an address that was never bad";
  }
}

void RestartCheck::check() {
  truth_.arena.direct = false;
  truth_outcome_ = truth_.issue();
  if (call_.valid) {
    ASSERT_EQ(truth_outcome_, Outcome::done) << truth_.trap.reason();
  }

  // Whole messages at once, and a block at a time.
  Run fast(call_), slow(call_);
  const Outcome fast_outcome = fast.issue();
  expect_same_end(fast, fast_outcome, truth_, truth_outcome_);
  InterruptFrom never(kNever);
  const Outcome slow_outcome = slow.issue(&never);
  expect_same_end(slow, slow_outcome, truth_, truth_outcome_);
  if (!call_.valid) return;

  for (size_t point : call_.fault_points) check_fault({point, point % 2 == 0});
  for (size_t point : call_.fault_points)
    if (point % 2 == 0) check_fault({point, false});
  const uint64_t units = call_.insn->unit == Unit::pmm ? (call_.state.rcx & 0xFFFF) / 32
                         : is_rep_xstore()             ? call_.state.rcx & call_.mask()
                                                       : 41;
  for (uint64_t i = 0; i < units; i += 1 + units / 64) check_interrupt(i);
  if (!call_.restartable) return;
  check_all_faults(false);
  check_all_faults(true);
}

TEST(padlock_restart, stopped_anywhere_gives_the_uninterrupted_result) {
  for_each_seed(600, [](uint64_t seed) {
    SeededChoices choices(seed);
    const RandomCall call(choices);
    SCOPED_TRACE(call.description());
    RestartCheck(call).check();
  });
}

}  // namespace
}  // namespace incore::padlock::test
