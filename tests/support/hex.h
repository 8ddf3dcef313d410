// Hexadecimal text for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace incore::test {

using Bytes = std::vector<uint8_t>;

// Bytes of |text|; blanks are passed over. Fails the test (throws) on anything else that is not a
// pair of hex digits.
Bytes from_hex(const std::string& text);

std::string to_hex(const void* data, size_t len);
inline std::string to_hex(const Bytes& bytes) {
  return to_hex(bytes.data(), bytes.size());
}

// |len| bytes that depend on |seed| alone.
Bytes random_bytes(size_t len, uint64_t seed);

}  // namespace incore::test
