// An x86 ELF file in memory, read without trust: every offset and count of the file is checked
// against its length. Follows the System V ABI (ELF header, program headers, sections, dynamic
// section) and its x86-64 and i386 supplements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace incore::run {

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

class ElfImage {
 public:
  // parse reads |len| bytes at |file|, which must outlive the image, and returns an empty string,
  // or one sentence on what is wrong with them. Accepts executables and shared objects for x86-64
  // (ELF64 and ELF32) and i386.
  std::string parse(const uint8_t* file, size_t len);

  bool is_64bit_code() const { return is_64bit_code_; }
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
  // Reads a pointer of the file's class. 0 if it is not in the file.
  uint64_t pointer_at(uint64_t address) const;

  // The section .eh_frame, by section header or else by PT_GNU_EH_FRAME; empty if the file has
  // none.
  Range eh_frame() const { return eh_frame_; }

  // Function symbols of .symtab and .dynsym (or DT_SYMTAB) inside executable segments, by ascending
  // address.
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

  std::string parse_segments(uint64_t offset, uint64_t entry_size, uint64_t count);
  void parse_sections();
  void parse_dynamic(std::span<const uint8_t> table);
  void find_eh_frame(uint64_t eh_frame_hdr);
  void read_symbols(std::span<const uint8_t> table, std::span<const uint8_t> names,
                    std::vector<Symbol>& out_symbols) const;
  std::vector<Relocation> relocations() const;
  std::span<const uint8_t> slice(uint64_t offset, uint64_t size) const;
  uint64_t dynamic_value(uint64_t tag) const;
  size_t dynamic_symbol_table_len() const;

  std::span<const uint8_t> file_;
  bool is_64bit_file_ = false;
  bool is_64bit_code_ = false;
  uint64_t entry_ = 0;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::vector<std::pair<uint64_t, uint64_t>> dynamic_;  // tag, value
  std::vector<Range> data_sections_;                    // by ascending start
  Range eh_frame_;
};

}  // namespace incore::run
