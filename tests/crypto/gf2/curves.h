// Elliptic curves over GF(2^m), y^2 + xy = x^3 + ax^2 + b, from tests/data/gf2/curves.txt: points
// that hold only if the field's arithmetic is right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace incore::test {

using Words = std::vector<uint64_t>;

struct Curve {
  std::string name;
  std::vector<unsigned> exponents;  // of the field's polynomial
  Words a, b, x, y, order;          // (x, y) is the generator; all of the field's size
};

// Throws if the file has a field that is not known, or no curve.
std::vector<Curve> load_curves();

// The |num_words| words of a big-endian hex number.
Words words_of_hex(const std::string& hex, size_t num_words);

Words random_words(size_t num_words, uint64_t seed);

}  // namespace incore::test
