#if defined(__powerpc64__)
#include "crypto/clean/clear_power.h"

namespace incore {

// vs0 to vs13 hold f0 to f13, vs32 to vs51 are v0 to v19. Others keep what the caller had in them.
int clear_power8(int status, size_t stack) {
  INCORE_CLEAR_BELOW_R1(stack);
  __asm__ volatile(
      ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,"
      "32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51\n\t"
      "xxlxor \\n, \\n, \\n\n\t"
      ".endr");
  return status;
}

}  // namespace incore
#endif
