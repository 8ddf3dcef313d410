/* Products, quotients, 64-bit sums and comparisons, of corner cases and of a generator's numbers.
 */
#include "start.h"

static uint64_t next(uint64_t* state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return *state;
}

static void show(const char* name, uint64_t value) {
  write_text(name);
  write_text(" ");
  write_hex64(value);
  write_text("\n");
}

static void pair(volatile uint64_t a, volatile uint64_t b) {
  show("sum", a + b);
  show("difference", a - b);
  show("product", a * b);
  show("less", (a < b) | (uint64_t)((int64_t)a < (int64_t)b) << 32);
  show("shifts", (a << 13) ^ (b >> 7) ^ (uint64_t)((int64_t)a >> 33));
  const uint32_t x = (uint32_t)a, y = (uint32_t)b;
  show("wide", (uint64_t)x * y);
  show("signed", (uint64_t)((int64_t)(int32_t)x * (int32_t)y));
  if (y != 0) {
    show("divided", (uint64_t)(x / y) << 32 | x % y);
    if (y != 0xFFFFFFFFu)
      show("towards 0", (uint64_t)(uint32_t)((int32_t)x / (int32_t)y) << 32 |
                            (uint32_t)((int32_t)x % (int32_t)y));
  }
}

int main(void) {
  static const uint64_t corners[] = {0,          1,     0xFFFFFFFFull, 0x80000000ull,
                                     1ull << 63, ~0ull, 0x7FFFFFFFull, 0x100000000ull};
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 8; ++k) pair(corners[i], corners[k]);
  uint64_t state = 1;
  for (int i = 0; i < 50; ++i) {
    const uint64_t a = next(&state);
    pair(a, next(&state));
  }
  return 0;
}
