// A program as the machine loads it: what the assembler makes and an ELF file holds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace incore::vemicry {

struct Segment {
  uint32_t address = 0;
  std::vector<uint8_t> bytes;
  uint64_t mem_len = 0;  // at least as many as bytes; the rest is zero
  bool executable = false, writable = false;
};

struct Symbol {
  std::string name;
  uint32_t address = 0;
  uint32_t len = 0;  // bytes; 0: not known
  bool is_function = false;
};

struct Image {
  bool little_endian = false;
  uint32_t entry = 0;
  std::vector<Segment> segments;
  std::vector<Symbol> symbols;

  const Symbol* find(const std::string& name) const {
    for (const Symbol& symbol : symbols)
      if (symbol.name == name) return &symbol;
    return nullptr;
  }
};

// Where the assembler and the machine put things.
inline constexpr uint32_t kTextAddress = 0x00400000;
inline constexpr uint32_t kDataAddress = 0x10000000;
inline constexpr uint32_t kStackTop = 0x7FFFF000;
inline constexpr uint32_t kStackLen = 1 << 20;
// A jump to this address, which nothing can be mapped at, ends a call or a program.
inline constexpr uint32_t kReturnAddress = 0xFFFFFFF0;

}  // namespace incore::vemicry
