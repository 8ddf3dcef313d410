#include "tools/base/gdb_packet.h"

#include "tools/base/hex.h"

namespace incore::tools {

uint8_t gdb_checksum(std::string_view content) {
  unsigned sum = 0;
  for (const char c : content) sum += static_cast<unsigned char>(c);
  return static_cast<uint8_t>(sum);
}

std::string gdb_packet(std::string_view content) {
  const uint8_t sum = gdb_checksum(content);
  return "$" + std::string(content) + "#" + to_hex(&sum, 1);
}

}  // namespace incore::tools
