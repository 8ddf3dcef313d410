// The pipeline once more, for comparison: tick by tick and word by word, as the rules in
// docs/vemicry/pipeline.md say it, without a look at how src/vemicry/pipeline.cpp finds the same.
// Every value has a count of the ticks until it can be used, which goes down as the clock ticks;
// the instruction in ID leaves it in the first cycle in which all it needs will be there in time.
// What an instruction reads and writes is its record's, which insn_record_test.cpp compares with
// what it does.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "vemicry/insn.h"
#include "vemicry/machine.h"

namespace incore::test {

class PipelineReference {
 public:
  explicit PipelineReference(const vemicry::Config& config)
      : config_(config), registers_(config.q, std::vector<int>(config.p, 0)) {}

  // The last cycle in which the instruction is in ID; the first one leaves it in cycle 1.
  // |table| is where VBYTELD looks.
  int64_t issue(const vemicry::Step& step, uint32_t length, uint32_t table = 0) {
    tick();
    table_ = table;
    prepare(step, length);
    while (!can_leave()) tick();
    leave();
    return now_;
  }

 private:
  // The clock, which memory can stop for some cycles.
  void tick() {
    ++now_;
    int of_lanes = 0, of_core = 0;
    for (Access& access : accesses_)
      if (--access.count == 0) (access.is_scalar ? of_core : of_lanes) += access.turns;
    std::erase_if(accesses_, [](const Access& access) { return access.count == 0; });
    // A port of its own lets the scalar core's turn pass beside the others.
    const int beside = config_.ports == 2 ? std::min(of_core, of_lanes) : 0;
    for (int turn = 0; turn < of_lanes + of_core - beside; ++turn)
      now_ += config_.memory_latency + (turn == 0 ? 0 : 1);
    for (auto& vector : registers_)
      for (int& count : vector) count = std::max(count - 1, 0);
    for (int* count : {&lanes_busy_, &hi_, &lo_, &delayed_old_, &load_in_df_, &store_in_df_})
      *count = std::max(*count - 1, 0);
    for (int& count : scalars_) count = std::max(count - 1, 0);
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
    words_ = reads(vemicry::kLength) && !has(vemicry::kControl) ? length : 1;
    counted_ = has(vemicry::kCounted) && n_ != 0 ? std::min(n_, words_) : words_;
    if (insn_ != &vemicry::vload) words_ = counted_;  // it writes zeros behind
    iterations_ = 0;
    while (iterations_ * config_.r < words_) ++iterations_;
  }

  bool can_leave() const {
    if (is_scalar()) return scalar_can_leave();
    return lanes_busy_ == 0 && scalar_operand_in_time() && vector_operands_in_time();
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
    if ((reads(vemicry::kHi) || writes(vemicry::kHi)) && hi_ > 1) return false;
    if ((reads(vemicry::kLo) || writes(vemicry::kLo)) && lo_ > 1) return false;
    if (reads(vemicry::kMemory) && store_in_df_ > 0) return false;
    return !writes(vemicry::kMemory) || (store_in_df_ == 0 && load_in_df_ == 0);
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
      const bool in_time =
          class_ != vemicry::Class::mavi && !writes(vemicry::kLength) && from_vector_unit(number);
      const int stage = !in_time ? 1 : is_pivi() ? 2 : 3;
      if (scalar(number) > stage) return false;
    }
    return true;
  }

  uint32_t group_of(uint32_t i) const { return i / config_.r; }

  // PIVI need their own words in EXM. Other words, and CAR and VCR, are needed in EXC, where they
  // always are in time.
  bool vector_operands_in_time() const {
    std::vector<uint32_t> sources;
    if (is_pivi() && reads(vemicry::kVj)) sources.push_back(word_.vj());
    if (is_pivi() && reads(vemicry::kVk)) sources.push_back(word_.vk());
    for (const uint32_t source : sources)
      for (uint32_t i = 0; i < words_; ++i)
        if (registers_[source][i] > static_cast<int>(group_of(i)) + 2) return false;
    return true;
  }

  void leave() {
    const bool loads = reads(vemicry::kMemory), stores = writes(vemicry::kMemory);
    const uint32_t loaded = loads && is_scalar() && config_.load_delay ? scalar_target() : 0;
    delayed_old_ = scalar(loaded);
    delayed_from_vector_unit_ = from_vector_unit(loaded);
    delayed_ = loaded;
    if (is_scalar()) return leave_scalar();
    lanes_busy_ = static_cast<int>(iterations_);
    if (loads) load_in_df_ = lanes_busy_ + 1;
    if (stores) store_in_df_ = lanes_busy_ + 1;
    if (insn_ == &vemicry::vbyteld && config_.banked && copied_.insert(table_).second)
      accesses_.push_back({3, 2 * 256, false});  // each byte is read, then written
    for (uint32_t i = 0; (loads || stores) && i < counted_; i += config_.r) {
      const uint32_t words = std::min(config_.r, counted_ - i);
      int turns = 0;
      for (uint32_t word = 0; word < words; ++word)
        if (config_.banks == 0 ? word == 0 : word % config_.banks == 0) ++turns;
      accesses_.push_back({3 + static_cast<int>(group_of(i)), turns, false});
    }
    if (const uint32_t target = scalar_target(); target != 0) {
      scalars_[target] = 4;
      from_vector_unit_[target] = true;
    }
    if (!writes(vemicry::kVd)) return;
    // Words that it leaves alone count as written with its last iteration.
    for (uint32_t i = 0; i < config_.p; ++i)
      registers_[word_.vd()][i] = 4 + static_cast<int>(std::min(group_of(i), iterations_ - 1));
  }

  void leave_scalar() {
    using namespace vemicry;
    const int hilo = insn_ == &mult || insn_ == &multu ? 11
                     : insn_ == &div || insn_ == &divu ? 35
                                                       : 2;
    if (writes(kHi)) hi_ = hilo;
    if (writes(kLo)) lo_ = hilo;
    if (reads(kMemory) || writes(kMemory)) accesses_.push_back({2, 1, true});
    const uint32_t target = scalar_target();
    if (target == 0) return;
    scalars_[target] = reads(kMemory) ? 3 : 2;
    from_vector_unit_[target] = false;
  }

  vemicry::Config config_;
  int64_t now_ = 0;
  // The instruction in ID.
  vemicry::Word word_ = {};
  const vemicry::Insn* insn_ = nullptr;
  vemicry::Class class_ = vemicry::Class::scalar;
  uint32_t n_ = 0, words_ = 0, counted_ = 0, iterations_ = 0;
  // Ticks until a value can be used.
  std::vector<std::vector<int>> registers_;
  int lanes_busy_ = 0, hi_ = 0, lo_ = 0;
  int scalars_[32] = {};
  int load_in_df_ = 0, store_in_df_ = 0;
  struct Access {
    int count;  // ticks until memory is accessed
    int turns;
    bool is_scalar;
  };
  std::vector<Access> accesses_;
  uint32_t table_ = 0;
  std::set<uint32_t> copied_;
  bool from_vector_unit_[32] = {};
  // The register that the instruction before loads, with a load delay, and its old value's count.
  uint32_t delayed_ = 0;
  int delayed_old_ = 0;
  bool delayed_from_vector_unit_ = false;
};

}  // namespace incore::test
