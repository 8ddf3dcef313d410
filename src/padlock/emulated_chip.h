// A processor that stands alone, with what a front-end must add to it: noise for its generator,
// time, which passes by the timing model while instructions run and lets the noise arrive at its
// modelled rate, and interrupts. No libc, no allocation.
#pragma once

#include "padlock/insn.h"
#include "padlock/noise.h"
#include "padlock/timing.h"

namespace incore::padlock {

class EmulatedChip final : private Interrupts {
 public:
  // Set up as by an operating system for programs of |code_size|. Its noise follows from |seed|.
  // |model| must outlive it.
  EmulatedChip(const Model& model, const HostKernels& kernels, CodeSize code_size, uint64_t seed);
  EmulatedChip(const EmulatedChip&) = delete;

  Processor& processor() { return cpu_; }
  const Processor& processor() const { return cpu_; }

  enum class Result : uint8_t { done, trapped, silent };  // silent: the generator makes no bits

  // Runs |insn|, number |index| of insns(), with the registers of processor().state to its end; it
  // is issued again after each interrupt. In 64-bit code MONTMUL gets the prefix that it needs.
  Result execute(const Insn& insn, uint8_t index, Memory& memory, Trap* out_trap);

  // Issues |decoded|, a PadLock instruction, once, with the registers of processor().state.
  // |asked| says where an interrupt stops it; null: set_interrupts does, without what else happens
  // then. An interruption that nobody asked for: the generator makes no bits.
  Outcome issue(const Decoded& decoded, Memory& memory, Interrupts* asked, Trap* out_trap);

  // From now on an interrupt comes after 1 to 2 |mean| - 1 units of work (Interrupts), evenly
  // distributed; 0: none. One that comes where the instruction cannot be stopped comes behind it.
  void set_interrupts(uint64_t mean, uint64_t seed);
  uint64_t num_interrupts() const { return num_interrupts_; }

  // Time passes outside of instructions.
  void wait(uint64_t clocks) { pass(clocks * kTicksPerClock); }
  uint64_t ticks() const { return ticks_; }

  // Noise follows from |seed| from now on; the generator's buffers are empty.
  void reseed(uint64_t seed);
  // All but what set_interrupts() has begun.
  void exchange(Snapshot& snapshot);

 private:
  bool pending(uint64_t done) override;
  bool may_be_interrupted(const Insn& insn) const;
  void charge(const Decoded& decoded, const State& before, bool done, uint64_t num_key_loads);
  void finish_stretch(uint64_t work);
  void draw_interrupt();
  void pass(uint64_t ticks);

  Processor cpu_;
  SeededNoise noise_;
  uint64_t ticks_ = 0;
  Interrupts* asked_ = nullptr;  // by whom issue() was called
  uint64_t mean_ = 0;            // of the work between interrupts
  uint64_t until_ = 0;           // work until the next one
  uint64_t random_ = 0;
  uint64_t num_interrupts_ = 0;
  bool came_ = false;        // an interrupt stopped the instruction
  bool generating_ = false;  // the instruction is XSTORE
  uint64_t last_done_ = 0;   // what pending() was asked with
};

}  // namespace incore::padlock
