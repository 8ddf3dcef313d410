/* AES-CCM (SP 800-38C, RFC 3610): encryption and authentication of a text, and authentication of
 * data that stays in clear (AAD).
 *
 * Beyond the rules in incore/status.h:
 * - WARNING: a nonce must never serve two messages under one key: their texts could be read.
 * - |key| is an AES key, set by incore_aes_key_set, else INCORE_ERROR_STATE. It serves CCM alone.
 * - |nonce_len| is 7 to 13. It leaves 15 - |nonce_len| bytes for the length of the text: with 13,
 *   texts have at most 65535 bytes, with 12, 2^24 - 1. |aad| has any length. |tag_len| is 4, 6, 8,
 *   10, 12, 14 or 16; one chance in 2^(8 tag_len) is what a forger has. INCORE_ERROR_LENGTH for all
 *   others.
 * - Texts are processed in place (in == out). Other overlap of what is written with anything else:
 *   INCORE_ERROR_OVERLAP.
 * - Faults are looked for in this order: NULL, STATE, LENGTH, OVERLAP, then TAG.
 */
#ifndef INCORE_CCM_H
#define INCORE_CCM_H

#include <stddef.h>

#include "incore/aes.h"
#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* incore_ccm_encrypt encrypts the |len| bytes at |in| to |out| and writes the tag of |tag_len|
 * bytes to |out_tag|. Nonce and tag go with the message; |aad| is authenticated with it. */
INCORE_API INCORE_NODISCARD incore_status incore_ccm_encrypt(const incore_aes_key* key,
                                                             const void* nonce, size_t nonce_len,
                                                             const void* aad, size_t aad_len,
                                                             const void* in, size_t len, void* out,
                                                             void* out_tag, size_t tag_len);

/* incore_ccm_decrypt checks the tag of |tag_len| bytes first and writes the text of |len| bytes to
 * |out| only if it is right. INCORE_ERROR_TAG: key, nonce, aad, text, tag or the length of the tag
 * are not those of one message; |out| is untouched. */
INCORE_API INCORE_NODISCARD incore_status incore_ccm_decrypt(
    const incore_aes_key* key, const void* nonce, size_t nonce_len, const void* aad, size_t aad_len,
    const void* in, size_t len, const void* tag, size_t tag_len, void* out);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_CCM_H */
