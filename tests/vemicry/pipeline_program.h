// Instructions for the pipeline model in tests. It looks at instructions, never at data, so a list
// of them needs no machine to run on.
#pragma once

#include <initializer_list>
#include <vector>

#include "vemicry/pipeline.h"
#include "vemicry/words.h"

namespace incore::test {

// The instruction with its operands, as word_with() takes them.
inline vemicry::Step step(const vemicry::Insn& insn, std::initializer_list<uint32_t> operands) {
  return {0x00400000, vemicry::test::word_with(insn, operands), &insn};
}

// How each of |steps| passes the pipeline of a machine like |config|.
inline std::vector<vemicry::Timing> timings(const vemicry::Config& config,
                                            const std::vector<vemicry::Step>& steps) {
  vemicry::State state = {};
  state.config = config;
  state.l = config.length();
  vemicry::Pipeline pipeline(config, true);
  std::vector<vemicry::Timing> result;
  for (const vemicry::Step& step : steps) result.push_back(pipeline.add(step, state));
  return result;
}

}  // namespace incore::test
