// The rules of the pipeline model (docs/vemicry/pipeline.md). T is the tick in which an instruction
// leaves ID. A scalar one is then in EX at T+1; iteration g of a vector one is in DF at T+1+g, EXM
// T+2+g, EXC T+3+g, WB T+4+g. What exists at the end of a tick can be used in the next.
#include "vemicry/pipeline.h"

#include <algorithm>

namespace incore::vemicry {
namespace {

constexpr Cycle kDc = 2, kExm = 2, kExc = 3;  // after T

// The field of the word that names the scalar register which a vector instruction reads or writes.
uint32_t scalar_register(const Insn& insn, Word word) {
  return ((insn.reads | insn.writes) & kR) != 0 ? word.r() : word.rt();
}

}  // namespace

// From which tick on the instruction can leave ID, and why not before.
struct Pipeline::Wait {
  Cycle issue;
  Stall cause = Stall::operand;
  uint32_t num_sources = 0;
  struct {
    const Value* value;
    Cycle written;
  } sources[4];

  void until(Cycle tick, Stall why) {
    if (tick <= issue) return;
    issue = tick;
    cause = why;
  }
  void add_source(const Value& value, Cycle written) { sources[num_sources++] = {&value, written}; }
};

const char* stall_text(Stall stall) {
  static constexpr const char* kTexts[] = {
#define X(name, text) text,
#include "vemicry/stalls.def"
#undef X
  };
  return kTexts[static_cast<size_t>(stall)];
}

Class class_of(const Insn& insn, Word word) {
  return (insn.traits & kCopyIfZero) != 0 && word.n() == 0 ? Class::givi : insn.insn_class;
}

// How often a vector instruction enters the lanes. One that does not depend on the vector length
// moves a single word.
void Pipeline::enter_lanes(const Step& step, uint32_t length) {
  timing_.iterations = 1;
  timing_.num_words = 0;
  if ((step.insn->reads & kLength) == 0 || (step.insn->traits & kControl) != 0) return;
  if ((step.insn->traits & kPads) == 0) length = counted(step, length);
  timing_.num_words = length;
  timing_.iterations = groups(length);
}

uint32_t Pipeline::counted(const Step& step, uint32_t length) {
  const bool counts = (step.insn->traits & kCounted) != 0 && step.word.n() != 0;
  return counts ? std::min(length, step.word.n()) : length;
}

// What an instruction gets that reads a scalar register: behind a load that delays, the old value.
const Pipeline::Value& Pipeline::scalar(uint32_t number) const {
  return number != 0 && number == delayed_.number ? delayed_.before : scalars_[number];
}

// Scalar register |number| is being loaded; 0: none is. Of two loads in a row only the second one
// comes to the register (Machine::execute_with_load_delay).
void Pipeline::begin_delay_slot(uint32_t number) {
  if (config_.load_delay) delayed_ = {number, scalar(number)};
}

// CAR belongs to the whole register (State::writes_car).
bool Pipeline::adds_to_car(const Step& step, uint32_t length) const {
  const Insn& insn = *step.insn;
  const bool adds = (insn.reads & insn.writes & kCar) != 0 ||
                    (config_.car_accumulates && (insn.traits & kProduct) != 0);
  return adds && length == config_.p;
}

bool Pipeline::writes_car(const Step& step, uint32_t length) const {
  const Insn& insn = *step.insn;
  // An accumulated CAR is cleared by who shifts it in.
  const bool clears =
      config_.car_accumulates && (insn.traits & kShift) != 0 && (insn.reads & kCar) != 0;
  const bool keeps = (insn.traits & kShift) != 0 && step.word.n() == 0;
  return ((insn.writes & kCar) != 0 || clears) && !keeps && length == config_.p;
}

void Pipeline::wait_for_scalars(const Step& step, Wait* wait) {
  const auto wait_for = [&](const Value& value) {
    wait->until(value.ready, value.cause);
    wait->add_source(value, value.written);
  };
  const uint32_t reads = step.insn->reads, uses = reads | step.insn->writes;
  if ((reads & kRs) != 0) wait_for(scalar(step.word.rs()));
  if ((reads & kRt) != 0) wait_for(scalar(step.word.rt()));
  if ((uses & (kHi | kLo)) == 0) return;
  if ((uses & kHi) != 0) wait->until(hi_.ready, Stall::hilo);
  if ((uses & kLo) != 0) wait->until(lo_.ready, Stall::hilo);
  if ((reads & kHi) != 0) wait->add_source(hi_, hi_.written);
  if ((reads & kLo) != 0) wait->add_source(lo_, lo_.written);
}

void Pipeline::wait_for_vectors(const Step& step, Class insn_class, uint32_t length, Wait* wait) {
  const Insn& insn = *step.insn;
  const uint32_t reads = insn.reads;
  if ((reads & (kR | kRt)) != 0) {
    // A scalar is read in DF, as EX would read it; one that comes from the vector unit can be taken
    // from WB there, in EXC or, as a factor, in EXM. Addresses and lengths are needed in ID.
    const Value& value = scalar(scalar_register(insn, step.word));
    const bool in_id = insn_class == Class::mavi || (insn.writes & kLength) != 0;
    const Cycle stage = in_id ? 1 : insn_class == Class::givi ? kExc : kExm;
    wait->until(value.cause == Stall::transfer ? value.ready + 1 - stage : value.ready,
                value.cause);
    wait->add_source(value, value.written);
  }
  const auto wait_for = [&](const Value& value, Cycle group = 0) {
    if (insn_class == Class::pivi) wait->until(value.ready + 1 - kExm, value.cause);
    wait->add_source(value, value.written + group);
  };
  if ((reads & kVd) != 0) wait_for(vectors_[step.word.vd()]);
  if ((reads & kVk) != 0) wait_for(vectors_[step.word.vk()]);
  if ((reads & kVcr) != 0) wait->add_source(vcr_, vcr_.written);
  const uint32_t n = step.word.n();
  if ((insn.traits & kIndex) != 0) {  // a single word, counted from 1; 0 is CAR
    if (n == 0) return wait->add_source(car_, car_.written);
    const Value& value = vectors_[step.word.vj()];
    return wait_for(value, std::min(Cycle{(n - 1) / config_.r}, value.last));
  }
  if ((reads & kVj) != 0) {
    // What moves words between lanes reads the whole register at once.
    const Value& value = vectors_[step.word.vj()];
    wait_for(value, (insn.traits & kCrosses) != 0 ? value.last : 0);
  }
  // CAR is read and written in EXC, in order. A shift has one word that needs it, if any.
  if ((insn.traits & kShift) != 0) {
    if ((reads & kCar) != 0 && n != 0 && n <= length)
      wait->add_source(car_, car_.written - Cycle{(length - n) / config_.r});
  } else if ((insn.traits & kControl) != 0 ? (reads & kCar) != 0 : adds_to_car(step, length)) {
    wait->add_source(car_, car_.written);
  }
}

// A scalar access in DC comes behind those of older vector instructions in EXC.
void Pipeline::wait_for_memory_order(const Insn& insn, Wait* wait) const {
  if ((insn.reads & kMemory) != 0) wait->until(stored_, Stall::memory_order);
  if ((insn.writes & kMemory) != 0) wait->until(std::max(loaded_, stored_), Stall::memory_order);
}

// Notes what the instruction writes, and when it is there.
void Pipeline::write(const Step& step, uint32_t length, Cycle t) {
  const Insn& insn = *step.insn;
  const uint32_t writes = insn.writes;
  const bool is_vector = timing_.iterations != 0, is_load = (insn.traits & kLoad) != 0;
  Value* scalar = nullptr;
  if ((writes & (kR | kRt)) != 0) scalar = &scalars_[scalar_register(insn, step.word)];
  if ((writes & kRd) != 0) scalar = &scalars_[step.word.rd()];
  if ((writes & kRa) != 0) scalar = &scalars_[31];
  if (scalar == scalars_) scalar = nullptr;  // register 0
  begin_delay_slot(is_load && scalar != nullptr ? static_cast<uint32_t>(scalar - scalars_) : 0);
  const auto set = [&](Value* value, Cycle ready, Cycle written, Stall cause) {
    *value = {ready, written, 0, instructions_, cause};
  };
  if (scalar != nullptr) {
    if (is_vector)
      set(scalar, t + kExc, t + 4, Stall::transfer);
    else if (is_load)
      set(scalar, t + kDc, t + 3, Stall::load);
    else
      set(scalar, t + 1, t + 3, Stall::operand);
  }
  if (!is_vector && (writes & (kHi | kLo)) == 0) return;  // as most
  const Cycle hilo = (insn.traits & kMultiplies) != 0 ? kProductTicks
                     : (insn.traits & kDivides) != 0  ? kQuotientTicks
                                                      : 1;
  if ((writes & kHi) != 0) set(&hi_, t + hilo, t + hilo + 1, Stall::hilo);
  if ((writes & kLo) != 0) set(&lo_, t + hilo, t + hilo + 1, Stall::hilo);
  const Cycle last = timing_.iterations - Cycle{1};
  if ((writes & kVd) != 0) {
    Value* const vector = &vectors_[step.word.vd()];
    set(vector, t + kExc, t + 4, Stall::operand);
    vector->last = last;
  }
  if ((writes & kVcr) != 0) set(&vcr_, t + kExc, t + 4, Stall::operand);
  if (writes_car(step, length)) set(&car_, t + kExc + last, t + 4 + last, Stall::operand);
}

// The memories of the lanes copy a table when VBYTELD first names it.
Cycle Pipeline::copy_turns(const Step& step, const State& state) {
  const bool looks_up = (step.insn->reads & kMemory) != 0 && (step.insn->reads & kVd) != 0;
  if (!config_.banked || !looks_up) return 0;
  const uint32_t table = state.gpr[step.word.r()];
  if (std::find(tables_.begin(), tables_.end(), table) != tables_.end()) return 0;
  tables_.push_back(table);
  return kCopyTurns;
}

// In which ticks memory is accessed, in how many turns, and what has to stay behind.
void Pipeline::access_memory(const Step& step, const State& state, Cycle t) {
  const Insn& insn = *step.insn;
  if (((insn.reads | insn.writes) & kMemory) == 0) return;
  const bool is_vector = timing_.iterations != 0;
  if (is_vector) ((insn.writes & kMemory) != 0 ? stored_ : loaded_) = t + 1 + timing_.iterations;
  if (!memory_stops_) return;
  if (!is_vector) {
    turns_[slot(t + kDc)].scalar = 1;
    return;
  }
  const uint32_t banks = config_.num_banks();
  uint32_t left = counted(step, state.l);
  turns_[slot(t + kExc)].lanes = copy_turns(step, state);
  for (Cycle tick = t + kExc; left != 0; ++tick) {
    const uint32_t words = std::min(left, config_.r);
    turns_[slot(tick)].lanes += (words + banks - 1) / banks;
    left -= words;
  }
}

// The clock comes to |tick|.
void Pipeline::advance(Cycle tick) {
  if (!memory_stops_) tick_ = tick;
  while (tick_ < tick) {
    ++tick_;
    Turns& turns = turns_[slot(tick_)];
    const Cycle num =
        config_.ports == 1 ? turns.lanes + turns.scalar : std::max(turns.lanes, turns.scalar);
    if (num != 0) lost_ += num * (1 + Cycle{config_.memory_latency}) - 1;
    turns = {};
    lost_at_[slot(tick_)] = lost_;
  }
}

const Timing& Pipeline::add(const Step& step, const State& state) {
  const Insn& insn = *step.insn;
  const Class insn_class = class_of(insn, step.word);
  const bool is_vector = insn_class != Class::scalar;
  const Cycle lost_before = lost_;
  Wait wait;
  wait.issue = timing_.issue_tick + 1;
  timing_.fetch = timing_.decode;
  timing_.decode = timing_.issue + 1;
  timing_.iterations = 0;
  timing_.stalls = {};
  if (is_vector) {
    enter_lanes(step, state.l);
    wait.until(lanes_free_, Stall::lanes);
    count_stall(Stall::lanes, wait.issue - timing_.issue_tick - 1);
  }
  const Cycle lanes_free = wait.issue;
  if (is_vector) {
    wait_for_vectors(step, insn_class, state.l, &wait);
  } else {
    wait_for_scalars(step, &wait);
    wait_for_memory_order(insn, &wait);
  }
  if (wait.issue != lanes_free) count_stall(wait.cause, wait.issue - lanes_free);
  if (tells_producers_) note_producers(wait, is_vector);
  write(step, state.l, wait.issue);
  access_memory(step, state, wait.issue);
  advance(wait.issue);
  if (lost_ != lost_before) count_stall(Stall::memory, lost_ - lost_before);
  timing_.issue_tick = wait.issue;
  timing_.issue = wait.issue + lost_;
  if (is_vector) lanes_free_ = wait.issue + timing_.iterations;
  ++instructions_;
  return timing_;
}

void Pipeline::count_stall(Stall stall, Cycle cycles) {
  timing_.stalls[static_cast<size_t>(stall)] += static_cast<uint32_t>(cycles);
  stalls_[static_cast<size_t>(stall)] += static_cast<uint64_t>(cycles);
}

// A value that is not yet in its register when that is read, in ID or DF, comes by a bypass.
void Pipeline::note_producers(const Wait& wait, bool is_vector) {
  timing_.num_producers = 0;
  for (uint32_t i = 0; i < wait.num_sources; ++i) {
    if (wait.sources[i].written <= wait.issue + is_vector) continue;
    const auto begin = timing_.producers.begin(), end = begin + timing_.num_producers;
    if (std::find(begin, end, wait.sources[i].value->producer) == end)
      timing_.producers[timing_.num_producers++] = wait.sources[i].value->producer;
  }
}

}  // namespace incore::vemicry
