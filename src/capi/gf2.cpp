// incore/gf2.h over the gf2 kernels: checks arguments, and reads polynomials.
#include "incore/gf2.h"

#include <new>

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/clean/clean_call.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/gf2/gf2_steps.h"

namespace incore {
namespace {

constexpr size_t kStack = 1344, kProductStack = 896;  // see clean_call.h

// Tells a field that is set from memory that is not.
constexpr uint64_t kFieldTag = 0x444C4946324647A5;

struct FieldContext {
  uint64_t tag;
  Gf2Field field;
};
static_assert(sizeof(FieldContext) <= sizeof(incore_gf2_field));
static_assert(alignof(FieldContext) <= alignof(incore_gf2_field));
static_assert(kGf2MaxDegree == INCORE_GF2_MAX_DEGREE && kGf2MaxWords == INCORE_GF2_MAX_WORDS);

const FieldContext* context_of(const incore_gf2_field* field) {
  return std::launder(reinterpret_cast<const FieldContext*>(field->opaque));
}

bool is_set(const incore_gf2_field* field) {
  return context_of(field)->tag == kFieldTag;
}

bool is_reduced(const Gf2Field& field, const uint64_t* a) {
  return (a[field.words - 1] & ~field.last_mask) == 0;
}

// True if the |len| bytes at |a| and those at |out| overlap without being the same; one comparison,
// as it is made for every product.
bool overlap_wrongly(const uint64_t* a, const uint64_t* out, size_t len) {
  const uintptr_t distance = reinterpret_cast<uintptr_t>(out) - reinterpret_cast<uintptr_t>(a);
  return distance != 0 && distance + len - 1 < 2 * len - 1;
}

// What all functions on a field ask; |b| may be |a|. Inline, as a product takes few cycles more
// than the questions.
__attribute__((always_inline)) inline incore_status check(const incore_gf2_field* field,
                                                          const uint64_t* a, const uint64_t* b,
                                                          const uint64_t* out) {
  if (field == nullptr || a == nullptr || b == nullptr || out == nullptr) return INCORE_ERROR_NULL;
  if (!is_set(field)) return INCORE_ERROR_STATE;
  const Gf2Field& f = context_of(field)->field;
  if (!is_reduced(f, a) || !is_reduced(f, b)) return INCORE_ERROR_RANGE;
  const size_t len = f.words * sizeof *a;
  if (overlap_wrongly(a, out, len) || overlap_wrongly(b, out, len) ||
      ranges_overlap(field, sizeof *field, out, len))
    return INCORE_ERROR_OVERLAP;
  return INCORE_OK;
}

// f has kGf2MaxWords + 1 words, a degree that is allowed, and the coefficient x^0.
incore_status set(incore_gf2_field* out_field, const uint64_t* f, size_t f_bits) {
  const Gf2Kernel* kernel = gf2_kernel();
  if (kernel == nullptr) return INCORE_ERROR_KERNEL;
  FieldContext* context = new (out_field->opaque) FieldContext;
  gf2_set_field(kernel, f, f_bits, &context->field);
  context->tag = kFieldTag;
  return INCORE_OK;
}

constexpr uint64_t kOne[kGf2MaxWords] = {1};

}  // namespace
}  // namespace incore

using namespace incore;

const char* incore_gf2_kernel(void) {
  const Gf2Kernel* kernel = gf2_kernel();
  return kernel == nullptr ? nullptr : kernel->info.name;
}

incore_status incore_gf2_multiply(const uint64_t* a, const uint64_t* b, size_t num_words,
                                  uint64_t* out) {
  if (num_words == 0) return INCORE_OK;
  if (a == nullptr || b == nullptr || out == nullptr) return INCORE_ERROR_NULL;
  if (num_words > SIZE_MAX / 16) return INCORE_ERROR_LENGTH;
  const size_t len = num_words * sizeof *a;
  if (ranges_overlap(a, len, out, 2 * len) || ranges_overlap(b, len, out, 2 * len))
    return INCORE_ERROR_OVERLAP;
  const Gf2Kernel* kernel = gf2_kernel();
  if (kernel == nullptr) return INCORE_ERROR_KERNEL;
  kernel->multiply(a, b, num_words, out);
  return clear_behind(INCORE_OK, kProductStack);
}

