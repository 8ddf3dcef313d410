// The length of an L1 data cache line: code that must not show which entry of a table it used can
// touch every line of it (POWER8 guide, chapter 3).
#pragma once

namespace incore {

// In bytes; what this system says, or what its processors usually have.
unsigned l1_data_line();

// The first usable answer of |from_sysconf| (_SC_LEVEL1_DCACHE_LINESIZE; 0 or less: unknown),
// |from_auxv| (AT_DCACHEBSIZE) and |usual|. Lengths that are no power of two, or below 16, are
// none.
unsigned choose_l1_data_line(long from_sysconf, unsigned long from_auxv, unsigned usual);

}  // namespace incore
