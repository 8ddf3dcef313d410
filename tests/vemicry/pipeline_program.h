// Instructions for the pipeline model in tests. It looks at instructions, never at data, so a list
// of them needs no machine to run on.
#pragma once

#include <initializer_list>
#include <vector>

#include "vemicry/insn.h"
#include "vemicry/operands.h"
#include "vemicry/pipeline.h"

namespace incore::test {

// The instruction with its operands in the order of assembly; of imm(rs), first the number.
inline vemicry::Step step(const vemicry::Insn& insn, std::initializer_list<uint32_t> operands) {
  uint32_t bits = insn.word;
  const uint32_t* value = operands.begin();
  for (const vemicry::Operand& operand : vemicry::operands_of(insn.operands)) {
    if (operand.kind == vemicry::OperandKind::fixed_register) continue;
    const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << operand.width) - 1);
    bits |= (*value++ & mask) << operand.low;
    if (operand.kind == vemicry::OperandKind::base_offset) bits |= *value++ << 21;
  }
  return {0x00400000, {bits}, &insn};
}

// How each of |steps| passes the pipeline of a machine like |config|.
inline std::vector<vemicry::Timing> timings(const vemicry::Config& config,
                                            const std::vector<vemicry::Step>& steps) {
  vemicry::State state = {};
  state.config = config;
  state.l = config.length();
  vemicry::Pipeline pipeline(config);
  std::vector<vemicry::Timing> result;
  for (const vemicry::Step& step : steps) result.push_back(pipeline.add(step, state));
  return result;
}

}  // namespace incore::test
