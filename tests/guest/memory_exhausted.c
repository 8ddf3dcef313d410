// A program that has used up its address space, then its memory mappings, and runs PadLock code for
// the first time: nothing that an emulator needs may come from what is left to the program.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "padlock.h"

enum { kPage = 4096, kMappings = 70000 };

__attribute__((noinline)) static void first_run(void) {
  check_xcrypt();
}
__attribute__((noinline)) static void second_run(void) {
  uint8_t state[128] ALIGNED16;
  // FIPS 180-2: the empty message.
  from_hex(state, "0123456789abcdeffedcba9876543210f0e1d2c3", 20);
  xsha1(state, "", 0, 0, NULL);
  check_hex("xsha1", state, "eea339da0d4b6b5eefbf5532901860950907d8af", 20);
}

static void fill(size_t len) {
  while (len >= kPage) {
    if (mmap(NULL, len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) {
      CHECK(errno == ENOMEM, "mmap failed with %d", errno);
      len /= 2;
    }
  }
}

// The stack, too, cannot grow any more.
__attribute__((noinline)) static void touch_stack(void) {
  volatile uint8_t stack[256 << 10];
  for (size_t i = 0; i < sizeof stack; i += kPage) stack[i] = 1;
}

int main(void) {
  touch_stack();
  struct rlimit limit;
  CHECK(getrlimit(RLIMIT_AS, &limit) == 0, "getrlimit");
  limit.rlim_cur = 1 << 20;  // less than is in use
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
  fill(1 << 24);
  first_run();
  limit.rlim_cur = limit.rlim_max;
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");

  // As many mappings as the kernel allows: every second page is protected differently.
  uint8_t* const pages = mmap(NULL, (size_t)kMappings * kPage, PROT_READ,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(pages != MAP_FAILED, "mmap");
  int failed = 0;
  for (int i = 0; i < kMappings && !failed; i += 2)
    failed = mprotect(pages + (size_t)i * kPage, kPage, PROT_NONE) != 0;
  second_run();
  for (int i = 0; i < 100; ++i) check_xcrypt();
  return 0;
}
