// What a run took where: instructions and cycles of each address, summed up by function and by line
// of the source.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vemicry/machine.h"

namespace incore::vemicry {

class Profile {
 public:
  struct Row {
    std::string name;   // of the function or the file; empty: it is not known
    uint32_t line = 0;  // of the file
    uint64_t instructions = 0, cycles = 0;
  };

  // |step| is executed, |cycles| after the instruction before.
  void add(const Step& step, uint64_t cycles) {
    if (step.address / kPageLen != page_address_) select(step.address / kPageLen);
    last_ = &page_->counts[step.address % kPageLen / 4];
    last_cycles_ = cycles;
    ++last_->instructions;
    last_->cycles += cycles;
    if (--until_entry_ == 0 && step.address != behind_call_) entries_.insert(step.address);
    if ((step.insn->traits & kCall) != 0) [[unlikely]] {
      until_entry_ = 2;  // behind the delay slot
      behind_call_ = step.address + 8;
    }
  }
  // The last one was not: it trapped.
  void take_back() {
    --last_->instructions;
    last_->cycles -= last_cycles_;
  }

  // A function begins where |image| says so, where one was called, and where the run began.
  std::vector<Row> functions(const Image& image) const;
  std::vector<Row> lines(const Image& image) const;

 private:
  struct Count {
    uint64_t instructions = 0, cycles = 0;
  };
  static constexpr uint32_t kPageLen = Memory::kPageLen;
  struct Page {
    std::array<Count, kPageLen / 4> counts;
  };

  void select(uint32_t page_address);
  // Calls |each|(address, count) for what was executed, by address.
  template <class Each>
  void for_each(Each each) const;

  std::unordered_map<uint32_t, std::unique_ptr<Page>> pages_;
  uint32_t page_address_ = UINT32_MAX;
  Page* page_ = nullptr;
  Count* last_ = nullptr;
  uint64_t last_cycles_ = 0;
  uint64_t until_entry_ = 1;  // instructions; the first one begins a function
  uint32_t behind_call_ = 1;  // a branch that calls may go on there; 1: nowhere
  std::unordered_set<uint32_t> entries_;
};

}  // namespace incore::vemicry
