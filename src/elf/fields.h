// Reads fields of ELF structures from bytes of any alignment, of either class, on hosts of either
// byte order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/bytes.h"

namespace incore::elf {

// An unsigned number of 1, 2, 4 or 8 bytes.
inline uint64_t load_sized(const uint8_t* p, size_t size, bool big_endian) {
  switch (size) {
    case 1:
      return *p;
    case 2:
      return big_endian ? load_be16(p) : load_le<uint16_t>(p);
    case 4:
      return big_endian ? load_be32(p) : load_le32(p);
    default:
      return big_endian ? load_be64(p) : load_le64(p);
  }
}

// How the fields of a file are stored: of which class (ELF64 or ELF32), in which order.
struct Format {
  bool is_64bit = false;
  bool big_endian = false;
};

// The field |name| of the Elf64_|Type| or Elf32_|Type| that begins at |p|, widened to 64 bits.
#define ELF_FIELD(format, p, Type, name)                                                          \
  ((format).is_64bit ? ::incore::elf::load_sized((p) + offsetof(Elf64_##Type, name),              \
                                                 sizeof(Elf64_##Type::name), (format).big_endian) \
                     : ::incore::elf::load_sized((p) + offsetof(Elf32_##Type, name),              \
                                                 sizeof(Elf32_##Type::name), (format).big_endian))

// The zero-terminated string at |offset| of a string table; empty if it is not there or does not
// end within |max_len| bytes, by default more than any name needs.
inline std::string_view string_at(std::span<const uint8_t> table, uint64_t offset,
                                  size_t max_len = 4096) {
  if (offset >= table.size()) return {};
  const char* text = reinterpret_cast<const char*>(table.data()) + offset;
  const size_t room = std::min<size_t>(table.size() - offset, max_len);
  const size_t len = strnlen(text, room);
  return len == room ? std::string_view() : std::string_view(text, len);
}

}  // namespace incore::elf
