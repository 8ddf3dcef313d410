/* Deep and mutual recursion, backtracking, and functions of many and of variable arguments. */
#include "start.h"

static uint32_t ackermann(uint32_t m, uint32_t n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int is_odd(uint32_t n);
static __attribute__((noinline)) int is_even(uint32_t n) {
  return n == 0 ? 1 : is_odd(n - 1);
}
static __attribute__((noinline)) int is_odd(uint32_t n) {
  return n == 0 ? 0 : is_even(n - 1);
}

static uint32_t queens(uint32_t size, uint32_t columns, uint32_t left, uint32_t right) {
  const uint32_t all = (1u << size) - 1;
  uint32_t free = all & ~(columns | left | right), count = columns == all;
  while (free != 0) {
    const uint32_t place = free & -free;
    free ^= place;
    count += queens(size, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  return count;
}

static __attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int64_t g) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + (int)(g >> 8);
}

static __attribute__((noinline)) int sum(int count, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, count);
  int total = 0;
  while (count-- > 0) total += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return total;
}

int main(void) {
  write_decimal((int32_t)ackermann(2, 9));
  write_text(" ");
  write_decimal(is_even(1001) * 2 + is_odd(1001));
  write_text(" ");
  for (uint32_t size = 4; size < 8; ++size) {
    write_decimal((int32_t)queens(size, 0, 0, 0));
    write_text(" ");
  }
  write_decimal(many(1, 2, 3, 4, 5, 6, 0x123456789ll));
  write_text(" ");
  write_decimal(sum(7, 1, -20, 300, -4000, 50000, -600000, 7000000));
  write_text("\n");
  return 42;
}
