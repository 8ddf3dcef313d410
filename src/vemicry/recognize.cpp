#include "vemicry/recognize.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "elf/file.h"
#include "vemicry/elf_format.h"

namespace incore::vemicry {
namespace {

constexpr uint32_t kMaxProgramHeaders = 64;

bool is_bare_mips(std::ifstream& stream) {
  uint8_t bytes[mips_elf::kHeaderLen];
  if (!stream.read(reinterpret_cast<char*>(bytes), sizeof bytes)) return false;
  if (!elf::is_elf(bytes) || bytes[EI_CLASS] != ELFCLASS32) return false;
  const elf::File file(bytes);
  const elf::FileHeader header = file.header();
  if (header.type != mips_elf::kExecutable || header.machine != mips_elf::kMachineMips)
    return false;
  if ((header.flags & mips_elf::kArch) != 0 || header.segment_len != mips_elf::kProgramHeaderLen)
    return false;
  stream.seekg(static_cast<std::streamoff>(header.segments));
  const uint64_t num = std::min<uint64_t>(header.num_segments, kMaxProgramHeaders);
  for (uint64_t i = 0; i < num; ++i) {
    // Room for the header of either class, as the compiler cannot see which one it is.
    uint8_t segment[sizeof(Elf64_Phdr)] = {};
    if (!stream.read(reinterpret_cast<char*>(segment), mips_elf::kProgramHeaderLen)) return false;
    if (file.segment(segment).type == mips_elf::kInterpreter) return false;
  }
  return num != 0;
}

}  // namespace

bool is_program(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return file.is_open() && (std::string_view(path).ends_with(".s") || is_bare_mips(file));
}

}  // namespace incore::vemicry
