// Reads ELF executables. Every number in the file is doubted: nothing outside the file is read, and
// what the machine cannot run is refused by name.
#include "elf/file.h"
#include "vemicry/elf.h"
#include "vemicry/elf_format.h"
#include "vemicry/line_table.h"

namespace incore::vemicry {
namespace {

using namespace mips_elf;
using elf::File;

constexpr uint64_t kMaxMemory = uint64_t{1} << 28;  // of all segments together

std::string flags_mistake(uint64_t flags) {
  constexpr const char* kNames[16] = {
      "MIPS-I",          "MIPS-II",         "MIPS-III",        "MIPS-IV",
      "MIPS-V",          "MIPS32",          "MIPS64",          "MIPS32 R2",
      "MIPS64 R2",       "MIPS32 R6",       "MIPS64 R6",       "an unknown MIPS",
      "an unknown MIPS", "an unknown MIPS", "an unknown MIPS", "an unknown MIPS"};
  if ((flags & kMips16) != 0) return "it is for MIPS16; accepted: MIPS-I (-march=mips1)";
  if ((flags & kMicroMips) != 0) return "it is for microMIPS; accepted: MIPS-I (-march=mips1)";
  if ((flags & kArch) != 0)
    return std::string("it is for ") + kNames[flags >> 28] + "; accepted: MIPS-I (-march=mips1)";
  if ((flags & kAbi2) != 0 || ((flags & kAbi) != 0 && (flags & kAbi) != kAbiO32))
    return "it is for another ABI; accepted: o32 (-mabi=32)";
  return "";
}

std::string header_mistake(std::span<const uint8_t> bytes) {
  if (bytes.size() < kHeaderLen) return "the ELF header is cut off";
  const uint8_t elf_class = bytes[EI_CLASS], order = bytes[EI_DATA];
  if ((elf_class != ELFCLASS32 && elf_class != ELFCLASS64) ||
      (order != ELFDATA2LSB && order != ELFDATA2MSB))
    return "the ELF header is damaged";
  const File file(bytes);
  if (ELF_FIELD(file.format(), bytes.data(), Ehdr, e_machine) != kMachineMips)
    return "it is for another processor; accepted: MIPS-I (ELF machine 8)";
  if (elf_class == ELFCLASS64) return "it is a 64-bit program; accepted: 32 bits (-mabi=32)";
  const elf::FileHeader header = file.header();
  if (header.type == kRelocatable) return "it is an object file that still has to be linked";
  if (header.type == kShared)
    return "it is position-independent or a shared library; link it with -static -no-pie";
  if (header.type != kExecutable) return "it is no executable";
  return flags_mistake(header.flags);
}

std::string read_segments(const File& file, Image* image) {
  const elf::FileHeader header = file.header();
  const uint64_t len = header.segment_len, num = header.num_segments;
  if (num != 0 && len < kProgramHeaderLen) return "the program headers are too short";
  if (!file.has(header.segments, len * num))
    return "the program headers reach beyond the end of the file";
  const std::span<const uint8_t> table = file.slice(header.segments, len * num);
  uint64_t memory = 0;
  for (uint64_t i = 0; i < num; ++i) {
    const elf::SegmentHeader segment = file.segment(&table[len * i]);
    if (segment.type == kInterpreter || segment.type == kDynamic)
      return "it is dynamically linked; link it with -static";
    if (segment.type != kLoad || segment.mem_len == 0) continue;
    const std::string name = "segment " + std::to_string(i);
    if (segment.file_len != 0 && !file.has(segment.offset, segment.file_len))
      return name + " reaches beyond the end of the file";
    if (segment.file_len > segment.mem_len) return name + " is longer in the file than in memory";
    if (segment.address + segment.mem_len > uint64_t{1} << 32)
      return name + " reaches beyond 4 GiB";
    memory += segment.mem_len;
    if (memory > kMaxMemory) return "it needs more than 256 MiB of memory";
    // Without bytes in the file the offset may lie anywhere.
    const std::span<const uint8_t> bytes = file.slice(segment.offset, segment.file_len);
    image->segments.push_back({static_cast<uint32_t>(segment.address),
                               {bytes.begin(), bytes.end()},
                               segment.mem_len,
                               (segment.flags & kMayExecute) != 0,
                               (segment.flags & kMayWrite) != 0});
  }
  return image->segments.empty() ? "it has nothing to load" : "";
}

// The symbols of |section|; |names| is the section with their names.
std::string read_symbols(const File& file, const elf::SectionHeader& section,
                         const elf::SectionHeader& names, Image* image) {
  if (!file.has(section.offset, section.len) || !file.has(names.offset, names.len))
    return "the symbols reach beyond the end of the file";
  const std::span<const uint8_t> strings = file.slice(names.offset, names.len);
  for (std::span<const uint8_t> table = file.slice(section.offset, section.len);
       table.size() >= kSymbolLen; table = table.subspan(kSymbolLen)) {
    const elf::SymbolEntry symbol = file.symbol(table.data());
    if (symbol.type > kFunction || symbol.section == kUndefined ||
        symbol.section >= kFirstReservedSection)
      continue;
    const std::string_view name = elf::string_at(strings, symbol.name, SIZE_MAX);
    if (!name.empty())
      image->symbols.push_back({std::string(name), static_cast<uint32_t>(symbol.address),
                                static_cast<uint32_t>(symbol.len), symbol.type == kFunction});
  }
  return "";
}

// The section of |table| that is called |name|, if it is there and not compressed.
std::span<const uint8_t> find_section(const File& file, std::span<const uint8_t> table,
                                      std::string_view name) {
  const elf::FileHeader header = file.header();
  const auto section_of = [&](uint64_t i) { return file.section(&table[header.section_len * i]); };
  if (header.names >= header.num_sections) return {};
  const elf::SectionHeader names = section_of(header.names);
  for (uint64_t i = 0; i < header.num_sections; ++i) {
    const elf::SectionHeader section = section_of(i);
    if ((section.flags & SHF_COMPRESSED) == 0 &&
        elf::string_at(file.slice(names.offset, names.len), section.name) == name)
      return file.slice(section.offset, section.len);
  }
  return {};
}

std::string read_sections(const File& file, Image* image) {
  const elf::FileHeader header = file.header();
  const uint64_t len = header.section_len, num = header.num_sections;
  if (num == 0) return "";
  if (len < kSectionHeaderLen) return "the section headers are too short";
  if (!file.has(header.sections, len * num))
    return "the section headers reach beyond the end of the file";
  const std::span<const uint8_t> table = file.slice(header.sections, len * num);
  const auto section_of = [&](uint64_t i) { return file.section(&table[len * i]); };
  for (uint64_t i = 0; i < num; ++i) {
    const elf::SectionHeader section = section_of(i);
    if (section.type == kProgramBits && (section.flags & kCode) != 0)
      image->code.push_back(
          {static_cast<uint32_t>(section.address), static_cast<uint32_t>(section.len)});
    if (section.type != kSymbolTable) continue;
    if (section.link >= num) return "the symbols have no names";
    if (std::string text = read_symbols(file, section, section_of(section.link), image);
        !text.empty())
      return text;
  }
  image->sort_symbols();
  read_line_table(
      {find_section(file, table, ".debug_line"), find_section(file, table, ".debug_line_str"),
       find_section(file, table, ".debug_str")},
      file.format().big_endian, image);
  return "";
}

}  // namespace

bool is_elf(std::span<const uint8_t> bytes) {
  return elf::is_elf(bytes);
}

std::string read_elf(std::span<const uint8_t> bytes, Image* out_image) {
  if (!is_elf(bytes)) return "it is no ELF file";
  if (std::string text = header_mistake(bytes); !text.empty()) return text;
  const File file(bytes);
  Image image;
  image.little_endian = !file.format().big_endian;
  image.entry = static_cast<uint32_t>(file.header().entry);
  if (std::string text = read_segments(file, &image); !text.empty()) return text;
  if (std::string text = read_sections(file, &image); !text.empty()) return text;
  *out_image = std::move(image);
  return "";
}

}  // namespace incore::vemicry
