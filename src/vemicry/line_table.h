// Line tables of ELF files, as compilers write them for debuggers (DWARF 2 to 5, section 6.2).
#pragma once

#include <cstdint>
#include <span>

#include "vemicry/image.h"

namespace incore::vemicry {

// The sections of an ELF file that a line table takes; empty where the file has none.
struct LineSections {
  std::span<const uint8_t> lines;    // .debug_line
  std::span<const uint8_t> names;    // .debug_line_str
  std::span<const uint8_t> strings;  // .debug_str
};

// Adds the files and places of |sections|. A table that is damaged ends where it is.
void read_line_table(const LineSections& sections, bool big_endian, Image* inout_image);

}  // namespace incore::vemicry
