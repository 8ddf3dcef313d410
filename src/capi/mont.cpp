// incore/mont.h over the kernels of Montgomery multiplication: checks arguments, and turns bytes
// into words.
#include "incore/mont.h"

#include <new>

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/clean/clean_call.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/mont/mont_words.h"

namespace incore {
namespace {

constexpr size_t kStack = 576, kPowerStack = 2432;  // see clean_call.h

constexpr uint64_t kTag = 0x544E4F4D2D434E49;  // tells a context that is set from one that is not
constexpr size_t kAlignment = 64;

struct Context {
  uint64_t tag;
  const MontKernel* kernel;
  void* workspace;
  size_t workspace_len;
  size_t modulus_len;
  MontModulus modulus;
  uint64_t* x;  // two numbers
  uint64_t* y;
  uint64_t* scratch;

  void mul(uint64_t* out, const uint64_t* a, const uint64_t* b) const {
    kernel->mul(out, a, b, modulus, scratch);
  }
  bool touches(const void* p, size_t len) const {
    return ranges_overlap(p, len, workspace, workspace_len) ||
           ranges_overlap(p, len, this, sizeof *this);
  }
  // Clears the numbers of the last call. The scratch of a power is cleared by mont_power().
  void wipe_numbers() const {
    const size_t words = modulus.words;
    wipe(x, (2 * mont_aligned_words(words) + mont_mul_scratch_words(words)) * sizeof *x);
  }
};
static_assert(sizeof(Context) <= sizeof(incore_mont) && alignof(Context) <= alignof(incore_mont));
static_assert(INCORE_MONT_MIN_BITS == kMontMinBits && INCORE_MONT_MAX_BITS == kMontMaxBits);

Context* context_of(incore_mont* mont) {
  return std::launder(reinterpret_cast<Context*>(mont->opaque));
}
const Context* context_of(const incore_mont* mont) {
  return std::launder(reinterpret_cast<const Context*>(mont->opaque));
}

size_t scratch_words(size_t words) {
  const size_t for_mul = mont_mul_scratch_words(words), for_power = mont_power_scratch_words(words);
  return for_mul > for_power ? for_mul : for_power;
}

size_t bits_of(const uint8_t* number, size_t len) {
  return 8 * len - static_cast<size_t>(__builtin_clz(number[0]) - 24);
}

bool wrong_overlap(const void* out, const void* in, size_t len) {
  return out != in && ranges_overlap(out, len, in, len);
}

// NULL and STATE, which all functions ask first.
incore_status check(const incore_mont* mont, bool pointers_given) {
  if (mont == nullptr || !pointers_given) return INCORE_ERROR_NULL;
  return context_of(mont)->tag == kTag ? INCORE_OK : INCORE_ERROR_STATE;
}

}  // namespace
}  // namespace incore

using namespace incore;

const char* incore_mont_kernel(void) {
  const MontKernel* kernel = mont_kernel();
  return kernel == nullptr ? nullptr : kernel->info.name;
}

size_t incore_mont_workspace_len(size_t modulus_bits) {
  if (modulus_bits < kMontMinBits || modulus_bits > kMontMaxBits) return 0;
  const size_t words = mont_words_of_bits(modulus_bits);
  return (4 * mont_aligned_words(words) + scratch_words(words)) * sizeof(uint64_t) + kAlignment;
}

incore_status incore_mont_set(incore_mont* out_mont, const uint8_t* modulus, size_t modulus_len,
                              void* workspace, size_t workspace_len) {
  return clean_call(kStack, [=] {
    if (out_mont == nullptr || modulus == nullptr || workspace == nullptr) return INCORE_ERROR_NULL;
    if (modulus_len == 0) return INCORE_ERROR_LENGTH;
    if (ranges_overlap(modulus, modulus_len, workspace, workspace_len) ||
        ranges_overlap(out_mont, sizeof *out_mont, workspace, workspace_len) ||
        ranges_overlap(out_mont, sizeof *out_mont, modulus, modulus_len))
      return INCORE_ERROR_OVERLAP;
    if (modulus[0] == 0 || modulus[modulus_len - 1] % 2 == 0 || modulus_len > kMontMaxBits / 8 ||
        bits_of(modulus, modulus_len) < kMontMinBits)
      return INCORE_ERROR_RANGE;
    const size_t bits = bits_of(modulus, modulus_len);
    if (workspace_len < incore_mont_workspace_len(bits)) return INCORE_ERROR_LENGTH;
    const MontKernel* kernel = mont_kernel();
    if (kernel == nullptr) return INCORE_ERROR_KERNEL;

    // An earlier modulus may have been longer. A workspace that |out_mont| may remember is not
    // touched: the caller need not have initialised it.
    wipe(workspace, workspace_len);
    const uintptr_t address = reinterpret_cast<uintptr_t>(workspace);
    const size_t gap = (kAlignment - address % kAlignment) % kAlignment;
    auto* const m = reinterpret_cast<uint64_t*>(static_cast<uint8_t*>(workspace) + gap);
    const size_t words = mont_words_of_bits(bits), stride = mont_aligned_words(words);
    uint64_t* const rr = m + stride;
    words_from_bytes(m, words, modulus, modulus_len);
    const auto* const c =
        new (out_mont) Context{kTag,          kernel,          workspace,
                               workspace_len, modulus_len,     {m, rr, mont_m_prime(m[0]), words},
                               rr + stride,   rr + 2 * stride, rr + 3 * stride};
    mont_compute_rr(*kernel, c->modulus, bits, rr, c->scratch);
    return INCORE_OK;
  });
}

