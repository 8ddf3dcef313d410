// The disassembler: one instruction word as assembly that the assembler reads back.
#pragma once

#include <string>

#include "vemicry/image.h"
#include "vemicry/word.h"

namespace incore::vemicry {

// The text of |word| at |address|; a reserved word becomes ".word 0x...". |image|, if not null,
// gives names to targets of jumps and branches.
std::string disassemble(Word word, uint32_t address, const Image* image = nullptr);

}  // namespace incore::vemicry
