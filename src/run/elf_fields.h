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

namespace incore::run {

// An unsigned little-endian number of 1, 2, 4 or 8 bytes.
inline uint64_t load_le_sized(const uint8_t* p, size_t size) {
  switch (size) {
    case 1:
      return *p;
    case 2:
      return load_le<uint16_t>(p);
    case 4:
      return load_le32(p);
    default:
      return load_le64(p);
  }
}

// The field |name| of the Elf64_|Type| or Elf32_|Type| that begins at |p|, widened to 64 bits.
#define ELF_FIELD(is_64bit, p, Type, name)                                       \
  ((is_64bit) ? ::incore::run::load_le_sized((p) + offsetof(Elf64_##Type, name), \
                                             sizeof(Elf64_##Type::name))         \
              : ::incore::run::load_le_sized((p) + offsetof(Elf32_##Type, name), \
                                             sizeof(Elf32_##Type::name)))

// The zero-terminated string at |offset| of a string table; empty if it is not there or does not
// end within 4 KiB, more than any name needs.
inline std::string_view string_at(std::span<const uint8_t> table, uint64_t offset) {
  if (offset >= table.size()) return {};
  const char* text = reinterpret_cast<const char*>(table.data()) + offset;
  const size_t room = std::min<size_t>(table.size() - offset, 4096);
  const size_t len = strnlen(text, room);
  return len == room ? std::string_view() : std::string_view(text, len);
}

}  // namespace incore::run
