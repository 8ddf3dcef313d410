// Bytes as pairs of hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace incore::tools {

// The value of a digit; negative: it is none.
int hex_digit(char c);

std::string to_hex(const void* bytes, size_t len);
// The bytes of the pairs of digits that |text| begins with.
std::vector<uint8_t> from_leading_hex(std::string_view text);

}  // namespace incore::tools
