// The pipeline once more, for comparison: cycle by cycle and word by word, as the rules in
// docs/vemicry/pipeline.md say it, without a look at how src/vemicry/pipeline.cpp finds the same.
// Every value has a count of the cycles until it can be used, which goes down as the clock ticks;
// the instruction in ID leaves it in the first cycle in which all it needs will be there in time.
// What an instruction reads and writes is its record's, which insn_record_test.cpp compares with
// what it does.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "vemicry/insn.h"
#include "vemicry/machine.h"

namespace incore::test {

class PipelineReference {
 public:
  explicit PipelineReference(const vemicry::Config& config)
      : config_(config), registers_(config.q, std::vector<int>(config.p, 0)) {}

  // The cycle in which the instruction leaves ID, the first one that can in cycle 1.
  int64_t issue(const vemicry::Step& step, uint32_t length) {
    tick();
    prepare(step, length);
    while (!can_leave()) tick();
    leave();
    return now_;
  }

 private:
  void tick() {
    ++now_;
    lanes_busy_ = std::max(lanes_busy_ - 1, 0);
    for (auto& vector : registers_)
      for (int& count : vector) count = std::max(count - 1, 0);
    for (int* count : {&car_, &vcr_, &hi_, &lo_}) *count = std::max(*count - 1, 0);
    for (int& count : scalars_) count = std::max(count - 1, 0);
    delayed_old_ = std::max(delayed_old_ - 1, 0);
    for (int& count : scalar_writes_) count = std::max(count - 1, 0);
    for (int& count : vector_writes_) count = std::max(count - 1, 0);
  }

  bool reads(uint32_t resource) const { return (insn_->reads & resource) != 0; }
  bool writes(uint32_t resource) const { return (insn_->writes & resource) != 0; }
  bool has(vemicry::Trait trait) const { return (insn_->traits & trait) != 0; }
  bool is_scalar() const { return class_ == vemicry::Class::scalar; }
  bool is_pivi() const { return class_ == vemicry::Class::pivi; }

  void prepare(const vemicry::Step& step, uint32_t length) {
    word_ = step.word;
    insn_ = step.insn;
    n_ = word_.n();
    class_ = insn_->insn_class;
    if (has(vemicry::kCopyIfZero) && n_ == 0) class_ = vemicry::Class::givi;
    length_ = length;
    words_ = reads(vemicry::kLength) ? length : 1;
    if (has(vemicry::kCounted) && n_ != 0) words_ = std::min(n_, words_);
    iterations_ = 0;
    while (iterations_ * config_.r < words_) ++iterations_;
    loads_ = reads(vemicry::kMemory);
    latency_ = loads_ ? static_cast<int>(config_.memory_latency) : 0;
  }

  bool can_leave() const {
    if (is_scalar()) return scalar_can_leave();
    return lanes_busy_ == 0 && scalar_operand_in_time() && vector_operands_in_time() &&
           writes_in_order();
  }

  // With a load delay, the instruction behind a load gets what the register held before.
  int scalar(uint32_t number) const {
    return in_delay_slot_of(number) ? delayed_old_ : scalars_[number];
  }
  bool from_vector_unit(uint32_t number) const {
    return in_delay_slot_of(number) ? delayed_from_vector_unit_ : from_vector_unit_[number];
  }
  bool in_delay_slot_of(uint32_t number) const { return number != 0 && number == delayed_; }

  // What is needed in EX, one cycle from now, and is in time if it is there by then.
  bool scalar_can_leave() const {
    for (const uint32_t number : scalar_sources())
      if (scalar(number) > 1) return false;
    if (reads(vemicry::kHi) && hi_ > 1) return false;
    if (reads(vemicry::kLo) && lo_ > 1) return false;
    if (reads(vemicry::kCar) && car_ > 1) return false;
    const uint32_t target = scalar_target();
    return target == 0 || scalar_writes_[target] <= 3 + latency_;
  }

  std::vector<uint32_t> scalar_sources() const {
    std::vector<uint32_t> numbers;
    if (reads(vemicry::kRs)) numbers.push_back(word_.rs());
    if (reads(vemicry::kRt)) numbers.push_back(word_.rt());
    if (reads(vemicry::kR)) numbers.push_back(word_.r());
    return numbers;
  }

  uint32_t scalar_target() const {
    if (writes(vemicry::kRa)) return 31;
    if (writes(vemicry::kR)) return word_.r();
    if (writes(vemicry::kRt)) return word_.rt();
    return writes(vemicry::kRd) ? word_.rd() : 0;
  }

  bool scalar_operand_in_time() const {
    for (const uint32_t number : scalar_sources()) {
      if (number == 0) continue;
      // It is read in DF; what comes from the vector unit is taken in EXC, or in EXM.
      const int stage = !from_vector_unit(number) ? 1 : class_ == vemicry::Class::givi ? 3 : 2;
      if (scalar(number) > stage) return false;
    }
    return true;
  }

  uint32_t group_of(uint32_t i) const { return i / config_.r; }

  // Every word of groups 0 to |last| of a register can be used |cycles| from now.
  bool groups_in_time(uint32_t vector, uint32_t last, int cycles) const {
    for (uint32_t i = 0; i < config_.p && group_of(i) <= last; ++i)
      if (registers_[vector][i] > cycles) return false;
    return true;
  }

