// An ELF file for x86 or 64-bit PowerPC in memory, read without trust: every offset and count of
// the file is checked against its length. Follows the System V ABI (ELF header, program headers,
// sections, dynamic section) and its supplements: x86-64, i386, 64-bit PowerPC (ELFv1 and ELFv2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elf/file.h"

namespace incore::scan {

using elf::load_sized;

// Addresses [start, end).
struct Range {
  uint64_t start = 0;
  uint64_t end = 0;
  bool contains(uint64_t address) const { return start <= address && address < end; }
  uint64_t size() const { return end - start; }
};

// A part of memory that the file provides: a PT_LOAD segment without its zero-filled tail.
struct Segment {
  uint64_t address;
  std::span<const uint8_t> bytes;
  uint64_t file_offset;
  bool executable;

  Range range() const { return {address, address + bytes.size()}; }
};

// A function symbol (STT_FUNC, STT_GNU_IFUNC). The name lies in the file.
struct Symbol {
  uint64_t address;
  uint64_t size;  // 0: unknown
  std::string_view name;
};

enum class Machine : uint8_t { x86_64, i386, powerpc64, powerpc64le };

// "x86-64", "i386", "powerpc64", "powerpc64le"
const char* machine_name(Machine machine);

class ElfImage {
 public:
  // parse reads |len| bytes at |file|, which must outlive the image, and returns an empty string,
  // or one sentence on what is wrong with them. Accepts executables and shared objects for x86-64
  // (ELF64 and ELF32), i386 and 64-bit PowerPC of both byte orders.
  std::string parse(const uint8_t* file, size_t len);

  Machine machine() const { return machine_; }
  bool is_power() const {
    return machine_ == Machine::powerpc64 || machine_ == Machine::powerpc64le;
  }
  bool is_64bit_code() const { return machine_ != Machine::i386; }
  const elf::Format& format() const { return file_.format(); }
  // The program that loads this one (PT_INTERP); empty if it needs none.
  std::string_view interpreter() const { return interpreter_; }
  uint64_t entry() const { return entry_; }

  // The segments by ascending address; they do not overlap.
  const std::vector<Segment>& segments() const { return segments_; }
  // The segment whose file-backed part contains |address|, or null.
  const Segment* segment_at(uint64_t address) const;
  bool is_code(uint64_t address) const;
  // True if a section header says that |address|, in whatever segment, holds data: older linkers
  // put constants and code into one executable segment.
  bool is_in_data_section(uint64_t address) const;
  // What the file holds from |address| to the end of its segment; empty if nothing.
  std::span<const uint8_t> bytes_at(uint64_t address) const;
  // Reads a pointer of the file's class, as it is in the file. 0 if it is not there.
  uint64_t pointer_at(uint64_t address) const;

  // The section .eh_frame, by section header or else by PT_GNU_EH_FRAME; empty if the file has
  // none.
  Range eh_frame() const { return eh_frame_; }

  // Where the function at |address| begins. In ELFv1 of PowerPC, addresses of functions are those
  // of descriptors, whose first word is that of the code.
  uint64_t code_address(uint64_t address) const;

  // Function symbols of .symtab and .dynsym (or DT_SYMTAB) inside executable segments, by ascending
  // address of their code.
  std::vector<Symbol> functions() const;

  // Where the loader or the start code enters: entry point, DT_INIT, DT_FINI, the init and fini
  // arrays, IFUNC resolvers.
  std::vector<uint64_t> entries() const;

 private:
  struct Section {
    uint32_t type;
    uint32_t link;
    uint64_t address;
    std::span<const uint8_t> bytes;
    std::string_view name;
  };
  struct Relocation {
    uint64_t offset;
    uint64_t type;
    uint64_t addend;  // for REL, what lies at the offset
  };

  std::string parse_segments(const elf::FileHeader& header);
  void parse_sections(const elf::FileHeader& header);
  void parse_dynamic(std::span<const uint8_t> table);
  void find_pointers();
  void find_eh_frame(uint64_t eh_frame_hdr);
  void read_symbols(std::span<const uint8_t> table, std::span<const uint8_t> names,
                    std::vector<Symbol>& out_symbols) const;
  std::vector<Relocation> relocations() const;
  uint64_t dynamic_value(uint64_t tag) const;
  size_t dynamic_symbol_table_len() const;

  elf::File file_;
  Machine machine_ = Machine::x86_64;
  std::string_view interpreter_;
  uint64_t entry_ = 0;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::vector<std::pair<uint64_t, uint64_t>> dynamic_;   // tag, value
  std::vector<Range> data_sections_;                     // by ascending start
  std::vector<std::pair<uint64_t, uint64_t>> pointers_;  // PowerPC: what the loader writes where
  Range eh_frame_;
};

}  // namespace incore::scan
