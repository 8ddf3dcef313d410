/* AES-GCM (SP 800-38D): encryption and authentication of a text, and authentication of data that
 * stays in clear (AAD), with keys of 128, 192 and 256 bits. GMAC is GCM without a text.
 *
 * Beyond the rules in incore/status.h:
 * - WARNING: an iv must never serve two messages under one key. The second gives away the xor of
 *   both texts and the means to forge tags for every later message. 12 bytes that count messages
 *   are best; random ones are good for 2^32 messages at most.
 * - |iv| takes any length but 0, |aad| up to 2^61 - 1 bytes, the text up to 2^36 - 32 bytes.
 *   |tag_len| is 16, 15, 14, 13, 12, 8 or 4; the last two only for short messages and few failures
 *   (SP 800-38D appendix C). INCORE_ERROR_LENGTH for all others.
 * - Texts are processed in place (in == out) or with no overlap. No other overlap of inputs,
 * outputs and contexts is allowed where something is written: INCORE_ERROR_OVERLAP.
 * - Faults are looked for in this order: NULL, STATE, LENGTH, OVERLAP, then TAG.
 * - A key is set by incore_gcm_key_set; other functions answer INCORE_ERROR_STATE for one that is
 *   not set or is wiped. Using a key does not change it: threads may share it. It may be copied
 *   with `=` or memcpy.
 */
#ifndef INCORE_GCM_H
#define INCORE_GCM_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INCORE_GCM_TAG_LEN 16
#define INCORE_GCM_IV_LEN 12

#if defined(__GNUC__)
#define INCORE_GCM_ALIGNED __attribute__((aligned(16))) /* memory from malloc is */
#else
#define INCORE_GCM_ALIGNED
#endif

/* An AES key and powers of its hash key. Secret: pass it to incore_gcm_key_wipe when done. */
typedef struct incore_gcm_key {
  unsigned char opaque[2560];
} INCORE_GCM_ALIGNED incore_gcm_key;

/* incore_ghash_kernel returns the name of the GHASH kernel that serves this process, such as
 * "pclmul"; NULL if INCORE_KERNEL is wrong. AES is that of incore_aes_kernel. */
INCORE_API const char* incore_ghash_kernel(void);

/* incore_gcm_key_set makes |out_key| ready from the |key_len| bytes at |key|: 16, 24 or 32, else
 * INCORE_ERROR_KEY_LENGTH. INCORE_ERROR_KERNEL if the environment variable INCORE_KERNEL is wrong.
 * On failure an earlier key in |out_key| stays. */
INCORE_API INCORE_NODISCARD incore_status incore_gcm_key_set(incore_gcm_key* out_key,
                                                             const void* key, size_t key_len);

/* incore_gcm_key_wipe clears the key. */
INCORE_API void incore_gcm_key_wipe(incore_gcm_key* key);

/* incore_gcm_encrypt encrypts the |len| bytes at |in| to |out| and writes the first |tag_len| bytes
 * of the tag to |out_tag|. The iv and tag go with the message; |aad| is authenticated with it. */
INCORE_API INCORE_NODISCARD incore_status incore_gcm_encrypt(const incore_gcm_key* key,
                                                             const void* iv, size_t iv_len,
                                                             const void* aad, size_t aad_len,
                                                             const void* in, size_t len, void* out,
                                                             void* out_tag, size_t tag_len);

/* incore_gcm_decrypt decrypts the |len| bytes at |in| to |out| if the |tag_len| bytes at |tag| are
 * the tag. INCORE_ERROR_TAG: key, iv, aad, text and tag are not those of one message. Then nothing
 * of the text is left: |out| has the ciphertext again if it is |in|, and zeros otherwise. Until the
 * call returns, other threads must not look at |out|. */
INCORE_API INCORE_NODISCARD incore_status incore_gcm_decrypt(
    const incore_gcm_key* key, const void* iv, size_t iv_len, const void* aad, size_t aad_len,
    const void* in, size_t len, const void* tag, size_t tag_len, void* out);

/* A message that comes in pieces: start, then all the aad, then all the text in one direction, then
 * tag (encryption) or verify (decryption). Another order is INCORE_ERROR_STATE, and so is a stream
 * that was not started or is used up. Every call for a message takes the same key. A stream does
 * not hold the key, but keystream: pass it to incore_gcm_stream_wipe unless tag or verify ended it.
 * Copies go on by themselves; two must not encrypt different texts, as the iv is the same. */
typedef struct incore_gcm_stream {
  unsigned char opaque[160];
} INCORE_GCM_ALIGNED incore_gcm_stream;

/* incore_gcm_stream_start makes |out_stream| stand at the beginning of a message with |iv|. */
INCORE_API INCORE_NODISCARD incore_status incore_gcm_stream_start(incore_gcm_stream* out_stream,
                                                                  const incore_gcm_key* key,
                                                                  const void* iv, size_t iv_len);

/* incore_gcm_stream_aad authenticates the next |aad_len| bytes, any number. INCORE_ERROR_STATE also
 * if text has been processed already. */
INCORE_API INCORE_NODISCARD incore_status incore_gcm_stream_aad(incore_gcm_stream* stream,
                                                                const incore_gcm_key* key,
                                                                const void* aad, size_t aad_len);

/* incore_gcm_stream_encrypt and incore_gcm_stream_decrypt process the next |len| bytes of the text,
 * any number; |out| takes |len| bytes. One message is processed in one direction.
 * WARNING: what incore_gcm_stream_decrypt writes is not verified yet. Act on none of it before
 * incore_gcm_stream_verify has answered INCORE_OK, and discard all of it otherwise; where the text
 * is there as a whole, incore_gcm_decrypt does that by itself. */
INCORE_API INCORE_NODISCARD incore_status incore_gcm_stream_encrypt(incore_gcm_stream* stream,
                                                                    const incore_gcm_key* key,
                                                                    const void* in, size_t len,
                                                                    void* out);
INCORE_API INCORE_NODISCARD incore_status incore_gcm_stream_decrypt(incore_gcm_stream* stream,
                                                                    const incore_gcm_key* key,
                                                                    const void* in, size_t len,
                                                                    void* out);

/* incore_gcm_stream_tag ends an encryption: it writes the first |tag_len| bytes of the tag to
 * |out_tag| and wipes the stream. INCORE_ERROR_STATE also if the text was decrypted. */
INCORE_API INCORE_NODISCARD incore_status incore_gcm_stream_tag(incore_gcm_stream* stream,
                                                                const incore_gcm_key* key,
                                                                void* out_tag, size_t tag_len);

/* incore_gcm_stream_verify ends a decryption: it compares the |tag_len| bytes at |tag| with the
 * tag of what was processed, in constant time, and wipes the stream. INCORE_ERROR_TAG: they differ.
 * INCORE_ERROR_STATE also if the text was encrypted. */
INCORE_API INCORE_NODISCARD incore_status incore_gcm_stream_verify(incore_gcm_stream* stream,
                                                                   const incore_gcm_key* key,
                                                                   const void* tag, size_t tag_len);

/* incore_gcm_stream_wipe clears the stream. */
INCORE_API void incore_gcm_stream_wipe(incore_gcm_stream* stream);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_GCM_H */
