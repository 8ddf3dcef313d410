#include "vemicry/caller.h"

#include <vector>

namespace incore::vemicry {
namespace {

constexpr uint32_t kFirst = 8, kLast = 25;  // registers that stacked arguments come from
constexpr uint32_t kStackPointer = 29, kWay = 27;
constexpr uint32_t kRegion = 0x10000000;  // what a jump reaches
constexpr uint32_t kNop = 0;

uint32_t store_argument(uint32_t number) {
  return sw.word | kStackPointer << 21 | (kFirst + number - 4) << 16 | 4 * number;
}

// A page in the region of |address| that nothing is mapped to; 0: there is none.
uint32_t free_page(const Memory& memory, uint32_t address) {
  const uint32_t region = address & ~(kRegion - 1);
  for (uint32_t page = kRegion - 2 * Memory::kPageLen; page != 0; page -= Memory::kPageLen)
    if (!memory.is_mapped(region + page, 1)) return region + page;
  return 0;
}

}  // namespace

std::string Caller::begin(uint32_t address, std::span<const uint32_t> arguments,
                          Machine* inout_machine) {
  const uint32_t num = static_cast<uint32_t>(arguments.size());
  if (num > 4 + kLast - kFirst + 1) return "it has too many arguments for a caller";
  std::vector<uint32_t> code;
  for (uint32_t i = 4; i < num; ++i) code.push_back(store_argument(i));
  code.insert(code.end() - (num > 4 ? 1 : 0), jal.word | (address >> 2 & 0x3FFFFFF));
  if (num <= 4) code.push_back(kNop);
  call_len_ = 4 * static_cast<uint32_t>(code.size());
  code.insert(code.end(), {lui.word | kWay << 16 | kReturnAddress >> 16,
                           ori.word | kWay << 21 | kWay << 16 | (kReturnAddress & 0xFFFF),
                           jr.word | kWay << 21, kNop});

  Memory& memory = inout_machine->memory();
  begin_ = free_page(memory, address);
  if (begin_ == 0 || !memory.map(begin_, 4 * code.size())) return "there is no room for a caller";
  for (uint32_t i = 0; i < code.size(); ++i) (void)memory.store<uint32_t>(begin_ + 4 * i, code[i]);

  // Arguments on the stack are the caller's to store.
  inout_machine->begin_call(begin_, arguments);
  State& state = inout_machine->state();
  for (uint32_t i = 4; i < num; ++i) {
    state.gpr[kFirst + i - 4] = arguments[i];
    (void)memory.store<uint32_t>(state.gpr[kStackPointer] + 4 * i, ~arguments[i]);
  }
  return "";
}

}  // namespace incore::vemicry
