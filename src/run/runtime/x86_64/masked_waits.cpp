// The waits under a mask of their own that x86-64 has.
#include "run/runtime/masked_waits.h"

extern "C" {
extern const char wait_mask_in_rdi[], wait_mask_in_r10[], wait_mask_in_r8[];
extern const char wait_pair_in_r9[];
}

namespace incore::run {

const MaskedWait* find_masked_wait(long number) {
  static constexpr MaskedWait kWaits[] = {
      {__NR_rt_sigsuspend, 0, MaskForm::pointer, wait_mask_in_rdi},
      {__NR_ppoll, 3, MaskForm::pointer, wait_mask_in_r10},
      {__NR_epoll_pwait, 4, MaskForm::pointer, wait_mask_in_r8},
      {__NR_epoll_pwait2, 4, MaskForm::pointer, wait_mask_in_r8},
      {__NR_pselect6, 5, MaskForm::pair, wait_pair_in_r9},
  };
  for (const MaskedWait& wait : kWaits)
    if (wait.number == number) return &wait;
  return nullptr;
}

void go_on_in_stub(KernelUcontext* uc, const char* stub, uint64_t mask) {
  uc->rcx = uc->rip;
  uc->r11 = mask;
  uc->rip = address_of(stub);
}

}  // namespace incore::run
