// MTVCR rt: a scalar to VCR (VeMICry paper, appendix A). Encoded as CTC2 rt,$0.
#include "vemicry/insn.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  state.vcr = state.gpr[word.rt()];
  return {};
}

}  // namespace

const Insn mtvcr = {.mnemonic = "mtvcr",
                    .word = 0x48C00000,
                    .operands = "rt",
                    .insn_class = Class::givi,
                    .reads = kRt,
                    .writes = kVcr,
                    .traits = kControl,
                    .meaning = "VCR from rt",
                    .execute = execute};

}  // namespace incore::vemicry
