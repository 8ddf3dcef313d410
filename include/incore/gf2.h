/* Polynomials over GF(2): their products ("carry-less multiplication"), and arithmetic modulo a
 * polynomial f of degree 2 to 571, that is in the fields GF(2^m) of FIPS 186-4, SEC 2 and ANSI
 * X9.62, plain and in Montgomery's form.
 *
 * A polynomial is an array of 64-bit words; bit i of word j is the coefficient of x^(64j + i). An
 * element of a field of degree m is a polynomial of degree below m, in W = ceil(m / 64) words.
 *
 * Beyond the rules in incore/status.h:
 * - Time and memory accesses depend on lengths and on the field, never on operands; except that an
 *   operand that is not reduced is refused.
 * - Field functions work in place: |out| may be an operand, and the operands may be the same. Other
 *   overlap of |out| with an operand, or with the field: INCORE_ERROR_OVERLAP.
 * - Faults are looked for in this order: NULL, STATE, RANGE, OVERLAP. RANGE: an operand is not
 *   reduced, that is, it has a bit at or above the degree.
 * - A field is set by incore_gf2_field_set or incore_gf2_field_set_words; other functions answer
 *   INCORE_ERROR_STATE for one that is not. It holds no secret and need not be wiped. Using it does
 *   not change it: threads may share it. It may be copied with `=` or memcpy.
 */
#ifndef INCORE_GF2_H
#define INCORE_GF2_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INCORE_GF2_MAX_DEGREE 571
#define INCORE_GF2_MAX_WORDS 9 /* of an element */

#if defined(__GNUC__)
#define INCORE_GF2_ALIGNED __attribute__((aligned(16))) /* memory from malloc is */
#else
#define INCORE_GF2_ALIGNED
#endif

/* The polynomial f, and what makes computing modulo f fast. */
typedef struct incore_gf2_field {
  unsigned char opaque[512];
} INCORE_GF2_ALIGNED incore_gf2_field;

/* incore_gf2_kernel returns the name of the kernel that serves this process, such as "pclmul"; NULL
 * if INCORE_KERNEL is wrong. */
INCORE_API const char* incore_gf2_kernel(void);

/* incore_gf2_multiply writes the product of |a| and |b|, |num_words| words each, to |out|, which
 * takes 2 * |num_words| words and may not overlap |a| or |b| (INCORE_ERROR_OVERLAP). |a| and |b|
 * may be the same. INCORE_ERROR_LENGTH: more than SIZE_MAX / 16 words. INCORE_ERROR_KERNEL: the
 * environment variable INCORE_KERNEL is wrong. */
INCORE_API INCORE_NODISCARD incore_status incore_gf2_multiply(const uint64_t* a, const uint64_t* b,
                                                              size_t num_words, uint64_t* out);

/* incore_gf2_field_set makes |out_field| ready for f = the sum of x^e over the |num_exponents|
 * |exponents|: {191, 9, 0} is x^191 + x^9 + 1. INCORE_ERROR_RANGE: they do not fall from one to the
 * next, the first is not 2 to 571, or the last is not 0. INCORE_ERROR_KERNEL: the environment
 * variable INCORE_KERNEL is wrong. On failure an earlier field in |out_field| stays.
 *
 * Whether f is irreducible is not checked: if it is not, everything but the inverse still holds. */
INCORE_API INCORE_NODISCARD incore_status incore_gf2_field_set(incore_gf2_field* out_field,
                                                               const unsigned* exponents,
                                                               size_t num_exponents);

/* incore_gf2_field_set_words is incore_gf2_field_set for an f given by its |num_words| words, of
 * which the last may be 0. INCORE_ERROR_RANGE: its degree is not 2 to 571, or it lacks x^0. */
INCORE_API INCORE_NODISCARD incore_status incore_gf2_field_set_words(incore_gf2_field* out_field,
                                                                     const uint64_t* f,
                                                                     size_t num_words);

/* incore_gf2_field_degree returns the degree m of f; 0 if |field| is NULL or not set. */
INCORE_API unsigned incore_gf2_field_degree(const incore_gf2_field* field);

/* incore_gf2_field_multiply writes a * b modulo f to |out|. All are W words. */
INCORE_API INCORE_NODISCARD incore_status incore_gf2_field_multiply(const incore_gf2_field* field,
                                                                    const uint64_t* a,
                                                                    const uint64_t* b,
                                                                    uint64_t* out);

/* incore_gf2_field_square writes a^2 modulo f to |out|. Both are W words. */
INCORE_API INCORE_NODISCARD incore_status incore_gf2_field_square(const incore_gf2_field* field,
                                                                  const uint64_t* a, uint64_t* out);

/* incore_gf2_field_inverse writes the inverse of |a| modulo f to |out|, in about m squarings. Both
 * are W words. INCORE_ERROR_RANGE: |a| is not reduced or is 0, or f is not irreducible and a^(2^m -
 * 2) is not the inverse. */
INCORE_API INCORE_NODISCARD incore_status incore_gf2_field_inverse(const incore_gf2_field* field,
                                                                   const uint64_t* a,
                                                                   uint64_t* out);

/* incore_gf2_montmul writes a * b * x^(-64 * W) modulo f to |out|. All are W words. It is the
 * product of elements in Montgomery's form, which are the elements times x^(64 * W). */
INCORE_API INCORE_NODISCARD incore_status incore_gf2_montmul(const incore_gf2_field* field,
                                                             const uint64_t* a, const uint64_t* b,
                                                             uint64_t* out);

/* incore_gf2_to_mont and incore_gf2_from_mont bring |a| into Montgomery's form and back: |out| is
 * a * x^(64 * W) and a * x^(-64 * W) modulo f. Both are W words. */
INCORE_API INCORE_NODISCARD incore_status incore_gf2_to_mont(const incore_gf2_field* field,
                                                             const uint64_t* a, uint64_t* out);
INCORE_API INCORE_NODISCARD incore_status incore_gf2_from_mont(const incore_gf2_field* field,
                                                               const uint64_t* a, uint64_t* out);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_GF2_H */
