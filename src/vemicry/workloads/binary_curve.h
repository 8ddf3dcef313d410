// Binary fields, and curves y^2 + xy = x^3 + a x^2 + b over them, computed with plainly: what
// programs are checked against. Points are affine, one is added to another by the textbook's
// formulas.
#pragma once

#include "vemicry/workloads/numbers.h"

namespace incore::vemicry {

// A number from hexadecimal digits.
Number number(const char* hex, size_t num_words);

// GF(2^degree), modulo f = x^degree + x^middle + 1. Elements have words() words.
struct BinaryField {
  uint32_t degree, middle;

  constexpr size_t words() const { return (degree + 31) / 32; }
  Number f() const;
  Number multiply(const Number& a, const Number& b) const;
  Number inverse(const Number& a) const;  // 0 for 0
  Number square_root(const Number& a) const;
};

struct BinaryCurve {
  const BinaryField& field;
  const char *a, *b, *x, *y, *order;  // (x, y) is the base point, |order| that of its multiples
};

// The x of k times the base point; 0 if it is the point at infinity.
Number multiple_of_base_point(const BinaryCurve& curve, const Number& k);

inline constexpr BinaryField kField191 = {191, 9}, kField233 = {233, 74};

// ANSI X9.62's c2tnb191v1; FIPS 186-4's B-233 and K-233.
inline constexpr BinaryCurve kCurve191 = {kField191,
                                          "2866537b676752636a68f56554e12640276b649ef7526267",
                                          "2e45ef571f00786f67b0081b9495a3d95462f5de0aa185ec",
                                          "36b3daf8a23206f9c4f299d7b21a9c369137f2c84ae1aa0d",
                                          "765be73433b3f95e332932e70ea245ca2418ea0ef98018fb",
                                          "40000000000000000000000004a20e90c39067c893bbb9a5"};
inline constexpr BinaryCurve kCurveB233 = {
    kField233,
    "1",
    "66647ede6c332c7f8c0923bb58213b333b20e9ce4281fe115f7d8f90ad",
    "fac9dfcbac8313bb2139f1bb755fef65bc391f8b36f8f8eb7371fd558b",
    "1006a08a41903350678e58528bebf8a0beff867a7ca36716f7e01f81052",
    "1000000000000000000000000000013e974e72f8a6922031d2603cfe0d7"};
inline constexpr BinaryCurve kCurveK233 = {
    kField233,
    "0",
    "1",
    "17232ba853a7e731af129f22ff4149563a419c26bf50a4c9d6eefad6126",
    "1db537dece819b7f70f555a67c427a8cd9bf18aeb9b56e0c11056fae6a3",
    "8000000000000000000000000000069d5bb915bcd46efb1ad5f173abdf"};

}  // namespace incore::vemicry
