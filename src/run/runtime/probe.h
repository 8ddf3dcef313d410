// Probes: the only instructions of the run-time that may fault. Each touches one byte of the
// program's memory; the signal handler makes one that faults return what went wrong.
#pragma once

#include <cstdint>

#include "run/runtime/linux.h"

namespace incore::run {

// Where a probe is, and where it goes on; as distances from the fields themselves.
struct ProbeEntry {
  int32_t access, end;
};
extern "C" const ProbeEntry __start_probes[], __stop_probes[];

#define INCORE_PROBE(instruction, address)                        \
  int fault = 0;                                                  \
  __asm__ volatile("1: " instruction                              \
                   " $0, (%1)\n"                                  \
                   "2:\n"                                         \
                   ".pushsection probes, \"a\", @progbits\n"      \
                   ".balign 4\n.long 1b - ., 2b - .\n.popsection" \
                   : "+a"(fault)                                  \
                   : "r"(address)                                 \
                   : "memory", "cc");                             \
  return fault

// Return 0, or error code << 16 | signal << 8 | si_code.
[[gnu::always_inline]] inline int probe_read(Word address) {
  INCORE_PROBE("testb", address);
}
// Not locked: the instruction is going to write this byte anyway.
[[gnu::always_inline]] inline int probe_write(Word address) {
  INCORE_PROBE("orb", address);
}
#undef INCORE_PROBE

// Where the probe at |address| goes on; 0: there is none.
inline Word end_of_probe(Word address) {
  for (const ProbeEntry* entry = __start_probes; entry != __stop_probes; ++entry) {
    const auto at = [](const int32_t& field) {
      return reinterpret_cast<Word>(&field) + static_cast<Word>(field);
    };
    if (at(entry->access) == address) return at(entry->end);
  }
  return 0;
}

}  // namespace incore::run
