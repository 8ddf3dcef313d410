// The disassembler: one instruction word as assembly that the assembler reads back.
#pragma once

#include <string>

#include "vemicry/config.h"
#include "vemicry/image.h"
#include "vemicry/word.h"

namespace incore::vemicry {

// The text of |word| at |address|; a word that is reserved on a machine of |config| becomes
// ".word 0x...". |image|, if not null, gives names to targets of jumps and branches, where the
// assembler takes them for labels.
std::string disassemble(Word word, uint32_t address, const Config& config,
                        const Image* image = nullptr);

}  // namespace incore::vemicry
