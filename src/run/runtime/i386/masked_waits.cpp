// The waits under a mask of their own that i386 has.
#include "run/runtime/masked_waits.h"

extern "C" {
extern const char wait_sigsuspend[], wait_rt_sigsuspend[], wait_ppoll[], wait_ppoll_time64[];
extern const char wait_epoll_pwait[], wait_epoll_pwait2[];
extern const char wait_pselect6[], wait_pselect6_time64[];
}

namespace incore::run {

const MaskedWait* find_masked_wait(long number) {
  static constexpr MaskedWait kWaits[] = {
      {__NR_sigsuspend, 2, MaskForm::value, wait_sigsuspend},
      {__NR_rt_sigsuspend, 0, MaskForm::pointer, wait_rt_sigsuspend},
      {__NR_ppoll, 3, MaskForm::pointer, wait_ppoll},
      {__NR_ppoll_time64, 3, MaskForm::pointer, wait_ppoll_time64},
      {__NR_epoll_pwait, 4, MaskForm::pointer, wait_epoll_pwait},
      {__NR_epoll_pwait2, 4, MaskForm::pointer, wait_epoll_pwait2},
      {__NR_pselect6, 5, MaskForm::pair, wait_pselect6},
      {__NR_pselect6_time64, 5, MaskForm::pair, wait_pselect6_time64},
  };
  for (const MaskedWait& wait : kWaits)
    if (wait.number == number) return &wait;
  return nullptr;
}

void go_on_in_stub(KernelUcontext* uc, const char* stub, uint64_t) {
  uc->rax = uc->rip;
  uc->rip = static_cast<Word>(address_of(stub));
}

}  // namespace incore::run
