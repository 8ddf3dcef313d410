// Numbers and polynomials that workloads put into memory, and Montgomery's products of them by
// their definitions: what programs are checked against. Words of 32 bits, lowest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "vemicry/config.h"

namespace incore::vemicry {

using Number = std::vector<uint32_t>;

// |bits| bits in |num_words| words.
Number random_number(size_t num_words, size_t bits, uint64_t* seed);

// ---- Polynomials over GF(2) ----

// The sum of x^e for each e of |exponents|, in as many words as a number below it has.
Number polynomial(std::initializer_list<uint32_t> exponents);
// N0: the inverse of |f| modulo x^(32 num_words); |f| has the term 1.
Number gf2_inverse(const Number& f, size_t num_words);
// a * b * x^(-32 M) mod f, for the M words of |f|.
Number gf2_montgomery_product(const Number& a, const Number& b, const Number& f);

// How a product takes the words of a: by 32 bits, by 64, or by 32 in registers that have no room
// for the word which a product adds.
enum class Reduction : uint8_t { by_32, by_64, by_32_without_room };

// Why a product of M words modulo |f|, of degree |degree|, is not possible so; empty if it is.
std::string gf2_refusal(const Number& f, size_t degree, Reduction reduction, uint32_t p);

// ---- Integers ----

// -1 / n modulo 2^32, for an odd |n|.
uint32_t minus_inverse(const Number& n);
// a * b / 2^(32 num_words) mod n, below n. |n| is odd, a and b below 2^(32 num_words).
Number montgomery_product(const Number& a, const Number& b, const Number& n, size_t num_words);
// 2^bits mod n, in as many words as |n| has.
Number power_of_2(size_t bits, const Number& n);
// base^exponent mod n.
Number power(const Number& base, const Number& exponent, const Number& n);
// 2^(32 num_words) - n.
Number complement(const Number& n, size_t num_words);
// How montmul.s works on numbers of |words| words with registers of |p| words.
struct MontmulForm {
  uint32_t place;   // words of a number's place in memory
  uint32_t r_bits;  // R = 2^r_bits
  uint32_t bound;   // a result is below so many times n, if the operands are below n
};
MontmulForm montmul_form(uint32_t words, uint32_t p);

// True if a < b.
bool is_below(const Number& a, const Number& b);

}  // namespace incore::vemicry
