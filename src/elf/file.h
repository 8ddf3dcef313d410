// An ELF file in memory, of either class and byte order, read without trust: every offset and count
// is checked against its length. What is accepted, and what is said of the rest, is its users'
// business.
#pragma once

#include <elf.h>

#include "elf/fields.h"

namespace incore::elf {

// Widened to 64 bits, as ELF64 has them.
struct FileHeader {
  uint64_t type, machine, flags, entry;
  uint64_t segments, segment_len,
      num_segments;  // where their headers begin, of how many bytes each
  uint64_t sections, section_len, num_sections;
  uint64_t names;  // which section has the sections' names
};
struct SegmentHeader {
  uint64_t type, flags, offset, address, file_len, mem_len;
};
struct SectionHeader {
  uint64_t name, type, flags, address, offset, len, link;
};
struct SymbolEntry {
  uint64_t name, address, len, type, section;
};

inline bool is_elf(std::span<const uint8_t> bytes) {
  return bytes.size() >= SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

class File {
 public:
  File() = default;
  // Begins with is_elf() and has EI_NIDENT bytes.
  explicit File(std::span<const uint8_t> bytes)
      : bytes_(bytes), format_{bytes[EI_CLASS] == ELFCLASS64, bytes[EI_DATA] == ELFDATA2MSB} {}

  const Format& format() const { return format_; }
  size_t len() const { return bytes_.size(); }
  bool has(uint64_t offset, uint64_t len) const {
    return offset <= bytes_.size() && len <= bytes_.size() - offset;
  }
  // Empty if the file does not have all of it.
  std::span<const uint8_t> slice(uint64_t offset, uint64_t len) const {
    if (!has(offset, len)) return {};
    return bytes_.subspan(offset, len);
  }

  size_t header_len() const { return len_of(sizeof(Elf64_Ehdr), sizeof(Elf32_Ehdr)); }
  size_t segment_header_len() const { return len_of(sizeof(Elf64_Phdr), sizeof(Elf32_Phdr)); }
  size_t section_header_len() const { return len_of(sizeof(Elf64_Shdr), sizeof(Elf32_Shdr)); }
  size_t symbol_len() const { return len_of(sizeof(Elf64_Sym), sizeof(Elf32_Sym)); }

  // The file has header_len() bytes.
  FileHeader header() const {
    const uint8_t* const p = bytes_.data();
    return {ELF_FIELD(format_, p, Ehdr, e_type),      ELF_FIELD(format_, p, Ehdr, e_machine),
            ELF_FIELD(format_, p, Ehdr, e_flags),     ELF_FIELD(format_, p, Ehdr, e_entry),
            ELF_FIELD(format_, p, Ehdr, e_phoff),     ELF_FIELD(format_, p, Ehdr, e_phentsize),
            ELF_FIELD(format_, p, Ehdr, e_phnum),     ELF_FIELD(format_, p, Ehdr, e_shoff),
            ELF_FIELD(format_, p, Ehdr, e_shentsize), ELF_FIELD(format_, p, Ehdr, e_shnum),
            ELF_FIELD(format_, p, Ehdr, e_shstrndx)};
  }
  // Each of these reads what begins at |p|, which has as many bytes as the function above says.
  SegmentHeader segment(const uint8_t* p) const {
    return {ELF_FIELD(format_, p, Phdr, p_type),   ELF_FIELD(format_, p, Phdr, p_flags),
            ELF_FIELD(format_, p, Phdr, p_offset), ELF_FIELD(format_, p, Phdr, p_vaddr),
            ELF_FIELD(format_, p, Phdr, p_filesz), ELF_FIELD(format_, p, Phdr, p_memsz)};
  }
  SectionHeader section(const uint8_t* p) const {
    return {ELF_FIELD(format_, p, Shdr, sh_name),   ELF_FIELD(format_, p, Shdr, sh_type),
            ELF_FIELD(format_, p, Shdr, sh_flags),  ELF_FIELD(format_, p, Shdr, sh_addr),
            ELF_FIELD(format_, p, Shdr, sh_offset), ELF_FIELD(format_, p, Shdr, sh_size),
            ELF_FIELD(format_, p, Shdr, sh_link)};
  }
  SymbolEntry symbol(const uint8_t* p) const {
    return {ELF_FIELD(format_, p, Sym, st_name), ELF_FIELD(format_, p, Sym, st_value),
            ELF_FIELD(format_, p, Sym, st_size), ELF64_ST_TYPE(ELF_FIELD(format_, p, Sym, st_info)),
            ELF_FIELD(format_, p, Sym, st_shndx)};
  }

 private:
  size_t len_of(size_t of_64, size_t of_32) const { return format_.is_64bit ? of_64 : of_32; }

  std::span<const uint8_t> bytes_;
  Format format_;
};

}  // namespace incore::elf
