// The bytes of a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace incore::test {

// All of them; none if there is no such file.
std::string read_file(const std::string& path);
std::vector<uint8_t> read_bytes(const std::string& path);

}  // namespace incore::test
