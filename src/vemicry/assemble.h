// The assembler: MIPS-I and vector mnemonics to a program in memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vemicry/config.h"
#include "vemicry/image.h"

namespace incore::vemicry {

// A source file; |path| is what the paths of its .include are relative to.
struct Source {
  std::string name;  // in messages
  std::string path;
  std::string_view text;
};

struct AssembleOptions {
  bool little_endian = false;
  uint32_t q = 8, p = 8;  // registers and counts beyond these are errors
  std::vector<std::pair<std::string, uint32_t>> symbols;  // known before the first line
  // Reads a file for .include; returns why it cannot, in words, or empty. Null: none is read.
  std::function<std::string(const std::string& path, std::string* out_text)> read_file;
};

struct Diagnostic {
  std::string file;               // its name
  uint32_t line = 0, column = 0;  // counted from 1
  std::string text;               // what is wrong and what is accepted, without a full stop
};

// Bytes that one line of a source made; those of a macro or an included file belong to the line
// that asks for it.
struct AssembledLine {
  uint32_t address = 0, len = 0;
  uint32_t line = 0;
};

struct Assembly {
  Image image;                       // empty if there are errors
  std::vector<AssembledLine> lines;  // in the order of the source
  std::vector<Diagnostic> errors;
};

// Sources share their symbols that are .globl, the others are each one's own.
Assembly assemble(std::span<const Source> sources, const AssembleOptions& options);
Assembly assemble(std::string_view source, const AssembleOptions& options);

}  // namespace incore::vemicry
