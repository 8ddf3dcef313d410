// Memory that ends at a page which cannot be accessed.
#ifndef INCORE_TESTS_GUEST_CHECK_PAGES_H
#define INCORE_TESTS_GUEST_CHECK_PAGES_H

#include <sys/mman.h>

#include "../padlock.h"

enum { kPageLen = 4096 };

// |len| bytes, a multiple of 16, that end where a page without access begins.
static inline uint8_t* before_the_end(size_t len) {
  uint8_t* pages =
      mmap(NULL, 3 * kPageLen, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED, "no memory");
  CHECK(mprotect(pages + 2 * kPageLen, kPageLen, PROT_NONE) == 0, "mprotect failed");
  return pages + 2 * kPageLen - len;
}

#endif
