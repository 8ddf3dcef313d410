#include "tools/probe/program/areas.h"

#include "tools/probe/program/sys.h"

enum { kLowLen = 0x10000 };
const struct Area kAreas[kNumAreas] = {
    {"control", kControl, kAreaLen}, {"key", kKey, kAreaLen}, {"vector", kVector, kAreaLen},
    {"in", kIn, kAreaLen},           {"out", kOut, kAreaLen}, {"context", kContext, kAreaLen},
    {"low", kLow, kLowLen},
};
enum { kLowArea = kNumAreas - 1 };

static int low_is_mapped;
static uint8_t remembered[(kNumAreas - 1) * kAreaLen + kLowLen];

// The compiler may not reason about address 0.
static volatile uint8_t* byte_at(uint32_t address) {
  __asm__("" : "+r"(address));
  return (volatile uint8_t*)address;
}

static int is_mapped(int area) {
  return area != kLowArea || low_is_mapped;
}

long areas_map(void) {
  for (int i = 0; i < kLowArea; ++i) {
    const long error = sys_map_at(kAreas[i].address, kAreas[i].len, 1 | 2);
    if (error != 0) return error;
  }
  return 0;
}

long areas_map_low(void) {
  const long error = sys_map_at(kLow, kLowLen, 1 | 2);
  low_is_mapped = error == 0;
  return error;
}

void areas_unmap_low(void) {
  if (low_is_mapped) sys_unmap(kLow, kLowLen);
  low_is_mapped = 0;
}

static void put(uint32_t address, const void* bytes, size_t len) {
  const uint8_t* from = bytes;
  for (size_t i = 0; i < len; ++i) byte_at(address)[i] = from[i];
}

void areas_fill(int flips) {
  for (int i = 0; i < kNumAreas; ++i) {
    if (!is_mapped(i)) continue;
    volatile uint8_t* const bytes = byte_at(kAreas[i].address);
    const uint8_t mask = flips && (kAreas[i].address == kOut || i == kLowArea) ? 0xFF : 0;
    uint32_t state = 0x9E3779B9u * (uint32_t)(i + 1);
    for (uint32_t k = 0; k < kAreas[i].len; ++k) {
      state = state * 1664525 + 1013904223;
      bytes[k] = (uint8_t)(state >> 24) ^ mask;
    }
  }
  const uint32_t control_word[32] = {10};
  put(kControl, control_word, sizeof control_word);
  const uint32_t context[6] = {1, kNumberA, kNumberB, kNumberT, kNumberM, kScratch};
  put(kContext, context, sizeof context);
  for (uint32_t k = 0; k < 0x400; ++k) {
    byte_at(kNumberT)[k] = 0;
    byte_at(kNumberM)[k] = 0xFF;
  }
}

uint32_t areas_size(void) {
  return (kNumAreas - 1) * kAreaLen + (low_is_mapped ? kLowLen : 0);
}

uint32_t areas_address(uint32_t index) {
  const uint32_t area = index / kAreaLen;
  return area < kLowArea ? kAreas[area].address + index % kAreaLen : index - kLowArea * kAreaLen;
}

void areas_remember(void) {
  const uint32_t size = areas_size();
  for (uint32_t i = 0; i < size; ++i) remembered[i] = *byte_at(areas_address(i));
}

int areas_is_written(uint32_t index) {
  return *byte_at(areas_address(index)) != remembered[index];
}

size_t areas_next_written(uint32_t* at) {
  const uint32_t size = areas_size();
  while (*at < size && !areas_is_written(*at)) ++*at;
  uint32_t end = *at;
  while (end < size && areas_is_written(end) &&
         areas_address(end) == areas_address(*at) + (end - *at))
    ++end;
  return end - *at;
}
