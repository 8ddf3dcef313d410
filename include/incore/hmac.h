/* HMAC (FIPS 198-1) over SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512: a tag that shows that a
 * message was not changed; in pieces or in one call.
 *
 *   incore_hmac hmac;
 *   incore_hmac_start(&hmac, INCORE_SHA256, key, key_len);
 *   incore_hmac_update(&hmac, data, data_len);       // as often as there is data
 *   incore_hmac_final(&hmac, tag, sizeof tag);       // the context is used up and wiped
 *
 * Beyond the rules in incore/status.h:
 * - |key_len| is any number; as many bytes as the digest has are a good choice. |key| may be NULL
 *   if |key_len| is 0.
 * - |tag_len| is 4 to incore_sha_digest_len(algorithm): the first bytes of the tag, else
 *   INCORE_ERROR_LENGTH. Below 8, a forger who may try often will succeed.
 * - Compare tags by the functions named verify: their time does not depend on where tags differ.
 * - For many messages under one key, start once and copy: incore_hmac each = started;
 */
#ifndef INCORE_HMAC_H
#define INCORE_HMAC_H

#include <stddef.h>
#include <stdint.h>

#include "incore/sha.h"
#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One computation. It holds what the key was turned into, which is secret. May be copied as a
 * structure, which forks it. */
typedef struct incore_hmac {
  uint64_t opaque[96];
} incore_hmac;

/* incore_hmac_start starts |out_ctx| on an empty message. What the context held before does not
 * matter. INCORE_ERROR_ALGORITHM: there is no such algorithm. INCORE_ERROR_KERNEL: the environment
 * variable INCORE_KERNEL is wrong. INCORE_ERROR_LENGTH: the key is longer than a message may be.
 * INCORE_ERROR_OVERLAP: |out_ctx| overlaps |key|. */
INCORE_API INCORE_NODISCARD incore_status incore_hmac_start(incore_hmac* out_ctx,
                                                            incore_sha_algorithm algorithm,
                                                            const void* key, size_t key_len);

/* incore_hmac_update appends |data_len| bytes to the message. INCORE_ERROR_LENGTH: the message
 * would become too long (see incore_sha_update); it is unchanged. INCORE_ERROR_STATE: the context
 * was not started, or is used up. */
INCORE_API INCORE_NODISCARD incore_status incore_hmac_update(incore_hmac* ctx, const void* data,
                                                             size_t data_len);

/* incore_hmac_final writes the tag of the message and wipes |ctx|, which then needs
 * incore_hmac_start again. INCORE_ERROR_STATE as for incore_hmac_update. After a failure the
 * context goes on. */
INCORE_API INCORE_NODISCARD incore_status incore_hmac_final(incore_hmac* ctx, void* out_tag,
                                                            size_t tag_len);

/* incore_hmac_verify ends the message as incore_hmac_final does and compares its tag with |tag|.
 * INCORE_ERROR_TAG: they differ; the context is used up then, too. */
INCORE_API INCORE_NODISCARD incore_status incore_hmac_verify(incore_hmac* ctx, const void* tag,
                                                             size_t tag_len);

/* incore_hmac_wipe clears |ctx|. Needed only where neither incore_hmac_final nor incore_hmac_verify
 * ended the message. */
INCORE_API void incore_hmac_wipe(incore_hmac* ctx);

/* incore_hmac_tag writes the tag of one message: start, update and final in one. */
INCORE_API INCORE_NODISCARD incore_status incore_hmac_tag(incore_sha_algorithm algorithm,
                                                          const void* key, size_t key_len,
                                                          const void* data, size_t data_len,
                                                          void* out_tag, size_t tag_len);

/* incore_hmac_verify_tag compares the tag of one message with |tag|: start, update and verify in
 * one. INCORE_ERROR_TAG: they differ. */
INCORE_API INCORE_NODISCARD incore_status incore_hmac_verify_tag(incore_sha_algorithm algorithm,
                                                                 const void* key, size_t key_len,
                                                                 const void* data, size_t data_len,
                                                                 const void* tag, size_t tag_len);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_HMAC_H */