incore_status incore_gf2_field_set(incore_gf2_field* out_field, const unsigned* exponents,
                                   size_t num_exponents) {
  if (out_field == nullptr || exponents == nullptr) return INCORE_ERROR_NULL;
  if (num_exponents < 2 || exponents[0] < 2 || exponents[0] > kGf2MaxDegree)
    return INCORE_ERROR_RANGE;
  uint64_t f[kGf2MaxWords + 1] = {};
  for (size_t i = 0; i < num_exponents; ++i) {
    if (i != 0 && exponents[i] >= exponents[i - 1]) return INCORE_ERROR_RANGE;
    gf2::flip(f, exponents[i]);
  }
  if (gf2::bit(f, 0) == 0) return INCORE_ERROR_RANGE;
  return set(out_field, f, exponents[0] + 1);
}

incore_status incore_gf2_field_set_words(incore_gf2_field* out_field, const uint64_t* f,
                                         size_t num_words) {
  if (out_field == nullptr || f == nullptr) return INCORE_ERROR_NULL;
  while (num_words != 0 && f[num_words - 1] == 0) --num_words;
  if (num_words == 0 || num_words > kGf2MaxWords || gf2::bit(f, 0) == 0) return INCORE_ERROR_RANGE;
  const size_t f_bits = gf2::num_bits(f, num_words);
  if (f_bits < 3 || f_bits > kGf2MaxDegree + 1) return INCORE_ERROR_RANGE;
  uint64_t own_f[kGf2MaxWords + 1] = {};
  for (size_t i = 0; i < num_words; ++i) own_f[i] = f[i];
  return set(out_field, own_f, f_bits);
}

unsigned incore_gf2_field_degree(const incore_gf2_field* field) {
  return field == nullptr || !is_set(field) ? 0 : context_of(field)->field.degree;
}

incore_status incore_gf2_field_multiply(const incore_gf2_field* field, const uint64_t* a,
                                        const uint64_t* b, uint64_t* out) {
  const incore_status status = check(field, a, b, out);
  if (status != INCORE_OK) return status;
  const Gf2Field& f = context_of(field)->field;
  f.multiply(f, a, b, out);
  return clear_behind(INCORE_OK, kProductStack);
}

incore_status incore_gf2_field_square(const incore_gf2_field* field, const uint64_t* a,
                                      uint64_t* out) {
  const incore_status status = check(field, a, a, out);
  if (status != INCORE_OK) return status;
  const Gf2Field& f = context_of(field)->field;
  f.square(f, a, out);
  return clear_behind(INCORE_OK, kProductStack);
}

incore_status incore_gf2_field_inverse(const incore_gf2_field* field, const uint64_t* a,
                                       uint64_t* out) {
  return clean_call(kStack, [=] {
    const incore_status status = check(field, a, a, out);
    if (status != INCORE_OK) return status;
    const Gf2Field& f = context_of(field)->field;
    uint64_t inverse[kGf2MaxWords], product[kGf2MaxWords];
    gf2_inverse(f, a, inverse);
    f.multiply(f, a, inverse, product);
    uint64_t difference = 0;
    for (size_t i = 0; i < f.words; ++i) difference |= product[i] ^ kOne[i];
    if (difference == 0) std::memcpy(out, inverse, f.words * sizeof *out);
    wipe(inverse);
    wipe(product);
    return difference == 0 ? INCORE_OK : INCORE_ERROR_RANGE;
  });
}

incore_status incore_gf2_montmul(const incore_gf2_field* field, const uint64_t* a,
                                 const uint64_t* b, uint64_t* out) {
  const incore_status status = check(field, a, b, out);
  if (status != INCORE_OK) return status;
  const Gf2Field& f = context_of(field)->field;
  f.montmul(f, a, b, out);
  return clear_behind(INCORE_OK, kProductStack);
}

incore_status incore_gf2_to_mont(const incore_gf2_field* field, const uint64_t* a, uint64_t* out) {
  const incore_status status = check(field, a, a, out);
  if (status != INCORE_OK) return status;
  const Gf2Field& f = context_of(field)->field;
  f.montmul(f, a, f.r2, out);
  return clear_behind(INCORE_OK, kProductStack);
}

incore_status incore_gf2_from_mont(const incore_gf2_field* field, const uint64_t* a,
                                   uint64_t* out) {
  const incore_status status = check(field, a, a, out);
  if (status != INCORE_OK) return status;
  const Gf2Field& f = context_of(field)->field;
  f.montmul(f, a, kOne, out);
  return clear_behind(INCORE_OK, kProductStack);
}
