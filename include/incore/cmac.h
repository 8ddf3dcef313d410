/* CMAC (SP 800-38B, RFC 4493) with AES: a tag that shows that a message was not changed; in pieces
 * or in one call. And CBC-MAC (ISO 9797-1 algorithm 1), for what still needs it.
 *
 *   incore_cmac cmac;
 *   incore_cmac_start(&cmac);
 *   incore_cmac_update(&cmac, &key, data, data_len);   // as often as there is data
 *   incore_cmac_final(&cmac, &key, tag, sizeof tag);   // the context is used up and wiped
 *
 * Beyond the rules in incore/status.h:
 * - |key| is an AES key, set by incore_aes_key_set, else INCORE_ERROR_STATE. Every call for a
 *   message takes the same key.
 * - |tag_len| is 4 to 16, the first bytes of the tag, else INCORE_ERROR_LENGTH. Below 8, a forger
 *   who may try often will succeed.
 * - Compare tags by the functions named verify: their time does not depend on where tags differ.
 */
#ifndef INCORE_CMAC_H
#define INCORE_CMAC_H

#include <stddef.h>
#include <stdint.h>

#include "incore/aes.h"
#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INCORE_CMAC_TAG_LEN 16

/* One computation. It does not hold the key. May be copied as a structure, which forks it. */
typedef struct incore_cmac {
  uint64_t opaque[4];
} incore_cmac;

/* incore_cmac_start starts |out_ctx| on an empty message. */
INCORE_API INCORE_NODISCARD incore_status incore_cmac_start(incore_cmac* out_ctx);

/* incore_cmac_update appends |data_len| bytes, any number, to the message. INCORE_ERROR_STATE: key
 * not set, or the context not started or used up. */
INCORE_API INCORE_NODISCARD incore_status incore_cmac_update(incore_cmac* ctx,
                                                             const incore_aes_key* key,
                                                             const void* data, size_t data_len);

/* incore_cmac_final writes the tag of the message and wipes |ctx|, which then needs
 * incore_cmac_start again. INCORE_ERROR_STATE as for incore_cmac_update. After a failure the
 * context goes on. */
INCORE_API INCORE_NODISCARD incore_status incore_cmac_final(incore_cmac* ctx,
                                                            const incore_aes_key* key,
                                                            void* out_tag, size_t tag_len);

/* incore_cmac_verify ends the message as incore_cmac_final does and compares its tag with |tag|.
 * INCORE_ERROR_TAG: they differ; the context is used up then, too. */
INCORE_API INCORE_NODISCARD incore_status incore_cmac_verify(incore_cmac* ctx,
                                                             const incore_aes_key* key,
                                                             const void* tag, size_t tag_len);

/* incore_cmac_wipe clears |ctx|. Needed only where neither incore_cmac_final nor incore_cmac_verify
 * ended the message. */
INCORE_API void incore_cmac_wipe(incore_cmac* ctx);

/* incore_cmac_tag writes the tag of one message: start, update and final in one. */
INCORE_API INCORE_NODISCARD incore_status incore_cmac_tag(const incore_aes_key* key,
                                                          const void* data, size_t data_len,
                                                          void* out_tag, size_t tag_len);

/* incore_cmac_verify_tag compares the tag of one message with |tag|: start, update and verify in
 * one. INCORE_ERROR_TAG: they differ. */
INCORE_API INCORE_NODISCARD incore_status incore_cmac_verify_tag(const incore_aes_key* key,
                                                                 const void* data, size_t data_len,
                                                                 const void* tag, size_t tag_len);

/* incore_cbc_mac replaces the 16 bytes at |mac|, zeros before the first call for a message, by the
 * CBC-MAC of what came so far and |data|. |data_len| is a multiple of 16, else INCORE_ERROR_LENGTH;
 * padding is the caller's. INCORE_ERROR_STATE: key not set. INCORE_ERROR_OVERLAP: |mac| overlaps
 * |data|. WARNING: tells forgeries only among messages of one length that is fixed beforehand, or
 * that begin with their length. Where messages may be longer or shorter, anyone can make new ones
 * out of those he has seen: use CMAC. */
INCORE_API INCORE_NODISCARD incore_status incore_cbc_mac(const incore_aes_key* key, uint8_t* mac,
                                                         const void* data, size_t data_len);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_CMAC_H */
