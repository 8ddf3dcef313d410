// The C interface to XTS.
#include "incore/xts.h"

#include <new>

#include "base/equal.h"
#include "base/wipe.h"
#include "capi/overlap.h"
#include "crypto/clean/clean_call.h"
#include "crypto/xts/xts.h"

namespace incore {
namespace {

constexpr size_t kStack = 2304;  // see clean_call.h

struct Context {
  static constexpr uint64_t kSet = 0x59454B2D53545841;  // tells a key from other memory
  uint64_t tag;
  XtsKey key;
};
static_assert(sizeof(Context) <= sizeof(incore_xts_key));
static_assert(alignof(Context) <= alignof(incore_xts_key));

const Context* context_of(const incore_xts_key* key) {
  return std::launder(reinterpret_cast<const Context*>(key->opaque));
}

bool is_unit_len(size_t len) {
  return len >= kAesBlockLen && len <= INCORE_XTS_MAX_UNIT_LEN;
}

using CryptUnit = void (*)(const XtsKey& key, const uint8_t* tweak, const uint8_t* in, size_t len,
                           uint8_t* out);
using CryptUnits = void (*)(const XtsKey& key, uint64_t first_unit, size_t unit_len,
                            const uint8_t* in, size_t len, uint8_t* out);

incore_status checked(CryptUnit crypt, const incore_xts_key* key, const uint8_t* tweak,
                      const void* in, size_t len, void* out) {
  return clean_call(kStack, [=] {
    if (key == nullptr || tweak == nullptr || in == nullptr || out == nullptr)
      return INCORE_ERROR_NULL;
    if (context_of(key)->tag != Context::kSet) return INCORE_ERROR_STATE;
    if (!is_unit_len(len)) return INCORE_ERROR_LENGTH;
    if (overlap_wrongly(in, out, len) || overlap_either(tweak, kAesBlockLen, in, out, len))
      return INCORE_ERROR_OVERLAP;
    crypt(context_of(key)->key, tweak, static_cast<const uint8_t*>(in), len,
          static_cast<uint8_t*>(out));
    return INCORE_OK;
  });
}

incore_status checked(CryptUnits crypt, const incore_xts_key* key, uint64_t first_unit,
                      size_t unit_len, const void* in, size_t len, void* out) {
  return clean_call(kStack, [=] {
    if (key == nullptr || in == nullptr || out == nullptr) return INCORE_ERROR_NULL;
    if (context_of(key)->tag != Context::kSet) return INCORE_ERROR_STATE;
    if (!is_unit_len(unit_len) || len == 0) return INCORE_ERROR_LENGTH;
    const size_t last_len = (len - 1) % unit_len + 1;
    if (!is_unit_len(last_len)) return INCORE_ERROR_LENGTH;
    if ((len - 1) / unit_len > UINT64_MAX - first_unit) return INCORE_ERROR_RANGE;
    if (overlap_wrongly(in, out, len)) return INCORE_ERROR_OVERLAP;
    crypt(context_of(key)->key, first_unit, unit_len, static_cast<const uint8_t*>(in), len,
          static_cast<uint8_t*>(out));
    return INCORE_OK;
  });
}

}  // namespace
}  // namespace incore

using namespace incore;

incore_status incore_xts_key_set(incore_xts_key* out_key, const void* key, size_t key_len) {
  return clean_call(kStack, [=] {
    if (out_key == nullptr || key == nullptr) return INCORE_ERROR_NULL;
    if (key_len != 32 && key_len != 64) return INCORE_ERROR_KEY_LENGTH;
    const uint8_t* const bytes = static_cast<const uint8_t*>(key);
    if (equal_in_constant_time(bytes, bytes + key_len / 2, key_len / 2)) return INCORE_ERROR_RANGE;
    if (ranges_overlap(out_key, sizeof *out_key, key, key_len)) return INCORE_ERROR_OVERLAP;
    const AesKernel* kernel = aes_kernel();
    if (kernel == nullptr) return INCORE_ERROR_KERNEL;
    Context* context = new (out_key->opaque) Context;
    xts_set_key(*kernel, bytes, key_len, &context->key);
    context->tag = Context::kSet;
    return INCORE_OK;
  });
}

void incore_xts_key_wipe(incore_xts_key* key) {
  if (key != nullptr) wipe(*key);
}

incore_status incore_xts_encrypt(const incore_xts_key* key, const uint8_t* tweak, const void* in,
                                 size_t len, void* out) {
  return checked(xts_encrypt, key, tweak, in, len, out);
}

incore_status incore_xts_decrypt(const incore_xts_key* key, const uint8_t* tweak, const void* in,
                                 size_t len, void* out) {
  return checked(xts_decrypt, key, tweak, in, len, out);
}

incore_status incore_xts_encrypt_units(const incore_xts_key* key, uint64_t first_unit,
                                       size_t unit_len, const void* in, size_t len, void* out) {
  return checked(xts_encrypt_units, key, first_unit, unit_len, in, len, out);
}

incore_status incore_xts_decrypt_units(const incore_xts_key* key, uint64_t first_unit,
                                       size_t unit_len, const void* in, size_t len, void* out) {
  return checked(xts_decrypt_units, key, first_unit, unit_len, in, len, out);
}
