// The stack on POWER, in assembly: a function that calls none has no frame, so that all from the
// caller's frame downwards is cleared. What signal handlers write there meanwhile, they no longer
// need.
#pragma once

#include <cstddef>

// Clears the |stack| bytes below r1, a multiple of 8, and the general registers that return
// nothing.
#define INCORE_CLEAR_BELOW_R1(stack)                                                           \
  size_t count = (stack) / 8;                                                                  \
  __asm__ volatile(                                                                            \
      "mtctr %[count]\n\tmr 9, 1\n\tli 0, 0\n"                                                 \
      "1:\n\tstdu 0, -8(9)\n\tbdnz 1b\n\t"                                                     \
      "li 4, 0\n\tli 5, 0\n\tli 6, 0\n\tli 7, 0\n\tli 8, 0\n\tli 9, 0\n\tli 10, 0\n\tli 11, 0" \
      : [count] "+r"(count)                                                                    \
      :                                                                                        \
      : "r0", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "ctr", "memory")

namespace incore {

// Clears the vector and floating-point registers too, for processors with VSX.
int clear_power8(int status, size_t stack);

}  // namespace incore
