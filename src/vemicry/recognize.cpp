#include "vemicry/recognize.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/bytes.h"

namespace incore::vemicry {
namespace {

// ELF (System V ABI, MIPS supplement).
constexpr size_t kHeaderLen = 52, kProgramHeaderLen = 32;
constexpr uint32_t kExecutable = 2, kMips = 8, kInterpreter = 3;
constexpr uint32_t kArchitecture = 0xF0000000;  // bits of e_flags; 0: MIPS-I
constexpr uint32_t kMaxProgramHeaders = 64;

class Fields {
 public:
  Fields(const uint8_t* bytes, bool little_endian) : bytes_(bytes), little_endian_(little_endian) {}
  uint32_t half(size_t at) const {
    return little_endian_ ? load_le<uint16_t>(bytes_ + at) : load_be16(bytes_ + at);
  }
  uint32_t word(size_t at) const {
    return little_endian_ ? load_le32(bytes_ + at) : load_be32(bytes_ + at);
  }

 private:
  const uint8_t* bytes_;
  bool little_endian_;
};

bool is_bare_mips(std::ifstream& file) {
  uint8_t header[kHeaderLen];
  if (!file.read(reinterpret_cast<char*>(header), sizeof header)) return false;
  constexpr uint8_t kIdentity[] = {0x7F, 'E', 'L', 'F', 1};  // of 32 bits
  if (!std::equal(std::begin(kIdentity), std::end(kIdentity), header)) return false;
  const bool little_endian = header[5] == 1;
  const Fields fields(header, little_endian);
  if (fields.half(16) != kExecutable || fields.half(18) != kMips) return false;
  if ((fields.word(36) & kArchitecture) != 0 || fields.half(42) != kProgramHeaderLen) return false;
  file.seekg(fields.word(28));
  const uint32_t num = std::min(fields.half(44), kMaxProgramHeaders);
  for (uint32_t i = 0; i < num; ++i) {
    uint8_t segment[kProgramHeaderLen];
    if (!file.read(reinterpret_cast<char*>(segment), sizeof segment)) return false;
    if (Fields(segment, little_endian).word(0) == kInterpreter) return false;
  }
  return num != 0;
}

}  // namespace

bool is_program(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return file.is_open() && (std::string_view(path).ends_with(".s") || is_bare_mips(file));
}

}  // namespace incore::vemicry
