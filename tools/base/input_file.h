// Files that a command reads as a whole.
#pragma once

#include <cstdint>
#include <string>

namespace incore::tools {

inline constexpr uint64_t kMaxInputLen = 256 << 20;  // bytes: what does not end is refused here

// Reads |path|, a file, device or pipe. Returns what is wrong, without the name, such as "No such
// file or directory"; empty if all went well.
std::string read_input_file(const std::string& path, std::string* out_bytes);

}  // namespace incore::tools