void incore_mont_wipe(incore_mont* mont) {
  if (mont == nullptr) return;
  if (context_of(mont)->tag == kTag)
    wipe(context_of(mont)->workspace, context_of(mont)->workspace_len);
  wipe(*mont);
}

size_t incore_mont_num_words(const incore_mont* mont) {
  return check(mont, true) == INCORE_OK ? context_of(mont)->modulus.words : 0;
}

incore_status incore_mont_mul(incore_mont* mont, const uint64_t* a, const uint64_t* b,
                              uint64_t* out_product) {
  return clean_call(kStack, [=] {
    const incore_status status =
        check(mont, a != nullptr && b != nullptr && out_product != nullptr);
    if (status != INCORE_OK) return status;
    const Context& c = *context_of(mont);
    const size_t len = c.modulus.words * sizeof(uint64_t);
    if (wrong_overlap(out_product, a, len) || wrong_overlap(out_product, b, len) ||
        c.touches(a, len) || c.touches(b, len) || c.touches(out_product, len))
      return INCORE_ERROR_OVERLAP;
    if ((words_less(a, c.modulus.m, c.modulus.words) &
         words_less(b, c.modulus.m, c.modulus.words)) == 0)
      return INCORE_ERROR_RANGE;
    c.mul(out_product, a, b);
    return INCORE_OK;
  });
}

incore_status incore_mont_enter(incore_mont* mont, const uint8_t* number, size_t number_len,
                                uint64_t* out_form) {
  return clean_call(kStack, [=] {
    const incore_status status =
        check(mont, (number != nullptr || number_len == 0) && out_form != nullptr);
    if (status != INCORE_OK) return status;
    const Context& c = *context_of(mont);
    const size_t len = c.modulus.words * sizeof(uint64_t);
    if (number_len > c.modulus_len) return INCORE_ERROR_LENGTH;
    if (ranges_overlap(number, number_len, out_form, len) || c.touches(number, number_len) ||
        c.touches(out_form, len))
      return INCORE_ERROR_OVERLAP;
    words_from_bytes(c.x, c.modulus.words, number, number_len);
    const bool below = words_less(c.x, c.modulus.m, c.modulus.words) != 0;
    if (below) c.mul(out_form, c.x, c.modulus.rr);
    c.wipe_numbers();
    return below ? INCORE_OK : INCORE_ERROR_RANGE;
  });
}

incore_status incore_mont_leave(incore_mont* mont, const uint64_t* form, uint8_t* out_number,
                                size_t out_number_len) {
  return clean_call(kStack, [=] {
    const incore_status status = check(mont, form != nullptr && out_number != nullptr);
    if (status != INCORE_OK) return status;
    const Context& c = *context_of(mont);
    const size_t len = c.modulus.words * sizeof(uint64_t);
    if (out_number_len != c.modulus_len) return INCORE_ERROR_LENGTH;
    if (ranges_overlap(form, len, out_number, out_number_len) || c.touches(form, len) ||
        c.touches(out_number, out_number_len))
      return INCORE_ERROR_OVERLAP;
    if (words_less(form, c.modulus.m, c.modulus.words) == 0) return INCORE_ERROR_RANGE;
    words_set(c.y, 1, c.modulus.words);
    c.mul(c.x, form, c.y);
    words_to_bytes(out_number, out_number_len, c.x);
    c.wipe_numbers();
    return INCORE_OK;
  });
}

incore_status incore_mont_exp(incore_mont* mont, const uint8_t* base, size_t base_len,
                              const uint8_t* exponent, size_t exponent_len, uint8_t* out_result,
                              size_t out_result_len) {
  return clean_call(kPowerStack, [=] {
    const incore_status status =
        check(mont, (base != nullptr || base_len == 0) &&
                        (exponent != nullptr || exponent_len == 0) && out_result != nullptr);
    if (status != INCORE_OK) return status;
    const Context& c = *context_of(mont);
    if (base_len > c.modulus_len || out_result_len != c.modulus_len ||
        exponent_len > SIZE_MAX / 8 - 8)
      return INCORE_ERROR_LENGTH;
    if (c.touches(base, base_len) || c.touches(exponent, exponent_len) ||
        c.touches(out_result, out_result_len))
      return INCORE_ERROR_OVERLAP;
    words_from_bytes(c.x, c.modulus.words, base, base_len);
    const bool below = words_less(c.x, c.modulus.m, c.modulus.words) != 0;
    if (below) {
      const MontPower power = {&c.modulus, c.x, exponent, exponent_len, c.x, false};
      mont_power(*c.kernel, &power, 1, c.scratch);
      words_to_bytes(out_result, out_result_len, c.x);
    }
    c.wipe_numbers();
    return below ? INCORE_OK : INCORE_ERROR_RANGE;
  });
}
