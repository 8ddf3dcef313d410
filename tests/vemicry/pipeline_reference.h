// The pipeline once more, for comparison: cycle by cycle and word by word, as the rules in
// docs/vemicry/pipeline.md say it, without a look at how src/vemicry/pipeline.cpp finds the same.
// Every value has a count of the cycles until it can be used, which goes down as the clock ticks;
// the instruction in ID leaves it in the first cycle in which all it needs will be there in time.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
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
  enum Class { kScalar, kGivi, kPivi, kMavi };

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

  bool is(const char* name) const { return name_ == name; }
  bool is_any(std::initializer_list<const char*> names) const {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return is(name); });
  }

  void prepare(const vemicry::Step& step, uint32_t length) {
    word_ = step.word;
    name_ = step.insn->mnemonic;
    control_ = word_.opcode() == 0x12 && (word_.bits >> 25 & 1) == 0 ? word_.rd() : 0;
    n_ = word_.n();
    class_ = kScalar;
    if (is_any({"vaddu", "vspmult", "vsamult", "vwshl", "vwshr"})) class_ = kPivi;
    if (is_any({"vload", "vstore", "vbyteld"})) class_ = kMavi;
    if (is_any({"vxor", "vbcrotr", "vmpmul", "vsaddu", "vsmove", "vextract", "mtvcr", "mfvcr"}))
      class_ = kGivi;
    if (is("vtransp")) class_ = n_ == 0 ? kGivi : kPivi;
    length_ = length;
    words_ = length;
    if (is_any({"vload", "vstore", "vbyteld", "vsmove"}) && n_ != 0) words_ = std::min(n_, length);
    if (is_any({"vextract", "mtvcr", "mfvcr"})) words_ = 1;
    iterations_ = 0;
    while (iterations_ * config_.r < words_) ++iterations_;
    loads_ = is_any({"lb", "lbu", "lh", "lhu", "lw", "lwl", "lwr", "vload", "vbyteld"});
    latency_ = loads_ ? static_cast<int>(config_.memory_latency) : 0;
  }

  bool can_leave() const {
    if (class_ == kScalar) return scalar_can_leave();
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
    if (is("mfhi") && hi_ > 1) return false;
    if (is("mflo") && lo_ > 1) return false;
    if (is("cfc2") && control_ == 1 && car_ > 1) return false;
    const uint32_t target = scalar_target();
    return target == 0 || scalar_writes_[target] <= 3 + latency_;
  }

  std::vector<uint32_t> scalar_sources() const {
    const uint32_t rs = word_.rs(), rt = word_.rt();
    if (is_any({"j", "jal", "syscall", "break", "mfhi", "mflo", "lui", "cfc2"})) return {};
    if (is_any({"sll", "srl", "sra", "ctc2"})) return {rt};
    if (is_any({"addi", "addiu", "slti", "sltiu", "andi", "ori",    "xori",   "jr",
                "jalr", "blez",  "bgtz", "bltz",  "bgez", "bltzal", "bgezal", "mthi",
                "mtlo", "lb",    "lbu",  "lh",    "lhu",  "lw"}))
      return {rs};
    return {rs, rt};
  }

  uint32_t scalar_target() const {
    if (is_any({"jal", "bltzal", "bgezal"})) return 31;
    if (is("vextract")) return word_.r();
    if (is("mfvcr")) return word_.rt();
    if (class_ != kScalar) return 0;
    if (is_any({"sb",   "sh",   "sw",   "swl",     "swr",   "j",    "jr",    "beq",
                "bne",  "blez", "bgtz", "bltz",    "bgez",  "mult", "multu", "div",
                "divu", "mthi", "mtlo", "syscall", "break", "ctc2"}))
      return 0;
    const bool immediate = word_.opcode() >= 8;  // beside COP2's, those with a 16-bit operand
    return immediate ? word_.rt() : word_.rd();
  }

  bool scalar_operand_in_time() const {
    uint32_t number = 0;
    if (is_any({"vspmult", "vsamult", "vsaddu", "vsmove", "vload", "vstore", "vbyteld"}))
      number = word_.r();
    if (is("mtvcr")) number = word_.rt();
    if (number == 0) return true;
    if (!from_vector_unit(number)) return scalar(number) <= 1;  // read in DF
    return scalar(number) <= (class_ == kGivi ? 3 : 2);         // taken in EXC, or in EXM
  }

  uint32_t group_of(uint32_t i) const { return i / config_.r; }

  // Every word of groups 0 to |last| of a register can be used |cycles| from now.
  bool groups_in_time(uint32_t vector, uint32_t last, int cycles) const {
    for (uint32_t i = 0; i < config_.p && group_of(i) <= last; ++i)
      if (registers_[vector][i] > cycles) return false;
    return true;
  }

  bool vector_operands_in_time() const {
    if (is("vextract")) return (n_ == 0 ? car_ : registers_[word_.vj()][n_ - 1]) <= 3;
    if (is("mfvcr")) return vcr_ <= 3;
    if (is("mtvcr")) return true;
    std::vector<uint32_t> sources;
    if (is_any({"vxor", "vaddu"})) sources = {word_.vj(), word_.vk()};
    if (is_any({"vbcrotr", "vmpmul", "vsaddu", "vspmult", "vsamult", "vtransp", "vwshl", "vwshr",
                "vstore"}))
      sources = {word_.vj()};
    if (is("vbyteld")) sources = {word_.vd()};
    for (uint32_t g = 0; g < iterations_; ++g) {
      const int stage = static_cast<int>(g) + (class_ == kPivi ? 2 : 3);
      if (is_any({"vbcrotr", "vmpmul"}) && vcr_ > stage) return false;
      for (const uint32_t source : sources) {
        if (class_ == kPivi && !groups_in_time(source, highest_group(g), stage)) return false;
        for (uint32_t i = 0; i < config_.p && class_ != kPivi; ++i)
          if (group_of(i) == g && registers_[source][i] > stage) return false;
      }
      if (is("vwshr") && n_ >= 1 && n_ <= length_ && group_of(length_ - n_) == g && car_ > stage)
        return false;
    }
    // The carry comes to CAR in EXC of the last iteration.
    const int end = 3 + static_cast<int>(iterations_) - 1;
    const bool adds = is("vaddu") || (config_.car_accumulates && is_any({"vspmult", "vsamult"}));
    return !adds || !whole_register() || car_ <= end;
  }

  // CAR is beyond the last word of the whole register: with a shorter length nobody writes it.
  bool whole_register() const { return length_ == config_.p; }
  bool writes_car() const {
    if (!whole_register()) return false;
    if (is("vwshl")) return n_ != 0;
    if (is("vwshr")) return config_.car_accumulates && n_ != 0;
    return is_any({"vaddu", "vspmult", "vsamult", "vsaddu"});
  }

  // The highest group with a word that iteration |g| needs; never below its own.
  uint32_t highest_group(uint32_t g) const {
    uint32_t highest = g;
    for (uint32_t i = 0; i < length_; ++i) {
      if (group_of(i) != g) continue;
      if (is("vwshr") && i + n_ < length_) highest = std::max(highest, group_of(i + n_));
      if (is("vtransp"))
        for (uint32_t row = 0; row < 4; ++row)
          for (uint32_t k = 0; k < length_ / 4; ++k)
            if (row % n_ + n_ * (length_ / 4 * (row / n_) + k) == i)
              highest = std::max(highest, group_of(4 * k + 3));
    }
    return highest;
  }

  int last_write() const { return 4 + latency_ + static_cast<int>(iterations_) - 1; }
  bool writes_vector() const {
    return class_ != kScalar && !is_any({"vstore", "vextract", "mtvcr", "mfvcr"});
  }
  bool writes_in_order() const {
    if (writes_vector()) return vector_writes_[word_.vd()] <= last_write();
    const uint32_t target = scalar_target();
    return target == 0 || scalar_writes_[target] <= 4;
  }

  void leave() {
    const uint32_t loaded = loads_ && class_ == kScalar && config_.load_delay ? scalar_target() : 0;
    delayed_old_ = scalar(loaded);
    delayed_from_vector_unit_ = from_vector_unit(loaded);
    delayed_ = loaded;
    if (class_ == kScalar) return leave_scalar();
    lanes_busy_ = static_cast<int>(iterations_);
    const int end = 4 + static_cast<int>(iterations_) - 1;  // what is there after the last EXC
    if (const uint32_t target = scalar_target(); target != 0) {
      scalars_[target] = 4;
      scalar_writes_[target] = 4;
      from_vector_unit_[target] = true;
    }
    if (is("mtvcr")) vcr_ = 4;
    if (writes_car()) car_ = end;
    if (!writes_vector()) return;
    // Words that it leaves alone count as written with its last iteration.
    for (uint32_t i = 0; i < config_.p; ++i)
      registers_[word_.vd()][i] =
          4 + latency_ + static_cast<int>(std::min(group_of(i), iterations_ - 1));
    vector_writes_[word_.vd()] = last_write();
  }

  void leave_scalar() {
    if (is_any({"mult", "multu", "div", "divu", "mthi"})) hi_ = 2;
    if (is_any({"mult", "multu", "div", "divu", "mtlo"})) lo_ = 2;
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
  std::string name_;
  Class class_ = kScalar;
  uint32_t n_ = 0, length_ = 0, words_ = 0, iterations_ = 0, control_ = 0;
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
