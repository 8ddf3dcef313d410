// A program that changes the protection of its own code and back, as hot patching does: what was
// replaced there before keeps its meaning.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "padlock.h"

__attribute__((noinline)) static unsigned max_leaf(void) {
  unsigned eax = 0xC0000000, ebx, ecx = 0, edx;
  __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return eax;
}

int main(void) {
  const unsigned before = max_leaf();
  CHECK(before >= 0xC0000001, "leaf 0xC0000000 gives %#x", before);
  const uintptr_t page = (uintptr_t)max_leaf & ~(uintptr_t)4095;
  for (int i = 0; i < 3; ++i) {
    CHECK(mprotect((void*)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0, "mprotect");
    CHECK(max_leaf() == before, "another answer while the page is writable");
    CHECK(mprotect((void*)page, 4096, PROT_READ | PROT_EXEC) == 0, "mprotect");
    CHECK(max_leaf() == before, "another answer afterwards");
  }
  return 0;
}
