// The assembler: MIPS-I and vector mnemonics to a program in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vemicry/config.h"
#include "vemicry/image.h"

namespace incore::vemicry {

struct AssembleOptions {
  bool little_endian = false;
  uint32_t q = 8, p = 8;  // registers and counts beyond these are errors
  std::vector<std::pair<std::string, uint32_t>> symbols;  // known before the first line
};

struct Diagnostic {
  uint32_t line = 0, column = 0;  // counted from 1
  std::string text;               // what is wrong and what is accepted, without a full stop
};

// Bytes that one line of the source made; those of a macro belong to the line of its call.
struct AssembledLine {
  uint32_t address = 0, len = 0;
  uint32_t line = 0;
};

struct Assembly {
  Image image;                       // empty if there are errors
  std::vector<AssembledLine> lines;  // in the order of the source
  std::vector<Diagnostic> errors;
};

Assembly assemble(std::string_view source, const AssembleOptions& options);

}  // namespace incore::vemicry
