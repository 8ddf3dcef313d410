// The list of the PadLock instructions.
#include "padlock/insn.h"

namespace incore::padlock {
namespace {

const Insn* const kInsns[] = {
#define X(name) &name,
#include "padlock/insns.def"
#undef X
};

}  // namespace

const Insn* const* insns(size_t* out_num_insns) {
  *out_num_insns = sizeof kInsns / sizeof kInsns[0];
  return kInsns;
}

}  // namespace incore::padlock
