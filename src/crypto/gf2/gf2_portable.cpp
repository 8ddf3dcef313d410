// Polynomials over GF(2) without carry-less instructions: integer products of words of which only
// every fourth bit may be set. At most eight products of bits meet in one place, so their sum stays
// within the four bits between two places, and its lowest bit is the sum over GF(2). No table, no
// branch; constant-time where the multiplier of the CPU is.
#include "base/wipe.h"
#include "crypto/gf2/gf2_kernel.h"

#define GF2_FUNCTION

namespace incore {
namespace {

uint64_t clmul32(uint32_t a, uint32_t b) {
  constexpr uint32_t kEveryFourth = 0x11111111;
  uint64_t product = 0;
  for (unsigned place = 0; place < 4; ++place) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < 4; ++i)
      sum ^= uint64_t{a & kEveryFourth << i} * (b & kEveryFourth << (place - i) % 4);
    product |= sum & (0x1111111111111111 << place);
  }
  return product;
}

struct Product {
  uint64_t low, high;
};

// Karatsuba on halves.
Product clmul(uint64_t a, uint64_t b) {
  const uint32_t a0 = static_cast<uint32_t>(a), a1 = static_cast<uint32_t>(a >> 32);
  const uint32_t b0 = static_cast<uint32_t>(b), b1 = static_cast<uint32_t>(b >> 32);
  const uint64_t low = clmul32(a0, b0), high = clmul32(a1, b1);
  const uint64_t middle = clmul32(a0 ^ a1, b0 ^ b1) ^ low ^ high;
  return {low ^ middle << 32, high ^ middle >> 32};
}

#include "crypto/gf2/gf2_words.h"

void choose(Gf2Field* field) {
  field->multiply = field_multiply_by_words;
  field->square = field_square_by_words;
  field->montmul = montmul_by_words;
}

}  // namespace

constinit const Gf2Kernel gf2_portable = {{"portable", FeatureSet()}, multiply_by_words, choose};

}  // namespace incore
