// Prints what CPUID answers for the leaves that PadLock programs and the C library ask: one line
// each, registers in hexadecimal, the vendor string behind leaf 0.
#include "padlock.h"

int main(void) {
  static const uint32_t kLeaves[] = {0, 1, 7, 0xD, 0xC0000000, 0xC0000001};
  for (size_t i = 0; i < sizeof kLeaves / sizeof *kLeaves; ++i) {
    const struct cpuid_answer a = cpuid(kLeaves[i], 0);
    printf("%08x eax=%08x ebx=%08x ecx=%08x edx=%08x", kLeaves[i], a.eax, a.ebx, a.ecx, a.edx);
    if (kLeaves[i] == 0)
      printf(" %.4s%.4s%.4s", (const char*)&a.ebx, (const char*)&a.edx, (const char*)&a.ecx);
    putchar('\n');
  }
  return 0;
}
