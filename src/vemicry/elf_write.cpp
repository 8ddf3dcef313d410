// Writes ELF executables: header, program headers, segments at offsets that fit their pages, then
// symbols, strings and section headers, for objdump and the like.
#include <algorithm>
#include <string_view>

#include "vemicry/elf.h"
#include "vemicry/elf_format.h"

namespace incore::vemicry {
namespace {

using namespace mips_elf;

constexpr uint32_t kPageLen = 4096;

class Writer {
 public:
  explicit Writer(bool little_endian) : little_(little_endian) {}

  std::vector<uint8_t> bytes;

  uint32_t here() const { return static_cast<uint32_t>(bytes.size()); }
  void put(uint32_t value, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i)
      bytes.push_back(static_cast<uint8_t>(value >> 8 * (little_ ? i : size - 1 - i)));
  }
  void half(uint32_t value) { put(value, 2); }
  void words(std::initializer_list<uint32_t> values) {
    for (const uint32_t value : values) put(value, 4);
  }
  void append(const std::vector<uint8_t>& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  }

 private:
  const bool little_;
};

class Strings {
 public:
  uint32_t add(std::string_view text) {
    const size_t offset = bytes.size();
    bytes.insert(bytes.end(), text.begin(), text.end());
    bytes.push_back(0);
    return static_cast<uint32_t>(offset);
  }
  std::vector<uint8_t> bytes = {0};
};

struct SectionHeader {
  uint32_t name, type, flags, address, offset, len, link, info, alignment, entry_len;
};

// Sections of a segment: what is in the file, and what is only zero.
void add_sections(const Segment& segment, uint32_t offset, Strings& names,
                  std::vector<SectionHeader>& out_sections) {
  const uint32_t flags =
      kAllocated | (segment.executable ? kCode : 0) | (segment.writable ? kWrite : 0);
  const uint32_t file_len = static_cast<uint32_t>(segment.bytes.size());
  const uint32_t zero_len = static_cast<uint32_t>(segment.mem_len) - file_len;
  const char* const name = segment.executable ? ".text" : segment.writable ? ".data" : ".rodata";
  if (file_len != 0)
    out_sections.push_back(
        {names.add(name), kProgramBits, flags, segment.address, offset, file_len, 0, 0, 4, 0});
  if (zero_len != 0)
    out_sections.push_back({names.add(".bss"), kNoBits, flags, segment.address + file_len,
                            offset + file_len, zero_len, 0, 0, 1, 0});
}

uint32_t section_of(const std::vector<SectionHeader>& sections, uint32_t address) {
  for (size_t i = sections.size() - 1; i > 0; --i)  // at an end the next section begins
    if (address >= sections[i].address && address - sections[i].address <= sections[i].len)
      return static_cast<uint32_t>(i);
  return 0;
}

void write_header(Writer& file, const Image& image, uint32_t section_headers,
                  uint32_t num_sections) {
  file.bytes = {0x7F, 'E', 'L', 'F', 1, static_cast<uint8_t>(image.little_endian ? 1 : 2), 1};
  file.bytes.resize(16);
  file.half(kExecutable);
  file.half(kMachineMips);
  file.words({1, image.entry, kHeaderLen, section_headers, kNoReorder | kAbiO32});
  file.half(kHeaderLen);
  file.half(kProgramHeaderLen);
  file.half(static_cast<uint32_t>(image.segments.size()));
  file.half(kSectionHeaderLen);
  file.half(num_sections);
  file.half(num_sections - 1);  // the names of sections are the last one
}

}  // namespace

std::vector<uint8_t> write_elf(const Image& image) {
  // The segments' contents, and where they begin in the file.
  Writer content(image.little_endian);
  const uint32_t content_begin =
      kHeaderLen + kProgramHeaderLen * static_cast<uint32_t>(image.segments.size());
  Writer program_headers(image.little_endian);
  Strings names;
  std::vector<SectionHeader> sections = {{}};
  for (const Segment& segment : image.segments) {
    const uint32_t padding = (segment.address - content_begin - content.here()) % kPageLen;
    content.bytes.resize(content.bytes.size() + padding);
    const uint32_t offset = content_begin + content.here();
    program_headers.words(
        {kLoad, offset, segment.address, segment.address,
         static_cast<uint32_t>(segment.bytes.size()), static_cast<uint32_t>(segment.mem_len),
         kMayRead | (segment.executable ? kMayExecute : 0) | (segment.writable ? kMayWrite : 0),
         kPageLen});
    add_sections(segment, offset, names, sections);
    content.append(segment.bytes);
  }
  content.bytes.resize((content.bytes.size() + 3) / 4 * 4);

  Strings strings;
  const uint32_t symbols_begin = content_begin + content.here();
  content.bytes.resize(content.bytes.size() + kSymbolLen);  // the first one is none
  std::vector<Symbol> symbols = image.symbols;
  const auto first_global = std::stable_partition(symbols.begin(), symbols.end(),
                                                  [](const Symbol& s) { return s.is_local; });
  const uint32_t num_locals = static_cast<uint32_t>(first_global - symbols.begin());
  for (const Symbol& symbol : symbols) {
    const uint32_t section = section_of(sections, symbol.address);
    content.words({strings.add(symbol.name), symbol.address, symbol.len});
    const bool is_code = section != 0 && (sections[section].flags & kCode) != 0;
    const uint32_t type = symbol.is_function ? kFunction : is_code ? kNoType : kObject;
    content.put((symbol.is_local ? 0 : kGlobal) | type, 1);
    content.put(0, 1);
    content.half(section != 0 ? section : 0xFFF1);
  }
  const uint32_t symbols_len = content_begin + content.here() - symbols_begin;
  const auto add_table = [&](const char* name, uint32_t type, const std::vector<uint8_t>& bytes) {
    sections.push_back({names.add(name), type, 0, 0, content_begin + content.here(),
                        static_cast<uint32_t>(bytes.size()), 0, 0, 1, 0});
    content.append(bytes);
  };
  const uint32_t strings_section = static_cast<uint32_t>(sections.size()) + 1;
  sections.push_back({names.add(".symtab"), kSymbolTable, 0, 0, symbols_begin, symbols_len,
                      strings_section, num_locals + 1, 4, kSymbolLen});
  add_table(".strtab", kStrings, strings.bytes);
  add_table(".shstrtab", kStrings, names.bytes);

  content.bytes.resize((content.bytes.size() + 3) / 4 * 4);
  Writer file(image.little_endian);
  write_header(file, image, content_begin + content.here(), static_cast<uint32_t>(sections.size()));
  file.append(program_headers.bytes);
  file.append(content.bytes);
  for (const SectionHeader& s : sections)
    file.words({s.name, s.type, s.flags, s.address, s.offset, s.len, s.link, s.info, s.alignment,
                s.entry_len});
  return std::move(file.bytes);
}

}  // namespace incore::vemicry
