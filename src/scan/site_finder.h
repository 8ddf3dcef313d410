// Finds CPUID and PadLock instructions in x86 programs and shared objects, POWER8 crypto
// instructions in those of 64-bit PowerPC, and proves which of the byte patterns are instructions.
// Libraries keep tables among their code (libcrypto: SHA and AES constants), and some of these
// contain the bytes of `cpuid`, so neither a byte search nor a disassembly from top to bottom is
// enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scan/elf_image.h"
#include "scan/site.h"

namespace incore::scan {

struct FoundSites {
  std::vector<Site> sites;  // by ascending address; those with Proof::none may be data
  std::string error;        // empty, or one sentence on why the file was not searched
  Machine machine = Machine::x86_64;
};

// find_sites searches the executable segments of the ELF file of |len| bytes at |image|. Any bytes
// may be given.
FoundSites find_sites(const uint8_t* image, size_t len);

}  // namespace incore::scan
