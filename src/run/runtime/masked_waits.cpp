// Waits under a signal mask of their own, without the owned signals in it: see masked_waits.h.
#include "run/runtime/masked_waits.h"

#include "run/runtime/plain_calls.h"

namespace incore::run {
namespace {

// The last argument of pselect6.
struct MaskPair {
  Word mask, len;
};

}  // namespace

bool on_masked_wait(const SystemCall& call, KernelUcontext* uc) {
  const MaskedWait* const wait = find_masked_wait(call.number);
  if (wait == nullptr) return false;
  const uint64_t(&a)[6] = call.arguments;
  const uint64_t argument = a[wait->mask_argument];
  uint64_t mask = 0;
  bool valid = true;
  if (wait->form == MaskForm::pair) {
    MaskPair pair;
    valid = copy_from_program(&pair, argument, sizeof pair);
    if (valid && pair.mask == 0) {
      make_plain_call(uc);
      return true;
    }
    valid = valid && pair.len == sizeof mask && copy_from_program(&mask, pair.mask, sizeof mask);
  } else if (wait->form == MaskForm::pointer) {
    valid = a[wait->mask_argument + 1] == sizeof mask &&
            copy_from_program(&mask, argument, sizeof mask);
  }
  if (valid)
    go_on_in_stub(uc, wait->stub, mask & ~kOwnedMask);
  else  // the kernel does not wait, but knows which error comes first
    uc->rax = static_cast<Word>(sys(call.number, a[0], a[1], a[2], a[3], a[4], a[5]));
  return true;
}

}  // namespace incore::run
