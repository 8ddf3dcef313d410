/* SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512 (FIPS 180-4), in pieces or in one call.
 *
 *   incore_sha sha;
 *   incore_sha_init(&sha, INCORE_SHA256);
 *   incore_sha_update(&sha, data, data_len);       // as often as there is data
 *   incore_sha_final(&sha, digest, sizeof digest);  // 32 bytes; the context is used up and wiped
 *
 * WARNING: SHA-1 is broken where collisions matter; it is here for what still needs it.
 */
#ifndef INCORE_SHA_H
#define INCORE_SHA_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum incore_sha_algorithm INCORE_FIXED_INT {
  INCORE_SHA1 = 1,
  INCORE_SHA224 = 2,
  INCORE_SHA256 = 3,
  INCORE_SHA384 = 4,
  INCORE_SHA512 = 5
} incore_sha_algorithm;

#define INCORE_SHA1_DIGEST_LEN 20
#define INCORE_SHA224_DIGEST_LEN 28
#define INCORE_SHA256_DIGEST_LEN 32
#define INCORE_SHA384_DIGEST_LEN 48
#define INCORE_SHA512_DIGEST_LEN 64
#define INCORE_SHA_MAX_DIGEST_LEN 64

/* One computation. May be copied as a structure, which forks it. */
typedef struct incore_sha {
  uint64_t opaque[48];
} incore_sha;

/* incore_sha_digest_len returns the length of |algorithm|'s digest in bytes; 0 if there is no such
 * algorithm. */
INCORE_API size_t incore_sha_digest_len(incore_sha_algorithm algorithm);

/* incore_sha_init starts |out_ctx| on an empty message. What the context held before does not
 * matter. INCORE_ERROR_ALGORITHM: there is no such algorithm. INCORE_ERROR_KERNEL: the environment
 * variable INCORE_KERNEL is wrong. */
INCORE_API INCORE_NODISCARD incore_status incore_sha_init(incore_sha* out_ctx,
                                                          incore_sha_algorithm algorithm);

/* incore_sha_update appends |data_len| bytes to the message. |data| may be NULL if |data_len| is 0.
 * INCORE_ERROR_LENGTH: the message would exceed 2^61 - 1 bytes (2^64 - 1 for SHA-384 and SHA-512);
 * it is unchanged. INCORE_ERROR_STATE: the context was not initialised, or is used up. */
INCORE_API INCORE_NODISCARD incore_status incore_sha_update(incore_sha* ctx, const void* data,
                                                            size_t data_len);

/* incore_sha_final writes the digest of the message and wipes |ctx|, which then needs
 * incore_sha_init again. |out_digest_len| is the room at |out_digest| and must be exactly the
 * algorithm's length; otherwise INCORE_ERROR_LENGTH, and the context goes on. INCORE_ERROR_STATE as
 * for incore_sha_update. */
INCORE_API INCORE_NODISCARD incore_status incore_sha_final(incore_sha* ctx, uint8_t* out_digest,
                                                           size_t out_digest_len);

/* incore_sha_wipe clears |ctx|, which may be NULL. Needed only where incore_sha_final was not
 * called. */
INCORE_API void incore_sha_wipe(incore_sha* ctx);

/* incore_sha_digest hashes one message of |data_len| bytes: init, update and final in one.
 * |out_digest| may lie within the data. Returns what those return. */
INCORE_API INCORE_NODISCARD incore_status incore_sha_digest(incore_sha_algorithm algorithm,
                                                            const void* data, size_t data_len,
                                                            uint8_t* out_digest,
                                                            size_t out_digest_len);

/* One of many messages: |data_len| bytes at |data|, which may be NULL if there are none, and where
 * its digest goes, as many bytes as incore_sha_digest_len says. */
typedef struct incore_sha_message {
  const void* data;
  size_t data_len;
  uint8_t* out_digest;
} incore_sha_message;

/* incore_sha_digest_many hashes |num_messages| messages that have nothing to do with each other,
 * side by side where the CPU gains by it: two to ten times as fast as one after the other. Any
 * number and any mix of lengths. A digest may lie within its own message, as with
 * incore_sha_digest.
 *
 * Nothing is written unless all is well. INCORE_ERROR_ALGORITHM, INCORE_ERROR_KERNEL: as for
 * incore_sha_init. INCORE_ERROR_NULL: |messages|, a message's data or its |out_digest| is NULL.
 * INCORE_ERROR_LENGTH: a message is longer than incore_sha_update or the address space allows.
 * INCORE_ERROR_OVERLAP: a digest would overwrite the data of another message, another digest or
 * |messages|. That takes one look at each message where the digests lie in the order of the
 * messages and apart from all data, or the messages one behind the other, each with its digest;
 * otherwise about as long as sorting them by address. */
INCORE_API INCORE_NODISCARD incore_status incore_sha_digest_many(incore_sha_algorithm algorithm,
                                                                 const incore_sha_message* messages,
                                                                 size_t num_messages);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_SHA_H */
