// The packets of GDB's Remote Serial Protocol (GDB manual, appendix E).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace incore::tools {

uint8_t gdb_checksum(std::string_view content);

// |content| as it goes over the line: "$content#checksum".
std::string gdb_packet(std::string_view content);

}  // namespace incore::tools
