// Model specific registers, through /dev/cpu/0/msr.
#pragma once

#include <stdint.h>

struct Msr {
  uint32_t number;
  long error;  // 0, or a negative errno
  uint64_t value;
};

// |is_emulated|: the device would show the real processor. |writes|: it is opened to be written,
// too.
void msr_prepare(int is_emulated, int writes);
const char* msr_missing(void);  // why none can be read; null: they can
void msr_read(struct Msr* msr);
void msr_write(struct Msr* msr);
void write_msr_value(const struct Msr* msr);  // as members of an object
void write_msrs(void);                        // the member "msrs" of the document
