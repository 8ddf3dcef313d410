// Lists of sizes on the command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace incore::tools {

// Sizes in bytes from a list such as "16,1k,8K,64KiB": k, K and KiB are 1024 bytes, M and MiB 1024
// times that. For anything else, for 0 and for more than |max| throws std::invalid_argument, whose
// text says what is wrong and what --sizes accepts.
std::vector<size_t> parse_sizes(const std::string& list, size_t max);

// A number of bytes such as "4096", "1M", "3GiB", 0 included; T and TiB too. For anything else
// throws std::invalid_argument, whose text says so and names |option|.
uint64_t parse_byte_count(const std::string& option, const std::string& text);

}  // namespace incore::tools
