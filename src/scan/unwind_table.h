// The functions that .eh_frame describes (LSB 5, "Exception Frames"; DWARF 5, section 6.4): one
// range of addresses per FDE. Compilers write one for nearly every function, and stripping keeps
// them.
#pragma once

#include <vector>

#include "scan/elf_image.h"

namespace incore::scan {

// unwind_ranges returns the ranges of all FDEs that lie in executable segments, by ascending start.
// Entries that it cannot read are passed over; a damaged length ends the table.
std::vector<Range> unwind_ranges(const ElfImage& image);

}  // namespace incore::scan
