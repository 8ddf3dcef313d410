// MFVCR rt: VCR to a scalar register (VeMICry paper, appendix A). Encoded as CFC2 rt,$0.
#include "vemicry/insn.h"

namespace incore::vemicry {
namespace {

Trap execute(State& state, Memory&, Word word) {
  state.set_gpr(word.rt(), state.vcr);
  return {};
}

}  // namespace

const Insn mfvcr = {.mnemonic = "mfvcr",
                    .word = 0x48400000,
                    .operands = "rt",
                    .insn_class = Class::givi,
                    .reads = kVcr,
                    .writes = kRt,
                    .traits = kControl,
                    .meaning = "VCR to rt",
                    .execute = execute};

}  // namespace incore::vemicry