  bool vector_operands_in_time() const {
    if (has(vemicry::kIndex)) return (n_ == 0 ? car_ : registers_[word_.vj()][n_ - 1]) <= 3;
    std::vector<uint32_t> sources;
    if (reads(vemicry::kVd)) sources.push_back(word_.vd());
    if (reads(vemicry::kVj)) sources.push_back(word_.vj());
    if (reads(vemicry::kVk)) sources.push_back(word_.vk());
    for (uint32_t g = 0; g < iterations_; ++g) {
      const int stage = static_cast<int>(g) + (is_pivi() ? 2 : 3);
      if (reads(vemicry::kVcr) && vcr_ > stage) return false;
      for (const uint32_t source : sources) {
        if (is_pivi() && !groups_in_time(source, highest_group(g), stage)) return false;
        for (uint32_t i = 0; i < config_.p && !is_pivi(); ++i)
          if (group_of(i) == g && registers_[source][i] > stage) return false;
      }
      if (needs_car(g) && car_ > stage) return false;
    }
    // The carry comes to CAR in EXC of the last iteration.
    const int end = 3 + static_cast<int>(iterations_) - 1;
    const bool adds = (reads(vemicry::kCar) && writes(vemicry::kCar)) ||
                      (config_.car_accumulates && has(vemicry::kProduct));
    return !adds || !whole_register() || car_ <= end;
  }

  // CAR is beyond the last word of the whole register: with a shorter length nobody writes it.
  bool whole_register() const { return length_ == config_.p; }
  bool writes_car() const {
    if (!whole_register()) return false;
    if (insn_ == &vemicry::vwshl) return n_ != 0;
    if (insn_ == &vemicry::vwshr) return config_.car_accumulates && n_ != 0;
    return writes(vemicry::kCar);
  }

  // The highest word of vj that word |i| of the result needs; |length_| is CAR.
  uint32_t highest_source(uint32_t i) const {
    return insn_->highest_source == nullptr ? i : insn_->highest_source(i, n_, length_);
  }
  bool needs_car(uint32_t g) const {
    for (uint32_t i = 0; i < length_ && reads(vemicry::kCar); ++i)
      if (group_of(i) == g && highest_source(i) == length_) return true;
    return false;
  }
  // The highest group with a word that iteration |g| needs; never below its own.
  uint32_t highest_group(uint32_t g) const {
    uint32_t highest = g;
    for (uint32_t i = 0; i < length_; ++i)
      if (group_of(i) == g && highest_source(i) < length_)
        highest = std::max(highest, group_of(highest_source(i)));
    return highest;
  }

  int last_write() const { return 4 + latency_ + static_cast<int>(iterations_) - 1; }
  bool writes_in_order() const {
    if (writes(vemicry::kVd)) return vector_writes_[word_.vd()] <= last_write();
    const uint32_t target = scalar_target();
    return target == 0 || scalar_writes_[target] <= 4;
  }

  void leave() {
    const uint32_t loaded = loads_ && is_scalar() && config_.load_delay ? scalar_target() : 0;
    delayed_old_ = scalar(loaded);
    delayed_from_vector_unit_ = from_vector_unit(loaded);
    delayed_ = loaded;
    if (is_scalar()) return leave_scalar();
    lanes_busy_ = static_cast<int>(iterations_);
    const int end = 4 + static_cast<int>(iterations_) - 1;  // what is there after the last EXC
    if (const uint32_t target = scalar_target(); target != 0) {
      scalars_[target] = 4;
      scalar_writes_[target] = 4;
      from_vector_unit_[target] = true;
    }
    if (writes(vemicry::kVcr)) vcr_ = 4;
    if (writes_car()) car_ = end;
    if (!writes(vemicry::kVd)) return;
    // Words that it leaves alone count as written with its last iteration.
    for (uint32_t i = 0; i < config_.p; ++i)
      registers_[word_.vd()][i] =
          4 + latency_ + static_cast<int>(std::min(group_of(i), iterations_ - 1));
    vector_writes_[word_.vd()] = last_write();
  }

  void leave_scalar() {
    if (writes(vemicry::kHi)) hi_ = 2;
    if (writes(vemicry::kLo)) lo_ = 2;
    const uint32_t target = scalar_target();
    if (target == 0) return;
    scalars_[target] = loads_ ? 3 + latency_ : 2;
    scalar_writes_[target] = 3 + latency_;
    from_vector_unit_[target] = false;
  }

  vemicry::Config config_;
  int64_t now_ = 0;
  // The instruction in ID.
  vemicry::Word word_ = {};
  const vemicry::Insn* insn_ = nullptr;
  vemicry::Class class_ = vemicry::Class::scalar;
  uint32_t n_ = 0, length_ = 0, words_ = 0, iterations_ = 0;
  bool loads_ = false;
  int latency_ = 0;
  // Cycles until a value can be used, and until it is written to its register.
  std::vector<std::vector<int>> registers_;
  int lanes_busy_ = 0, car_ = 0, vcr_ = 0, hi_ = 0, lo_ = 0;
  int scalars_[32] = {}, scalar_writes_[32] = {}, vector_writes_[vemicry::kMaxRegisters] = {};
  bool from_vector_unit_[32] = {};
  // The register that the instruction before loads, with a load delay, and its old value's count.
  uint32_t delayed_ = 0;
  int delayed_old_ = 0;
  bool delayed_from_vector_unit_ = false;
};

}  // namespace incore::test
