#include "crypto/gf2/curves.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/bytes.h"
#include "support/hex.h"

namespace incore::test {

Words words_of_hex(const std::string& hex, size_t num_words) {
  std::string digits = hex;
  if (digits.size() > 16 * num_words) throw std::runtime_error("too long: " + hex);
  digits.insert(0, 16 * num_words - digits.size(), '0');
  const Bytes bytes = from_hex(digits);
  Words words(num_words);
  for (size_t i = 0; i < num_words; ++i) words[i] = load_be64(&bytes[8 * (num_words - 1 - i)]);
  return words;
}

Words random_words(size_t num_words, uint64_t seed) {
  const Bytes bytes = random_bytes(8 * num_words, seed);
  Words words(num_words);
  for (size_t i = 0; i < num_words; ++i) words[i] = load_le64(&bytes[8 * i]);
  return words;
}

std::vector<Curve> load_curves() {
  const std::string path = INCORE_TEST_DATA "/gf2/curves.txt";
  std::ifstream file(path);
  std::vector<Curve> curves;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream text(line);
    std::string field, value;
    if (!(text >> field) || field[0] == '#') continue;
    if (field == "curve") {
      curves.emplace_back();
      text >> curves.back().name;
      continue;
    }
    if (curves.empty()) throw std::runtime_error(path + ": no curve before " + line);
    Curve& curve = curves.back();
    if (field == "f") {
      for (unsigned e; text >> e;) curve.exponents.push_back(e);
      continue;
    }
    text >> value;
    const Words number = words_of_hex(value, (curve.exponents.at(0) + 63) / 64);
    if (field == "a") {
      curve.a = number;
    } else if (field == "b") {
      curve.b = number;
    } else if (field == "x") {
      curve.x = number;
    } else if (field == "y") {
      curve.y = number;
    } else if (field == "order") {
      curve.order = number;
    } else {
      throw std::runtime_error(path + ": unknown field in " + line);
    }
  }
  if (curves.empty()) throw std::runtime_error(path + ": no curves");
  return curves;
}

}  // namespace incore::test
