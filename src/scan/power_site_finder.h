// Finds the POWER8 crypto instructions in programs and shared objects for 64-bit PowerPC, and says
// how each is known to be code. Instructions are aligned words, so no table can be mistaken for the
// middle of one; but assembly code keeps tables among its functions, and a word in them may look
// like an instruction.
#pragma once

#include <cstddef>
#include <vector>

#include "scan/elf_image.h"
#include "scan/site.h"

namespace incore::scan {

// find_power_sites appends the sites of |image|, by ascending address. False: there are more than
// |max_sites|.
bool find_power_sites(const ElfImage& image, size_t max_sites, std::vector<Site>& out_sites);

}  // namespace incore::scan
