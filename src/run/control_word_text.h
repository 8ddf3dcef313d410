// The control word of REP XCRYPT in words.
#pragma once

#include <cstdint>
#include <string>

namespace incore::run {

// Such as "0x28a: 10 rounds, key schedule of 128 bits from memory, decrypt".
std::string control_word_text(const uint8_t bytes[16]);

}  // namespace incore::run
