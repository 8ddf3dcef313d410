// Which files are programs for the machine: `incore run` picks who runs a program by this.
#pragma once

namespace incore::vemicry {

// True for an ELF executable for MIPS-I that needs no interpreter, and, by its name, for assembly
// (.s).
bool is_program(const char* path);

}  // namespace incore::vemicry
