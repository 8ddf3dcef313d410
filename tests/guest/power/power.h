// What the guest programs for PowerPC share.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition, ...)                         \
  do {                                                \
    if (!(condition)) {                               \
      fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
      fprintf(stderr, __VA_ARGS__);                   \
      fprintf(stderr, "\n");                          \
      exit(1);                                        \
    }                                                 \
  } while (0)

// One VSBOX. It works on each byte alone, so that the order in which LVX loads them does not
// matter. FIPS 197, section 5.1.1: the first row of the S-box.
static inline void check_vsbox(void) {
  static const unsigned char expected[16] = {0x63, 0x7C, 0x77, 0x7B, 0xF2, 0x6B, 0x6F, 0xC5,
                                             0x30, 0x01, 0x67, 0x2B, 0xFE, 0xD7, 0xAB, 0x76};
  unsigned char bytes[16] __attribute__((aligned(16)));
  for (int i = 0; i < 16; ++i) bytes[i] = (unsigned char)i;
  __asm__ volatile(
      ".machine power8\n\t"
      "lvx 0, 0, %0\n\t"
      "vsbox 0, 0\n\t"
      "stvx 0, 0, %0"
      :
      : "b"(bytes)
      : "v0", "memory");
  CHECK(memcmp(bytes, expected, sizeof bytes) == 0, "VSBOX of 0 is %02x", bytes[0]);
}
