#include "run/runtime/plain_calls.h"

extern "C" const char plain_call[];

namespace incore::run {

void make_plain_call(KernelUcontext* uc) {
  uc->rcx = uc->rip;
  uc->rip = address_of(plain_call);
}

}  // namespace incore::run
