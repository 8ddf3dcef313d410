// The memory of experiments: areas at fixed addresses, two pages each, with nothing mapped behind,
// so that what is recorded is the same everywhere. Before each experiment they hold the same bytes.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { kAreaLen = 0x2000, kCodeLen = 0x10000 };
enum {
  kCode = 0x20000000,     // of the instruction under test
  kControl = 0x20010000,  // a control word of REP XCRYPT: 10 rounds; zeros behind
  kKey = 0x20020000,      // a key, and what serves as its schedule
  kVector = 0x20030000,
  kIn = 0x20040000,
  kOut = 0x20050000,
  // REP MONTMUL: its context, which points to the numbers A, B, T and M and to the scratch area.
  kContext = 0x20060000,
  kNumberA = kContext + 0x400,
  kNumberB = kContext + 0x800,
  kNumberT = kContext + 0xC00,   // zeros
  kNumberM = kContext + 0x1000,  // ones, so that mZeroPrime is 1
  kScratch = kContext + 0x1400,
  // What 16-bit addresses reach. Only the superuser can map it, so it may be missing.
  kLow = 0,
};
#define AREA_END(area) ((uint32_t)(area) + kAreaLen)  // the first byte behind it

struct Area {
  const char* name;
  uint32_t address, len;
};
enum { kNumAreas = 7 };
extern const struct Area kAreas[kNumAreas];  // without that for code; kLow comes last

// Maps all but kLow. Negative: an errno.
long areas_map(void);
// Maps kLow, or takes it away. Negative: an errno.
long areas_map_low(void);
void areas_unmap_low(void);

// Fills them as an experiment finds them. |flips|: with the other value in each bit of what is
// output, so that a byte that is written with what stood there shows one of both times.
void areas_fill(int flips);

// Forgets what was written so far.
void areas_remember(void);
// The next run of bytes that are not as remembered, at or behind |*at|, an index over all areas.
// Returns its length, 0: none.
size_t areas_next_written(uint32_t* at);
// The number of bytes in all areas that are mapped, and the address of byte |index|.
uint32_t areas_size(void);
uint32_t areas_address(uint32_t index);
int areas_is_written(uint32_t index);
