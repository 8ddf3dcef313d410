// An instruction that Incore cares about, found in an ELF file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scan/elf_image.h"

namespace incore::scan {

// PUSHF, POPF and IRET (flags) are wanted only near PadLock instructions, whose key they reload.
enum class SiteKind : uint8_t { cpuid, padlock, flags, power8 };

// How we know that the bytes are an instruction and not data. Only proved sites may be patched
// before they run.
enum class Proof : uint8_t {
  none,          // the bytes are there, nothing more
  unwind_table,  // decoding the function that .eh_frame describes reaches the site
  symbol,        // decoding the function symbol that covers it reaches the site
  control_flow,  // reachable from the entry point or a proved function by direct jumps and calls
};

struct Site {
  SiteKind kind;
  Proof proof;
  uint64_t address;  // virtual address in the file
  uint64_t file_offset;
  uint8_t length;          // bytes of the instruction, prefixes included
  std::string mnemonic;    // "cpuid", "xcrypt-cbc", "popf", "vcipher"
  std::string symbol;      // covering function symbol, empty if unknown
  uint64_t symbol_offset;  // address - symbol's address
  // Not proved, yet no table: it decodes without a flaw together with the proved code around it.
  // Functions that nothing calls are like this. Worth showing to people; not to be patched before
  // it runs.
  bool is_likely = false;
};

// The proof in words, for people: "unwind table".
const char* proof_name(Proof proof);

// Sets symbol and symbol_offset to the symbol of |symbols| (by ascending address) that covers the
// site. One without a size covers everything up to the next.
void name_place(const std::vector<Symbol>& symbols, Site& site);

}  // namespace incore::scan
