// ELF files for MIPS-I, both byte orders: executables that need no operating system beyond the
// machine's three system calls.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vemicry/image.h"

namespace incore::vemicry {

// True if |bytes| begin as an ELF file for MIPS.
bool is_elf(std::span<const uint8_t> bytes);
// Reads an executable. Returns what is wrong with it, in words; empty if it was read.
std::string read_elf(std::span<const uint8_t> bytes, Image* out_image);
// Writes one, with its symbols.
std::vector<uint8_t> write_elf(const Image& image);

}  // namespace incore::vemicry
