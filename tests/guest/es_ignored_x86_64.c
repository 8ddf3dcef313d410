// In 64-bit code ES has no meaning for operands, whatever its base, limit and rights: not for
// sites that trap, nor for patched ones.
#define _GNU_SOURCE
#include <asm/ldt.h>
#include <sys/syscall.h>

#include "padlock.h"

int main(void) {
  const struct user_desc segments[] = {
      {.entry_number = 0, .base_addr = 0x10000000, .limit = 0, .seg_32bit = 1, .useable = 1},
      {.entry_number = 1, .limit = 0xfffff, .seg_32bit = 1, .read_exec_only = 1, .useable = 1}};
  for (int i = 0; i < 2; ++i)
    CHECK(syscall(SYS_modify_ldt, 1, &segments[i], sizeof segments[i]) == 0, "modify_ldt");
  const uint16_t selectors[] = {0x7, 0xf, 0};
  for (int round = 0; round < 30; ++round) {
    // clause: PLK-EXC-017
    __asm__ volatile("mov %0, %%es" : : "r"(selectors[round % 3]));
    check_xcrypt();
  }
  return 0;
}
