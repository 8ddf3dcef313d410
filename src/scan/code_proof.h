// Whether given bytes of an ELF file are given instructions, by the proofs of site_finder.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace incore::scan {

// True if functions of the unwind table or the symbols prove that instructions of |lengths| stand
// at |file_offset| of the ELF file of |len| bytes at |image|, one behind the other.
bool are_instructions(const uint8_t* image, size_t len, uint64_t file_offset,
                      std::span<const uint8_t> lengths);

}  // namespace incore::scan
