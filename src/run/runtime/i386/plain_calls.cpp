#include "run/runtime/plain_calls.h"

extern "C" const char plain_open[], plain_openat[], plain_pselect6[], plain_pselect6_time64[];

namespace incore::run {
namespace {

const char* stub_of(long number) {
  switch (number) {
    case __NR_open:
      return plain_open;
    case __NR_openat:
      return plain_openat;
    case __NR_pselect6:
      return plain_pselect6;
    default:
      return plain_pselect6_time64;
  }
}

}  // namespace

void make_plain_call(KernelUcontext* uc) {
  const char* const stub = stub_of(static_cast<long>(uc->rax));
  uc->rax = uc->rip;
  uc->rip = static_cast<Word>(address_of(stub));
}

}  // namespace incore::run
