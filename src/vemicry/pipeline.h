// The pipeline model (VeMICry paper, section 4.3 and table 2): when each executed instruction
// passes which stage, and what it waits for. rtl/vemicry takes the same cycles.
//
//   scalar                 IF  ID  EX  DC  WB
//   vector, iteration 0    IF  ID  DF  EXM EXC WB
//           iteration 1                DF  EXM EXC WB       and so on
//
// With r lanes, iteration g works on the group of words g r to g r + r - 1, word i in lane i mod r.
// Instructions are issued in order, one in a cycle at most; what waits, waits in ID. What an
// instruction needs when follows from the registers and the class that its record names.
// docs/vemicry/pipeline.md has the rules, and what the paper leaves open.
//
// Memory that is slow, or has to answer in several turns, stops the clock of the whole processor.
// So all is worked out in its ticks, which memory makes last more than a cycle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vemicry/machine.h"

namespace incore::vemicry {

enum class Stall : uint8_t {
#define X(name, text) name,
#include "vemicry/stalls.def"
#undef X
};

inline constexpr size_t kNumStalls = 0
#define X(name, text) +1
#include "vemicry/stalls.def"
#undef X
    ;

// What is waited for, for people, without a full stop.
const char* stall_text(Stall stall);

// Cycles are counted from 0, in which the first instruction is fetched; so are ticks.
using Cycle = int64_t;

// Turns in which the memories of the lanes copy a table: each byte is read, then written to all.
inline constexpr Cycle kCopyTurns = 512;

// From MULT and DIV to the issue of an instruction that uses HI or LO.
inline constexpr Cycle kProductTicks = 10, kQuotientTicks = 34;

// How one instruction passed.
struct Timing {
  Cycle fetch = 0, decode = 0;  // the first cycles in IF and ID
  Cycle issue = 0;              // the last one in ID
  Cycle issue_tick = 0;         // the same, as a tick
  uint32_t iterations = 0;      // 0: a scalar instruction
  uint32_t num_words = 0;       // that it works on in the lanes; 0: not a matter of the length
  std::array<uint32_t, kNumStalls> stalls = {};  // cycles in ID beyond one, by cause
  // Numbers of the instructions whose results came by a bypass, counted from 0, if they are told.
  uint32_t num_producers = 0;
  std::array<uint64_t, 4> producers;

  // Its last stage.
  Cycle last_tick() const { return issue_tick + (iterations == 0 ? 3 : 3 + iterations); }
};

// The class of an instruction with its operands: a mere copy has no neighbours.
Class class_of(const Insn& insn, Word word);

class Pipeline {
 public:
  // |config| without mistakes. Who only counts needs no producers.
  explicit Pipeline(const Config& config, bool tells_producers = false)
      : config_(config),
        tells_producers_(tells_producers),
        memory_stops_(config.memory_latency != 0 || config.ports == 1 || config.banked ||
                      config.num_banks() < config.r) {}

  // The next executed instruction; |state| is that before it. The result is good until the next
  // call.
  const Timing& add(const Step& step, const State& state);

  // From the first instruction's issue to the last one's, both included: neither the filling of
  // the pipeline nor its draining counts.
  uint64_t cycles() const { return static_cast<uint64_t>(timing_.issue); }
  uint64_t instructions() const { return instructions_; }
  // Cycles of all instructions, by cause; cycles() = instructions() + their sum.
  const std::array<uint64_t, kNumStalls>& stalls() const { return stalls_; }

  static constexpr Cycle kWindow = 4 * kMaxWords;  // more ticks than three instructions span

  // The ticks whose last cycle is known: up to this one.
  Cycle known_tick() const { return tick_; }
  // The last cycle of a known tick, less than kWindow before the newest.
  Cycle last_cycle(Cycle tick) const { return tick + lost_at_[slot(tick)]; }
  // No instruction follows: makes the ticks up to |tick| known.
  void drain(Cycle tick) { advance(tick); }

 private:
  // The newest value of a register.
  struct Value {
    Cycle ready = 0;               // it exists at the end of this tick; a vector: its first group
    Cycle written = 0;             // WB, of the first group
    Cycle last = 0;                // a vector: the iterations behind the first
    uint64_t producer = 0;         // number of the instruction
    Stall cause = Stall::operand;  // of the stall of those that wait for it
  };
  struct Wait;

  static size_t slot(Cycle tick) { return static_cast<size_t>(tick % kWindow); }

  const Value& scalar(uint32_t number) const;
  void begin_delay_slot(uint32_t number);
  bool adds_to_car(const Step& step, uint32_t length) const;
  bool writes_car(const Step& step, uint32_t length) const;
  void wait_for_scalars(const Step& step, Wait* wait);
  void wait_for_vectors(const Step& step, Class insn_class, uint32_t length, Wait* wait);
  void wait_for_memory_order(const Insn& insn, Wait* wait) const;
  void note_producers(const Wait& wait, bool is_vector);
  void write(const Step& step, uint32_t length, Cycle t);
  void access_memory(const Step& step, const State& state, Cycle t);
  Cycle copy_turns(const Step& step, const State& state);
  void advance(Cycle tick);
  void count_stall(Stall stall, Cycle cycles);
  void enter_lanes(const Step& step, uint32_t length);
  // Of |length| words, those that n counts.
  static uint32_t counted(const Step& step, uint32_t length);
  uint32_t groups(uint32_t num_words) const { return (num_words + config_.r - 1) / config_.r; }

  Config config_;
  const bool tells_producers_;
  Timing timing_;
  uint64_t instructions_ = 0;
  std::array<uint64_t, kNumStalls> stalls_ = {};
  Cycle lanes_free_ = 0;  // the next vector instruction's issue at the earliest
  // The issue at the earliest of what accesses memory by DC, behind a vector load or store.
  Cycle loaded_ = 0, stored_ = 0;
  Cycle tick_ = 0, lost_ = 0;  // ticks known, and the cycles that they took beyond one
  struct Turns {
    Cycle lanes = 0, scalar = 0;
  };
  std::array<Turns, kWindow> turns_ = {};  // of memory
  bool memory_stops_ = false;              // any tick may last more than a cycle
  std::vector<uint32_t> tables_;           // that the memories of the lanes hold
  std::array<Cycle, kWindow> lost_at_ = {};
  Value scalars_[32], hi_, lo_;
  // The register that the last instruction loads, and its value before; 0: there is none, or no
  // load delay.
  struct {
    uint32_t number = 0;
    Value before;
  } delayed_;
  Value vectors_[kMaxRegisters], vcr_, car_;
};

}  // namespace incore::vemicry
