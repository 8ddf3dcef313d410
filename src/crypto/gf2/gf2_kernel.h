// Polynomials over GF(2) and the fields GF(2^m): the record that a kernel exports, and the fields
// it works on. Words are those of gf2_steps.h: 64 coefficients each, lowest first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/kernel_choice.h"

namespace incore {

inline constexpr size_t kGf2MaxDegree = 571;  // the largest field of FIPS 186-4 and SEC 2
inline constexpr size_t kGf2MaxWords = 9;

struct Gf2Kernel;
struct Gf2Field;

// On elements of |words| words, reduced. |out| may be an operand. Time and addresses depend on the
// field alone.
using Gf2Binary = void(const Gf2Field& field, const uint64_t* a, const uint64_t* b, uint64_t* out);
using Gf2Unary = void(const Gf2Field& field, const uint64_t* a, uint64_t* out);

// Polynomials modulo f = x^degree + tail, with 2 <= degree <= kGf2MaxDegree and an odd tail. It is
// a field if f is irreducible, which is not asked. Elements have words = ceil(degree / 64) words;
// s = 64 * words - degree bits of the last are always 0.
struct Gf2Field {
  uint64_t tail[kGf2MaxWords + 1];   // the word behind the last is 0
  uint64_t f[kGf2MaxWords + 1];      // with x^degree, which may be in the word behind the last
  uint64_t r2[kGf2MaxWords];         // x^(128 * words) modulo f
  uint64_t r_inverse[kGf2MaxWords];  // x^(-64 * words) modulo f
  uint64_t f0_inverse;               // of f modulo x^64
  uint64_t last_mask;                // the bits of the last word that elements use
  unsigned degree, tail_degree, words;

  // Fields with a short tail: x^(64 * words) = folded modulo f, with folded = tail * x^s in one
  // word and 2 * deg(folded) < 64 * words. Otherwise folded is 0.
  uint64_t folded;
  unsigned s;
  // Trinomials x^m + x^k + 1 with 64 <= k, k + s < 128 and 2 * (k + s) < 64 * words, such as those
  // of the fields of 233 and 409 bits.
  bool is_trinomial;

  // What the kernel chose for this field.
  const Gf2Kernel* kernel;
  Gf2Binary* multiply;  // a * b modulo f
  Gf2Unary* square;     // a^2 modulo f
  Gf2Binary* montmul;   // a * b * x^(-64 * words) modulo f
};

struct Gf2Kernel {
  KernelInfo info;
  // out = a * b: 2 * |words| words, which may not overlap the operands; any number of them. Time
  // and addresses depend on |words| alone.
  void (*multiply)(const uint64_t* a, const uint64_t* b, size_t words, uint64_t* out);
  // Sets the functions of a field whose other members are set.
  void (*choose)(Gf2Field* field);
};

#define X(kernel) extern const Gf2Kernel gf2_##kernel;
#include "crypto/gf2/gf2_kernels.def"
#undef X

// KernelList::self_test.
bool gf2_self_test(const KernelInfo& kernel);

extern const KernelList gf2_kernel_list;

// The kernel that serves this process, chosen at the first call; null if INCORE_KERNEL is wrong.
const Gf2Kernel* gf2_kernel();

// Makes |out_field| from f, |f_bits| bits, of which the first and the last are set; 3 <= f_bits <=
// kGf2MaxDegree + 1. |f| has kGf2MaxWords + 1 words.
void gf2_set_field(const Gf2Kernel* kernel, const uint64_t* f, size_t f_bits, Gf2Field* out_field);

// out = a^(2^degree - 2), which is the inverse in a field if a is not 0. |out| may be |a|. Time and
// addresses depend on the field alone.
void gf2_inverse(const Gf2Field& field, const uint64_t* a, uint64_t* out);

}  // namespace incore
