// Headers, segments, sections and the dynamic section; symbols and entries are in elf_entries.cpp.
#include "scan/elf_image.h"

#include <algorithm>

namespace incore::scan {
namespace {

std::string foreign_machine_name(uint16_t machine) {
  switch (machine) {
    case EM_SPARC:
      return "SPARC";
    case EM_MIPS:
      return "MIPS";
    case EM_PPC:
      return "PowerPC";
    case EM_PPC64:
      return "64-bit PowerPC with 32-bit pointers";
    case EM_S390:
      return "S/390";
    case EM_ARM:
      return "ARM";
    case EM_SPARCV9:
      return "SPARC V9";
    case EM_IA_64:
      return "IA-64";
    case EM_AARCH64:
      return "AArch64";
    case EM_RISCV:
      return "RISC-V";
    case 258:
      return "LoongArch";
    default:
      return "machine " + std::to_string(machine);
  }
}

std::string truncated(const std::string& part, uint64_t end, size_t len) {
  return "truncated: " + part + " ends at byte " + std::to_string(end) + ", the file has " +
         std::to_string(len);
}

}  // namespace

const char* machine_name(Machine machine) {
  switch (machine) {
    case Machine::x86_64:
      return "x86-64";
    case Machine::i386:
      return "i386";
    case Machine::powerpc64:
      return "powerpc64";
    case Machine::powerpc64le:
      return "powerpc64le";
  }
  __builtin_unreachable();
}

std::string ElfImage::parse(const uint8_t* file, size_t len) {
  if (!elf::is_elf({file, len})) return "not an ELF file";
  if (len < EI_NIDENT) return truncated("the ELF identification", EI_NIDENT, len);
  const uint8_t elf_class = file[EI_CLASS];
  if (elf_class != ELFCLASS32 && elf_class != ELFCLASS64)
    return "the ELF class is " + std::to_string(elf_class) +
           "; it must be 1 (32 bits) or 2 (64 bits)";
  file_ = elf::File({file, len});
  if (len < file_.header_len()) return truncated("the ELF header", file_.header_len(), len);

  const elf::FileHeader header = file_.header();
  const auto machine = static_cast<uint16_t>(header.machine);
  const bool is_64bit = format().is_64bit, big_endian = format().big_endian;
  const bool is_ppc64 = machine == EM_PPC64 && is_64bit;
  const bool is_x86 = machine == EM_X86_64 || (machine == EM_386 && !is_64bit);
  if (!is_ppc64 && (!is_x86 || big_endian))
    return "a program for " + (is_x86 ? "a big-endian x86" : foreign_machine_name(machine)) +
           "; only x86-64, i386 and 64-bit PowerPC are searched";
  if (is_ppc64)
    machine_ = big_endian ? Machine::powerpc64 : Machine::powerpc64le;
  else
    machine_ = machine == EM_X86_64 ? Machine::x86_64 : Machine::i386;
  const uint64_t type = header.type;
  if (type == ET_REL)
    return "an object file that is not linked; only programs and shared objects are searched";
  if (type == ET_CORE) return "a core dump; only programs and shared objects are searched";
  if (type != ET_EXEC && type != ET_DYN)
    return "the ELF type is " + std::to_string(type) +
           "; only programs and shared objects are searched";

  entry_ = header.entry;
  if (std::string error = parse_segments(header); !error.empty()) return error;
  parse_sections(header);
  if (is_power()) find_pointers();
  return "";
}

std::string ElfImage::parse_segments(const elf::FileHeader& header) {
  const uint64_t entry_size = header.segment_len, count = header.num_segments;
  if (count == 0) return "no program headers, so nothing of the file is loaded";
  if (entry_size != file_.segment_header_len())
    return "program headers are " + std::to_string(entry_size) + " bytes long; they must be " +
           std::to_string(file_.segment_header_len());
  const std::span<const uint8_t> table = file_.slice(header.segments, entry_size * count);
  if (table.empty())
    return truncated("the program header table", header.segments + entry_size * count, file_.len());

  std::span<const uint8_t> dynamic;
  uint64_t eh_frame_hdr = 0;
  uint64_t code_size = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const elf::SegmentHeader segment = file_.segment(table.data() + i * entry_size);
    const uint64_t address = segment.address, size = segment.file_len;
    const std::span<const uint8_t> bytes = file_.slice(segment.offset, size);
    if (segment.type == PT_GNU_EH_FRAME) eh_frame_hdr = address;
    if (segment.type == PT_DYNAMIC) dynamic = bytes;
    if (segment.type == PT_INTERP) interpreter_ = elf::string_at(bytes, 0);
    if (segment.type != PT_LOAD || size == 0) continue;
    const std::string name = "segment " + std::to_string(i);
    if (bytes.empty()) return truncated(name, segment.offset + size, file_.len());
    if (address > UINT64_MAX - size) return name + " wraps around the end of the address space";
    const bool executable = (segment.flags & PF_X) != 0;
    if (executable) code_size += size;
    segments_.push_back({address, bytes, segment.offset, executable});
  }
  // One file page may be mapped twice, but a file that maps itself over and over only costs time.
  if (code_size > 4 * static_cast<uint64_t>(file_.len()))
    return "the executable segments together are more than four times as long as the file";
  std::sort(segments_.begin(), segments_.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  for (size_t i = 1; i < segments_.size(); ++i)
    if (segments_[i].address < segments_[i - 1].range().end) return "segments overlap in memory";
  parse_dynamic(dynamic);
  if (eh_frame_hdr != 0) find_eh_frame(eh_frame_hdr);
  return "";
}

// Section headers are a convenience of the linker: damaged or absent ones leave what the program
// headers say.
void ElfImage::parse_sections(const elf::FileHeader& file_header) {
  const uint64_t entry_size = file_header.section_len, count = file_header.num_sections;
  if (entry_size != file_.section_header_len()) return;
  const std::span<const uint8_t> table = file_.slice(file_header.sections, entry_size * count);
  if (table.empty()) return;

  const auto header_of = [&](uint64_t i) { return file_.section(table.data() + i * entry_size); };
  const auto contents = [&](const elf::SectionHeader& header) {
    if (header.type == SHT_NOBITS) return std::span<const uint8_t>();
    return file_.slice(header.offset, header.len);
  };
  const std::span<const uint8_t> names = file_header.names < count
                                             ? contents(header_of(file_header.names))
                                             : std::span<const uint8_t>();
  // Sections of a sane file do not overlap; stopping here bounds the work that a hostile one can
  // ask for.
  uint64_t total = 0;
  for (uint64_t i = 0; i < count && total <= file_.len(); ++i) {
    const elf::SectionHeader header = header_of(i);
    const Section section = {static_cast<uint32_t>(header.type), static_cast<uint32_t>(header.link),
                             header.address, contents(header), elf::string_at(names, header.name)};
    const uint64_t flags = header.flags;
    total += section.bytes.size();
    if ((flags & SHF_ALLOC) != 0 && (flags & SHF_EXECINSTR) == 0 && !section.bytes.empty())
      data_sections_.push_back({section.address, section.address + section.bytes.size()});
    if (section.name == ".eh_frame" && section.address != 0 && !section.bytes.empty() &&
        bytes_at(section.address).size() >= section.bytes.size())
      eh_frame_ = {section.address, section.address + section.bytes.size()};
    sections_.push_back(section);
  }
  std::sort(data_sections_.begin(), data_sections_.end(),
            [](const Range& a, const Range& b) { return a.start < b.start; });
}

void ElfImage::parse_dynamic(std::span<const uint8_t> table) {
  const size_t entry_size = format().is_64bit ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
  for (; table.size() >= entry_size; table = table.subspan(entry_size)) {
    const uint64_t tag = ELF_FIELD(format(), table.data(), Dyn, d_tag);
    if (tag == DT_NULL) break;
    dynamic_.emplace_back(tag, ELF_FIELD(format(), table.data(), Dyn, d_un));
  }
}

// .eh_frame_hdr (LSB, "Exception Frames"): version 1, three encodings, the address of .eh_frame.
// Linkers write the address as a signed 32-bit distance from the field (1Bh); its end is unknown,
// the table carries its own.
void ElfImage::find_eh_frame(uint64_t eh_frame_hdr) {
  constexpr uint8_t kPcRelativeSigned32 = 0x1b;
  const std::span<const uint8_t> bytes = bytes_at(eh_frame_hdr);
  if (bytes.size() < 8 || bytes[0] != 1 || bytes[1] != kPcRelativeSigned32) return;
  const auto distance = static_cast<int32_t>(load_sized(bytes.data() + 4, 4, format().big_endian));
  const uint64_t start = eh_frame_hdr + 4 + static_cast<uint64_t>(distance);
  const size_t size = bytes_at(start).size();
  if (size != 0) eh_frame_ = {start, start + size};
}

const Segment* ElfImage::segment_at(uint64_t address) const {
  auto next = std::upper_bound(segments_.begin(), segments_.end(), address,
                               [](uint64_t a, const Segment& s) { return a < s.address; });
  if (next == segments_.begin()) return nullptr;
  const Segment& segment = *(next - 1);
  return segment.range().contains(address) ? &segment : nullptr;
}

bool ElfImage::is_code(uint64_t address) const {
  const Segment* segment = segment_at(address);
  return segment != nullptr && segment->executable;
}

bool ElfImage::is_in_data_section(uint64_t address) const {
  const auto next =
      std::upper_bound(data_sections_.begin(), data_sections_.end(), address,
                       [](uint64_t a, const Range& section) { return a < section.start; });
  return next != data_sections_.begin() && std::prev(next)->contains(address);
}

std::span<const uint8_t> ElfImage::bytes_at(uint64_t address) const {
  const Segment* segment = segment_at(address);
  if (segment == nullptr) return {};
  return segment->bytes.subspan(address - segment->address);
}

uint64_t ElfImage::pointer_at(uint64_t address) const {
  const std::span<const uint8_t> bytes = bytes_at(address);
  const size_t size = format().is_64bit ? 8 : 4;
  return bytes.size() < size ? 0 : load_sized(bytes.data(), size, format().big_endian);
}

}  // namespace incore::scan
