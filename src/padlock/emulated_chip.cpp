// Time and interrupts around the processor. Timing: PadLock guide 1.66, by timing.h.
#include "padlock/emulated_chip.h"

#include "padlock/insn_time.h"
#include "padlock/work.h"

namespace incore::padlock {
namespace {

// How often REP XSTORE looks for a full buffer. Bits that are made until the next look are kept:
// the four buffers take those of more than a thousand clocks.
constexpr uint64_t kLookClocks = 256;

constexpr uint64_t kRepClocks = 7;  // what REP adds to XSTORE, section 2.3

// SplitMix64.
uint64_t next_random(uint64_t* state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

}  // namespace

EmulatedChip::EmulatedChip(const Model& model, const HostKernels& kernels, CodeSize code_size,
                           uint64_t seed)
    : cpu_(model, kernels), noise_(model, seed) {
  cpu_.rng.use_noise(&noise_);
  cpu_.enter_user_mode(code_size);
}

EmulatedChip::Result EmulatedChip::execute(const Insn& insn, uint8_t index, Memory& memory,
                                           Trap* out_trap) {
  Decoded decoded = {};
  decoded.insn = &insn;
  decoded.index = index;
  decoded.rep = insn.rep;
  decoded.address_size = insn.unit == Unit::pmm && cpu_.state.code_size == CodeSize::bits64;
  decoded.length = static_cast<uint8_t>(sizeof insn.opcode + (insn.rep ? 1 : 0) +
                                        (decoded.address_size ? 1 : 0));
  for (;;) {
    const State before = cpu_.state;
    const Outcome outcome = issue(decoded, memory, nullptr, out_trap);
    if (outcome == Outcome::interrupted && !came_) return Result::silent;
    finish_stretch(came_ ? until_ : work_done(decoded, before, cpu_.state));
    if (outcome != Outcome::interrupted)
      return outcome == Outcome::done ? Result::done : Result::trapped;
  }
}

Outcome EmulatedChip::issue(const Decoded& decoded, Memory& memory, Interrupts* asked,
                            Trap* out_trap) {
  const State before = cpu_.state;
  const uint64_t num_key_loads = cpu_.num_key_loads();
  asked_ = asked;
  generating_ = decoded.insn->unit == Unit::rng;
  came_ = false;
  last_done_ = 0;
  const Outcome outcome =
      cpu_.step(decoded, memory, out_trap, may_be_interrupted(*decoded.insn) ? this : nullptr);
  charge(decoded, before, outcome == Outcome::done, num_key_loads);
  return outcome;
}

// Where no interrupt can come, the processor works in bulk.
bool EmulatedChip::may_be_interrupted(const Insn& insn) const {
  if (insn.unit == Unit::rng) return insn.rep;  // time passes in pending()
  if (asked_ != nullptr) return true;
  const bool counts_blocks = insn.unit == Unit::ace || insn.unit == Unit::ace_ctr;
  return mean_ != 0 && (!counts_blocks || until_ < cpu_.state.rcx);
}

bool EmulatedChip::pending(uint64_t done) {
  if (generating_ && done == last_done_) pass(kLookClocks * kTicksPerClock);
  if (generating_ && done != last_done_) pass(xstore_ticks(cpu_.state.rdx & 3, true));
  last_done_ = done;
  came_ = asked_ != nullptr ? asked_->pending(done) : mean_ != 0 && done >= until_;
  return came_;
}

void EmulatedChip::charge(const Decoded& decoded, const State& before, bool done,
                          uint64_t num_key_loads) {
  if (generating_) {
    const uint64_t delivered = way_of(&State::rdi, decoded, before, cpu_.state);
    if (decoded.rep) pass(kRepClocks * kTicksPerClock);
    if (!decoded.rep || delivered != last_done_)  // pending() has not seen the last step
      pass(xstore_ticks(before.rdx & 3, delivered != 0));
    return;
  }
  KeyLoad keys = KeyLoad::bypassed;
  if (cpu_.num_key_loads() != num_key_loads)
    keys = cpu_.control_word().keys_in_memory() ? KeyLoad::memory : KeyLoad::hardware;
  pass(insn_ticks(decoded, cpu_, before, done, keys));
}

void EmulatedChip::finish_stretch(uint64_t work) {
  if (mean_ == 0) return;
  until_ -= work < until_ ? work : until_;
  if (until_ != 0) return;
  ++num_interrupts_;
  (void)cpu_.store_flags();  // its delivery stores EFLAGS
  draw_interrupt();
}

void EmulatedChip::set_interrupts(uint64_t mean, uint64_t seed) {
  mean_ = mean;
  random_ = seed;
  if (mean_ != 0) draw_interrupt();
}

void EmulatedChip::reseed(uint64_t seed) {
  noise_ = SeededNoise(cpu_.model(), seed);
  cpu_.rng.use_noise(&noise_);
}

void EmulatedChip::exchange(Snapshot& snapshot) {
  snapshot.number(&ticks_);
  noise_.exchange(snapshot);
  cpu_.exchange(snapshot);
}

void EmulatedChip::draw_interrupt() {
  constexpr uint64_t kMostMean = uint64_t{1} << 62;
  const uint64_t mean = mean_ < kMostMean ? mean_ : kMostMean;
  until_ = 1 + next_random(&random_) % (2 * mean - 1);
}

void EmulatedChip::pass(uint64_t ticks) {
  const uint64_t before = ticks_ / kTicksPerClock;
  ticks_ += ticks;
  noise_.advance(ticks_ / kTicksPerClock - before);
}

}  // namespace incore::padlock
