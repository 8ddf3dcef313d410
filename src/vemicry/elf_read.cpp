// Reads ELF executables. Every number in the file is doubted: nothing outside the file is read, and
// what the machine cannot run is refused by name.
#include <cstring>

#include "vemicry/elf.h"
#include "vemicry/elf_format.h"

namespace incore::vemicry {
namespace {

using namespace elf;

constexpr uint64_t kMaxMemory = uint64_t{1} << 28;  // of all segments together

class File {
 public:
  explicit File(std::span<const uint8_t> bytes) : bytes_(bytes), little_(bytes[5] == 1) {}

  bool is_little_endian() const { return little_; }
  bool has(uint64_t offset, uint64_t len) const {
    return offset <= bytes_.size() && len <= bytes_.size() - offset;
  }
  // has(offset, size) must be true.
  uint32_t get(uint64_t offset, uint32_t size) const {
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; ++i)
      value |= uint32_t{bytes_[offset + i]} << 8 * (little_ ? i : size - 1 - i);
    return value;
  }
  uint16_t half(uint64_t offset) const { return static_cast<uint16_t>(get(offset, 2)); }
  uint32_t word(uint64_t offset) const { return get(offset, 4); }
  std::span<const uint8_t> part(uint64_t offset, uint64_t len) const {
    return bytes_.subspan(offset, len);
  }
  // The string at |offset| of the |len| bytes at |begin|.
  std::string string(uint64_t begin, uint64_t len, uint64_t offset) const {
    if (offset >= len) return "";
    const char* const text = reinterpret_cast<const char*>(bytes_.data() + begin + offset);
    return std::string(text, strnlen(text, len - offset));
  }

 private:
  std::span<const uint8_t> bytes_;
  const bool little_;
};

std::string flags_mistake(uint32_t flags) {
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
  const File file(bytes);
  if (file.half(18) != kMachineMips)
    return "it is for another processor; accepted: MIPS-I (ELF machine 8)";
  if (bytes[4] == 2) return "it is a 64-bit program; accepted: 32 bits (-mabi=32)";
  if (bytes[4] != 1 || (bytes[5] != 1 && bytes[5] != 2)) return "the ELF header is damaged";
  const uint16_t type = file.half(16);
  if (type == kRelocatable) return "it is an object file that still has to be linked";
  if (type == kShared)
    return "it is position-independent or a shared library; link it with -static -no-pie";
  if (type != kExecutable) return "it is no executable";
  return flags_mistake(file.word(36));
}

std::string read_segments(const File& file, Image* image) {
  const uint64_t table = file.word(28);
  const uint32_t entry_len = file.half(42), num_entries = file.half(44);
  if (num_entries != 0 && entry_len < kProgramHeaderLen) return "the program headers are too short";
  if (!file.has(table, uint64_t{entry_len} * num_entries))
    return "the program headers reach beyond the end of the file";
  uint64_t memory = 0;
  for (uint32_t i = 0; i < num_entries; ++i) {
    const uint64_t entry = table + uint64_t{entry_len} * i;
    const uint32_t type = file.word(entry);
    if (type == kInterpreter || type == kDynamic)
      return "it is dynamically linked; link it with -static";
    const uint32_t file_len = file.word(entry + 16), mem_len = file.word(entry + 20);
    if (type != kLoad || mem_len == 0) continue;
    const uint32_t offset = file.word(entry + 4), address = file.word(entry + 8);
    const std::string name = "segment " + std::to_string(i);
    if (file_len != 0 && !file.has(offset, file_len))
      return name + " reaches beyond the end of the file";
    if (file_len > mem_len) return name + " is longer in the file than in memory";
    if (uint64_t{address} + mem_len > uint64_t{1} << 32) return name + " reaches beyond 4 GiB";
    memory += mem_len;
    if (memory > kMaxMemory) return "it needs more than 256 MiB of memory";
    std::span<const uint8_t> bytes;
    if (file_len != 0) bytes = file.part(offset, file_len);  // else the offset may lie anywhere
    const uint32_t flags = file.word(entry + 24);
    image->segments.push_back({address,
                               {bytes.begin(), bytes.end()},
                               mem_len,
                               (flags & kMayExecute) != 0,
                               (flags & kMayWrite) != 0});
  }
  return image->segments.empty() ? "it has nothing to load" : "";
}

// The symbols of the table that the section header at |section| describes; |names| is the header of
// the section with their names.
std::string read_symbols(const File& file, uint64_t section, uint64_t names, Image* image) {
  const uint32_t begin = file.word(section + 16), len = file.word(section + 20);
  const uint32_t strings = file.word(names + 16), strings_len = file.word(names + 20);
  if (!file.has(begin, len) || !file.has(strings, strings_len))
    return "the symbols reach beyond the end of the file";
  for (uint64_t symbol = begin; symbol + kSymbolLen <= uint64_t{begin} + len;
       symbol += kSymbolLen) {
    const uint32_t type = file.get(symbol + 12, 1) & 0xF, place = file.half(symbol + 14);
    if (type > kFunction || place == kUndefined || place >= kFirstReservedSection) continue;
    std::string name = file.string(strings, strings_len, file.word(symbol));
    if (!name.empty())
      image->symbols.push_back(
          {std::move(name), file.word(symbol + 4), file.word(symbol + 8), type == kFunction});
  }
  return "";
}

std::string read_sections(const File& file, Image* image) {
  const uint64_t table = file.word(32);
  const uint32_t entry_len = file.half(46), num_entries = file.half(48);
  if (num_entries == 0) return "";
  if (entry_len < kSectionHeaderLen) return "the section headers are too short";
  if (!file.has(table, uint64_t{entry_len} * num_entries))
    return "the section headers reach beyond the end of the file";
  for (uint32_t i = 0; i < num_entries; ++i) {
    const uint64_t section = table + uint64_t{entry_len} * i;
    const uint32_t type = file.word(section + 4), link = file.word(section + 24);
    if (type == kProgramBits && (file.word(section + 8) & kCode) != 0)
      image->code.push_back({file.word(section + 12), file.word(section + 20)});
    if (type != kSymbolTable) continue;
    if (link >= num_entries) return "the symbols have no names";
    if (std::string text = read_symbols(file, section, table + uint64_t{entry_len} * link, image);
        !text.empty())
      return text;
  }
  image->sort_symbols();
  return "";
}

}  // namespace

bool is_elf(std::span<const uint8_t> bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(),
                                          "\x7F"
                                          "ELF",
                                          4) == 0;
}

std::string read_elf(std::span<const uint8_t> bytes, Image* out_image) {
  if (!is_elf(bytes)) return "it is no ELF file";
  if (std::string text = header_mistake(bytes); !text.empty()) return text;
  const File file(bytes);
  Image image;
  image.little_endian = file.is_little_endian();
  image.entry = file.word(24);
  if (std::string text = read_segments(file, &image); !text.empty()) return text;
  if (std::string text = read_sections(file, &image); !text.empty()) return text;
  *out_image = std::move(image);
  return "";
}

}  // namespace incore::vemicry
