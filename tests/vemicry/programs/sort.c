/* Quicksort of numbers from a generator, signed, through a function pointer; then a check of the
 * order and a print of every 37th. */
#include "start.h"

enum { kNum = 2000 };
static int32_t numbers[kNum];

static int ascending(int32_t a, int32_t b) {
  return a < b;
}
static int descending(int32_t a, int32_t b) {
  return a > b;
}

static void sort(int32_t* first, int32_t* last, int (*before)(int32_t, int32_t)) {
  while (last - first > 1) {
    const int32_t pivot = first[(last - first) / 2];
    int32_t *low = first, *high = last - 1;
    while (low <= high) {
      while (before(*low, pivot)) ++low;
      while (before(pivot, *high)) --high;
      if (low <= high) {
        const int32_t swapped = *low;
        *low++ = *high;
        *high-- = swapped;
      }
    }
    sort(first, high + 1, before);
    first = low;
  }
}

int main(void) {
  uint32_t x = 1;
  for (int i = 0; i < kNum; ++i) {
    x = x * 1664525 + 1013904223;
    numbers[i] = (int32_t)x;
  }
  sort(numbers, numbers + kNum, ascending);
  for (int i = 0; i < kNum; i += 37) {
    write_decimal(numbers[i]);
    write_text("\n");
  }
  int wrong = 0;
  for (int i = 1; i < kNum; ++i) wrong += numbers[i - 1] > numbers[i];
  sort(numbers, numbers + kNum, descending);
  for (int i = 1; i < kNum; ++i) wrong += numbers[i - 1] < numbers[i];
  return wrong;
}
