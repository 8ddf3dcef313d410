#include "support/file.h"

#include <fstream>
#include <iterator>

namespace incore::test {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<uint8_t> read_bytes(const std::string& path) {
  const std::string bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

}  // namespace incore::test
