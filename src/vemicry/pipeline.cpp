// The rules of the pipeline model (docs/vemicry/pipeline.md). T is the cycle in which an
// instruction leaves ID. A scalar one is then in EX at T+1; iteration g of a vector one is in DF at
// T+1+g, EXM T+2+g, EXC T+3+g, WB T+4+g. What exists at the end of a cycle can be used in the next.
#include "vemicry/pipeline.h"

#include <algorithm>

namespace incore::vemicry {
namespace {

constexpr Cycle kExm = 2, kExc = 3;  // after T

// The field of the word that names the scalar register which a vector instruction reads or writes.
uint32_t scalar_register(const Insn& insn, Word word) {
  return ((insn.reads | insn.writes) & kR) != 0 ? word.r() : word.rt();
}

}  // namespace

// From when on the instruction can leave ID, and why not before.
struct Pipeline::Wait {
  Cycle issue;
  Stall cause = Stall::operand;
  uint32_t num_sources = 0;
  struct {
    const Value* value;
    Cycle written;
  } sources[4];

  void until(Cycle cycle, Stall why) {
    if (cycle <= issue) return;
    issue = cycle;
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
  if ((step.insn->reads & kLength) == 0) return;
  if ((step.insn->traits & kCounted) != 0 && step.word.n() != 0)
    length = std::min(length, step.word.n());
  timing_.num_words = length;
  if (length > config_.r) timing_.iterations = (length + config_.r - 1) / config_.r;
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
  const uint32_t reads = step.insn->reads;
  if ((reads & kRs) != 0) wait_for(scalar(step.word.rs()));
  if ((reads & kRt) != 0) wait_for(scalar(step.word.rt()));
  if ((reads & (kHi | kLo | kCar)) == 0) return;
  if ((reads & kHi) != 0) wait_for(hi_);
  if ((reads & kLo) != 0) wait_for(lo_);
  if ((reads & kCar) != 0) wait_for(car_);
}

void Pipeline::wait_for_vectors(const Step& step, Class insn_class, uint32_t length, Wait* wait) {
  const uint32_t reads = step.insn->reads;
  const Cycle needed = insn_class == Class::pivi ? kExm : kExc;
  const auto wait_for = [&](const Value& value, Cycle more = 0) {
    wait->until(value.ready + more + 1 - needed, value.cause);
    wait->add_source(value, value.written - value.last + more);
  };
  if ((reads & (kR | kRt)) != 0) {
    // A scalar is read in DF, as EX would read it; one that comes from the vector unit can be taken
    // from EXC, for EXC or, as an address or a factor, for EXM.
    const Value& value = scalar(scalar_register(*step.insn, step.word));
    const Cycle bypassed = insn_class == Class::givi ? kExc : kExm;
    wait->until(value.cause == Stall::transfer ? value.ready + 1 - bypassed : value.ready,
                value.cause);
    wait->add_source(value, value.written);
  }
  if ((reads & kVd) != 0) wait_for(vectors_[step.word.vd()]);
  if ((reads & kVk) != 0) wait_for(vectors_[step.word.vk()]);
  if ((reads & kVcr) != 0) wait_for(vcr_);
  if (step.insn->highest_source != nullptr) {
    wait_for(vectors_[step.word.vj()]);
    if (insn_class == Class::pivi) wait_for_words_above(step, length, wait);
  } else if ((reads & kLength) != 0) {
    if ((reads & kVj) != 0) wait_for(vectors_[step.word.vj()]);
    // Who adds to CAR does so in the last iteration, never before those that wrote it.
    if (adds_to_car(step, length)) wait->add_source(car_, car_.written);
  } else if ((reads & kVj) != 0) {  // a single word, which n counts from 1; 0 is CAR
    const uint32_t n = step.word.n();
    const Value& value = vectors_[step.word.vj()];
    if (n == 0)
      wait_for(car_);
    else
      wait_for(value, std::min((n - 1) / config_.r, value.last));
  }
}

// Where word i of the result needs words above it, iteration g waits for the iteration that made
// the highest of them; word |length| is CAR. Usually all is in its register long since.
void Pipeline::wait_for_words_above(const Step& step, uint32_t length, Wait* wait) {
  const auto highest_source = [&](uint32_t i) {
    return step.insn->highest_source(i, step.word.n(), length);
  };
  const Value& value = vectors_[step.word.vj()];
  if (value.last != 0 && wait->issue < value.ready + value.last) {
    Cycle later = 0;  // iterations that an operand's is behind the one that needs it, at most
    for (uint32_t first = 0, g = 0; first < length; first += config_.r, ++g) {
      uint32_t highest = 0;
      for (uint32_t i = first; i < std::min(first + config_.r, length); ++i)
        if (const uint32_t source = highest_source(i); source < length)
          highest = std::max(highest, source);
      later = std::max(later, Cycle{std::min(highest / config_.r, value.last)} - g);
    }
    if (later > 0) {
      wait->until(value.ready + later + 1 - kExm,
                  value.cause == Stall::operand ? Stall::higher_group : value.cause);
      wait->add_source(value, value.written - value.last + later);
    }
  }
  if ((step.insn->reads & kCar) == 0 || wait->issue >= car_.ready) return;
  for (uint32_t i = length; i-- > 0;) {
    if (highest_source(i) != length) continue;
    const Cycle g = i / config_.r;
    wait->until(car_.ready - g + 1 - kExm, Stall::carry);
    wait->add_source(car_, car_.written - g);
    return;
  }
}

// Notes what the instruction writes, and when it is there. Writes of one register stay in order, so
// a load under way may hold the instruction back.
void Pipeline::write(const Step& step, uint32_t length, Wait* wait) {
  const Insn& insn = *step.insn;
  const uint32_t writes = insn.writes;
  const bool is_vector = timing_.iterations != 0;
  const Cycle more = timing_.memory_wait, last = is_vector ? timing_.iterations - 1 : 0;

  Value* scalar = nullptr;
  if ((writes & (kR | kRt)) != 0) scalar = &scalars_[scalar_register(insn, step.word)];
  if ((writes & kRd) != 0) scalar = &scalars_[step.word.rd()];
  if ((writes & kRa) != 0) scalar = &scalars_[31];
  if (scalar == scalars_) scalar = nullptr;  // register 0
  Value* const vector = (writes & kVd) != 0 ? &vectors_[step.word.vd()] : nullptr;
  if (config_.memory_latency != 0) {
    if (scalar != nullptr)
      wait->until(scalar->written - more - (is_vector ? 4 : 3), Stall::write_order);
    if (vector != nullptr) wait->until(vector->written - more - last - 4, Stall::write_order);
  }

  const Cycle t = wait->issue;
  const bool is_load = (insn.traits & kLoad) != 0;
  begin_delay_slot(is_load && scalar != nullptr ? static_cast<uint32_t>(scalar - scalars_) : 0);
  const auto set = [&](Value* value, Cycle ready, Cycle written, Stall cause) {
    *value = {ready, written, instructions_, 0, cause};
  };
  if (scalar != nullptr) {
    if (is_vector)
      set(scalar, t + 3, t + 4, Stall::transfer);
    else if (is_load)
      set(scalar, t + 2 + more, t + 3 + more, Stall::load);
    else
      set(scalar, t + 1, t + 3, Stall::operand);
  }
  if ((writes & kHi) != 0) set(&hi_, t + 1, t + 3, Stall::operand);
  if ((writes & kLo) != 0) set(&lo_, t + 1, t + 3, Stall::operand);
  if (vector != nullptr) {
    set(vector, t + 3 + more, t + 4 + more + last, more != 0 ? Stall::vector_load : Stall::operand);
    vector->last = static_cast<uint32_t>(last);
  }
  if ((writes & kVcr) != 0) set(&vcr_, t + 3, t + 4, Stall::operand);
  if (writes_car(step, length)) set(&car_, t + 3 + last, t + 4 + last, Stall::transfer);
}

const Timing& Pipeline::add(const Step& step, const State& state) {
  const Insn& insn = *step.insn;
  const Class insn_class = class_of(insn, step.word);
  const bool is_vector = insn_class != Class::scalar;
  Wait wait;
  wait.issue = timing_.issue + 1;
  timing_.fetch = timing_.decode;
  timing_.decode = wait.issue;
  timing_.iterations = 0;
  timing_.memory_wait = (insn.reads & kMemory) != 0 ? config_.memory_latency : 0;
  timing_.stalls = {};
  if (is_vector) {
    enter_lanes(step, state.l);
    wait.until(lanes_free_, Stall::lanes);
    count_stall(Stall::lanes, wait.issue - timing_.decode);
  }
  const Cycle lanes_free = wait.issue;
  if (is_vector)
    wait_for_vectors(step, insn_class, state.l, &wait);
  else
    wait_for_scalars(step, &wait);
  note_producers(wait, is_vector);
  write(step, state.l, &wait);
  if (wait.issue != lanes_free) count_stall(wait.cause, wait.issue - lanes_free);
  timing_.issue = wait.issue;
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
