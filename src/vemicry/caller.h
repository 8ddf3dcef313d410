// The code that calls a function by the o32 convention, to be executed: what a call takes is
// counted as it runs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "vemicry/machine.h"

namespace incore::vemicry {

//     sw    $8, 16($29)      the fifth argument, and so on; the last one in the delay slot
//     jal   function
//     sw    $9, 20($29)      or a nop if there are no arguments on the stack
//     li    $27, ...         to the address that the machine stops at
//     jr    $27
//     nop
//
// The four arguments in registers are there already, as are those that are stored, in $8 and on.
class Caller {
 public:
  // Prepares |machine| to call the function at |address|, from code in memory that is free. Returns
  // what is wrong, in words, or empty.
  std::string begin(uint32_t address, std::span<const uint32_t> arguments, Machine* inout_machine);

  // Whether the instruction at |address| is the caller's, and whether it belongs to the call.
  bool has(uint32_t address) const { return address - begin_ < kMaxLen; }
  bool calls(uint32_t address) const { return address - begin_ < call_len_; }

 private:
  static constexpr uint32_t kMaxLen = 256;  // bytes
  uint32_t begin_ = 0, call_len_ = 0;
};

}  // namespace incore::vemicry
