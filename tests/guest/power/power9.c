// Executes MODUW, which came with POWER9.
#include <sys/resource.h>

#include "power.h"

int main(void) {
  const struct rlimit none = {0, 0};
  CHECK(setrlimit(RLIMIT_CORE, &none) == 0, "setrlimit");
  unsigned long rest = 0;
  __asm__ volatile(
      ".machine power9\n\t"
      "moduw %0, %1, %2"
      : "=r"(rest)
      : "r"(17ul), "r"(5ul));
  CHECK(rest == 2, "17 mod 5 is %lu", rest);
  return 0;
}
