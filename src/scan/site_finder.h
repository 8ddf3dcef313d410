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

enum class Wanted : uint8_t { crypto, crypto_and_flags };

// find_sites searches the executable segments of the ELF file of |len| bytes at |image|. Any bytes
// may be given. PUSHF, POPF and IRET are found up to 64 KiB away from what looks like PadLock
// instructions.
FoundSites find_sites(const uint8_t* image, size_t len, Wanted wanted = Wanted::crypto);

}  // namespace incore::scan
