#include "tools/report/png.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "incore/crc.h"

namespace incore::tools {
namespace {

std::string big_endian(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string covered = type + data;
  uint32_t crc = 0;
  if (incore_crc32(&crc, covered.data(), covered.size()) != INCORE_OK)
    throw std::runtime_error("INCORE_KERNEL is wrong");
  return big_endian(static_cast<uint32_t>(data.size())) + covered + big_endian(crc);
}

// The zlib format (RFC 1950) with blocks that are stored as they are (RFC 1951, section 3.2.4).
std::string stored(const std::string& data) {
  constexpr size_t kMost = 65535;
  std::string stream = "\x78\x01";
  size_t at = 0;
  do {
    const size_t len = std::min(kMost, data.size() - at);
    stream += at + len == data.size() ? '\1' : '\0';  // the last block
    for (const size_t value : {len, ~len}) {
      stream += static_cast<char>(value & 0xFF);
      stream += static_cast<char>(value >> 8 & 0xFF);
    }
    stream.append(data, at, len);
    at += len;
  } while (at < data.size());
  uint32_t a = 1, b = 0;  // Adler-32
  for (const char c : data) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return stream + big_endian(b << 16 | a);
}

}  // namespace

std::string png_gray(size_t rows, size_t columns, const std::vector<double>& values) {
  const bool two = std::all_of(values.begin(), values.end(),
                               [](double value) { return value == 0 || value == 1; });
  const unsigned bits = two ? 1 : 4, most = (1u << bits) - 1;
  std::string lines;
  for (size_t row = 0; row < rows; ++row) {
    lines += '\0';  // no filter
    const size_t begin = lines.size();
    lines.resize(begin + (columns * bits + 7) / 8);
    for (size_t column = 0; column < columns; ++column) {
      const double value = values.at(row * columns + column);
      const double dark = value > 0 ? std::min(value, 1.0) : 0;  // NaN is white
      const auto level = static_cast<unsigned>(std::lround((1 - dark) * most));
      char& byte = lines[begin + column * bits / 8];
      byte = static_cast<char>(static_cast<unsigned char>(byte) |
                               level << (8 - bits - column * bits % 8));
    }
  }
  const std::string header = big_endian(static_cast<uint32_t>(columns)) +
                             big_endian(static_cast<uint32_t>(rows)) + static_cast<char>(bits) +
                             std::string(4, '\0');  // grey, deflate, filters, not interlaced
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", stored(lines)) +
         chunk("IEND", "");
}

std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t len = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < len ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) text += k <= len ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace incore::tools
