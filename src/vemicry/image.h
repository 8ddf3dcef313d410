// A program as the machine loads it: what the assembler makes and an ELF file holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
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
  bool is_local = false;  // of one of several sources
};

// Bytes of memory.
struct Range {
  uint32_t address = 0, len = 0;
};

// Code that a line of a source file made.
struct SourcePlace {
  uint32_t address = 0, len = 0;
  uint32_t file = 0, line = 0;  // file: which of Image::files
};

struct Image {
  bool little_endian = false;
  uint32_t entry = 0;
  std::vector<Segment> segments;
  std::vector<Range> code;      // parts of segments that are instructions; none: not known
  std::vector<Symbol> symbols;  // by address; of those at the same one, functions first

  std::vector<std::string> files;
  std::vector<SourcePlace> places;  // by address; none: not known

  // The word that four bytes are in the program's byte order.
  uint32_t word(const uint8_t* bytes) const {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; ++i) word |= uint32_t{bytes[i]} << 8 * (little_endian ? i : 3 - i);
    return word;
  }

  void sort_symbols() {
    std::stable_sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
      return std::pair(a.address, !a.is_function) < std::pair(b.address, !b.is_function);
    });
  }
  // The first symbol at |address|, or null.
  const Symbol* at(uint32_t address) const {
    const auto found = std::lower_bound(symbols.begin(), symbols.end(), address,
                                        [](const Symbol& s, uint32_t a) { return s.address < a; });
    return found == symbols.end() || found->address != address ? nullptr : &*found;
  }
  // The line that made the code at |address|, or null.
  const SourcePlace* place_of(uint32_t address) const {
    const auto behind =
        std::upper_bound(places.begin(), places.end(), address,
                         [](uint32_t a, const SourcePlace& p) { return a < p.address; });
    if (behind == places.begin()) return nullptr;
    const SourcePlace& place = *(behind - 1);
    return address - place.address < place.len ? &place : nullptr;
  }
  void sort_places() {
    std::stable_sort(places.begin(), places.end(), [](const SourcePlace& a, const SourcePlace& b) {
      return a.address < b.address;
    });
  }
  // That of all sources, or else the first.
  const Symbol* find(const std::string& name) const {
    const Symbol* found = nullptr;
    for (const Symbol& symbol : symbols)
      if (symbol.name == name && (found == nullptr || (found->is_local && !symbol.is_local)))
        found = &symbol;
    return found;
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
