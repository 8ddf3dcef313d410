// The C interface to CCM.
#include "incore/ccm.h"

#include "capi/aes_key.h"
#include "capi/overlap.h"
#include "crypto/ccm/ccm.h"
#include "crypto/clean/clean_call.h"

namespace incore {
namespace {

constexpr size_t kStack = 2048;  // see clean_call.h

incore_status check(const incore_aes_key* key, const void* nonce, size_t nonce_len, const void* aad,
                    size_t aad_len, const void* in, size_t len, const void* out, const void* tag,
                    size_t tag_len) {
  if (key == nullptr || (nonce == nullptr && nonce_len != 0) || (tag == nullptr && tag_len != 0) ||
      (aad == nullptr && aad_len != 0) || (len != 0 && (in == nullptr || out == nullptr)))
    return INCORE_ERROR_NULL;
  if (!is_set(key)) return INCORE_ERROR_STATE;
  if (nonce_len < 7 || nonce_len > 13 || tag_len < 4 || tag_len > 16 || tag_len % 2 != 0 ||
      !ccm_length_fits(nonce_len, len))
    return INCORE_ERROR_LENGTH;
  if (overlap_wrongly(in, out, len) || ranges_overlap(nonce, nonce_len, out, len) ||
      ranges_overlap(aad, aad_len, out, len) || ranges_overlap(tag, tag_len, out, len))
    return INCORE_ERROR_OVERLAP;
  return INCORE_OK;
}

CcmHead head_of(const void* nonce, size_t nonce_len, const void* aad, size_t aad_len,
                size_t tag_len) {
  return {static_cast<const uint8_t*>(nonce), nonce_len, static_cast<const uint8_t*>(aad), aad_len,
          tag_len};
}

}  // namespace
}  // namespace incore

using namespace incore;

incore_status incore_ccm_encrypt(const incore_aes_key* key, const void* nonce, size_t nonce_len,
                                 const void* aad, size_t aad_len, const void* in, size_t len,
                                 void* out, void* out_tag, size_t tag_len) {
  return clean_call(kStack, [=] {
    const incore_status status =
        check(key, nonce, nonce_len, aad, aad_len, in, len, out, out_tag, tag_len);
    if (status != INCORE_OK) return status;
    if (ranges_overlap(out_tag, tag_len, in, len) ||
        ranges_overlap(out_tag, tag_len, nonce, nonce_len) ||
        ranges_overlap(out_tag, tag_len, aad, aad_len))
      return INCORE_ERROR_OVERLAP;
    ccm_encrypt(context_of(key)->forward, head_of(nonce, nonce_len, aad, aad_len, tag_len),
                static_cast<const uint8_t*>(in), len, static_cast<uint8_t*>(out),
                static_cast<uint8_t*>(out_tag));
    return INCORE_OK;
  });
}

incore_status incore_ccm_decrypt(const incore_aes_key* key, const void* nonce, size_t nonce_len,
                                 const void* aad, size_t aad_len, const void* in, size_t len,
                                 const void* tag, size_t tag_len, void* out) {
  return clean_call(kStack, [=] {
    const incore_status status =
        check(key, nonce, nonce_len, aad, aad_len, in, len, out, tag, tag_len);
    if (status != INCORE_OK) return status;
    const AesKey& k = context_of(key)->forward;
    const CcmHead head = head_of(nonce, nonce_len, aad, aad_len, tag_len);
    const uint8_t* const ciphertext = static_cast<const uint8_t*>(in);
    if (!ccm_verify(k, head, ciphertext, len, static_cast<const uint8_t*>(tag)))
      return INCORE_ERROR_TAG;
    ccm_decrypt(k, head, ciphertext, len, static_cast<uint8_t*>(out));
    return INCORE_OK;
  });
}
