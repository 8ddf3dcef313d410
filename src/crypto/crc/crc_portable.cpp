// CRC-32 and CRC-32C with tables, 16 bytes at a time ("slicing"): table i holds what a byte that
// has i bytes behind it adds to the register. The tables are indexed by the data; a CRC protects no
// secret.
#include "base/bytes.h"
#include "crypto/crc/crc_kernel.h"
#include "crypto/crc/crc_steps.h"

namespace incore {
namespace {

constexpr size_t kSlices = 16;

struct Tables {
  uint32_t slice[kSlices][256];
};

constexpr Tables make_tables(uint32_t polynomial) {
  Tables tables = {};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t state = byte;
    for (size_t i = 0; i < kSlices; ++i) {
      state = crc::shift(polynomial, state, 8);
      tables.slice[i][byte] = state;
    }
  }
  return tables;
}

template <uint32_t kPolynomial>
uint32_t update(uint32_t state, const uint8_t* data, size_t len) {
  static constexpr Tables kTables = make_tables(kPolynomial);
  for (; len >= kSlices; len -= kSlices, data += kSlices) {
    const uint32_t head = state ^ load_le32(data);
    state = 0;
    for (size_t i = 0; i < 4; ++i) state ^= kTables.slice[kSlices - 1 - i][head >> (8 * i) & 255];
    for (size_t i = 4; i < kSlices; ++i) state ^= kTables.slice[kSlices - 1 - i][data[i]];
  }
  for (; len != 0; --len, ++data) state = state >> 8 ^ kTables.slice[0][(state ^ *data) & 255];
  return state;
}

}  // namespace

constinit const CrcKernel crc32_portable = {{"portable", FeatureSet()},
                                            update<crc::kCrc32Polynomial>};
constinit const CrcKernel crc32c_portable = {{"portable", FeatureSet()},
                                             update<crc::kCrc32cPolynomial>};

}  // namespace incore
