// Montgomery products in binary fields for tests: operands, calls, and elements as the reference
// has them.
#pragma once

#include "vemicry/montgomery_testing.h"

namespace incore::test {

constexpr uint32_t kGf2A = Program::kData, kGf2B = kGf2A + 0x400, kGf2F = kGf2A + 0x800,
                   kGf2Result = kGf2A + 0xC00;

// Calls |function| of |program|; the reduction by 32 bits ignores the high word of N0.
template <class Visit>
Number gf2_product(Program& program, const std::string& function, const Number& a, const Number& b,
                   const Number& f, vemicry::Outcome* out_outcome, Visit&& visit) {
  const Number n0 = vemicry::gf2_inverse(f, 2);
  program.write(kGf2A, a);
  program.write(kGf2B, b);
  program.write(kGf2F, f);
  *out_outcome = program.call(
      function, {kGf2A, kGf2B, kGf2F, kGf2Result, static_cast<uint32_t>(f.size()), n0[0], n0[1]},
      visit);
  return program.read(kGf2Result, f.size());
}
inline Number gf2_product(Program& program, const std::string& function, const Number& a,
                          const Number& b, const Number& f) {
  vemicry::Outcome outcome;
  return gf2_product(program, function, a, b, f, &outcome, [](const vemicry::Step&) {});
}

inline const Number kF191 = vemicry::polynomial({191, 9, 0});

struct Routine {
  const char* file;
  const char* function;
};
// All routines for six words.
constexpr Routine kRoutines191[] = {{"gf2_product.s", "gf2_191_product"},
                                    {"gf2_product.s", "gf2_191_product_whole"},
                                    {"gf2_product.s", "gf2_191_product_wait"},
                                    {"gf2_product.s", "gf2_191_product_rolled"},
                                    {"gf2_product.s", "gf2_191_product_64"},
                                    {"gf2_product.s", "gf2_191_product_64_rolled"},
                                    {"gf2_product_best.s", "gf2_191_product_best"},
                                    {"gf2_product_best.s", "gf2_191_product_64_best"},
                                    {"scalar_asm_gf2_product.s", "scalar_gf2_191_product"}};
// And for eight words in registers of eight.
constexpr Routine kRoutines256[] = {{"gf2_product.s", "gf2_256_product"},
                                    {"gf2_product_best.s", "gf2_256_product_best"}};

}  // namespace incore::test
