// Big numbers as the command line has them: byte strings, highest byte first, and hex text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace incore::tools {

using Bytes = std::vector<uint8_t>;

// The bytes that |hex| spells, two digits each. Throws std::invalid_argument if it is something
// else.
Bytes from_hex(const std::string& hex);

// The number that |hex| spells, in upper or lower case digits, without leading zero bytes; 0 has no
// bytes. Throws std::invalid_argument if there is another character, or no digit.
Bytes parse_number(const std::string& hex);

// Lower case digits without leading zeros; "0" for 0.
std::string number_text(const Bytes& number);

// Without leading zero bytes.
Bytes trimmed(const Bytes& number);

// |number| in |len| bytes; it has no more, but for leading zeros.
Bytes padded(const Bytes& number, size_t len);

size_t bit_length(const Bytes& number);
bool is_odd(const Bytes& number);
bool is_below(const Bytes& a, const Bytes& b);

// Below 2^|bits|.
Bytes random_number(size_t bits, std::mt19937_64& random);

}  // namespace incore::tools
