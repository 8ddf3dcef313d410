/* AES (FIPS 197) with keys of 128, 192 and 256 bits, in the modes of SP 800-38A: ECB, CBC, CFB128,
 * OFB and CTR.
 *
 * Beyond the rules in incore/status.h:
 * - None of these modes detects that a message was changed. For data that others can touch, add
 *   a MAC.
 * - All functions work in place (in == out). Other overlap of in, out and iv: INCORE_ERROR_OVERLAP.
 * - Faults are looked for in this order: NULL, STATE, RANGE, LENGTH, OVERLAP.
 * - A key is set by incore_aes_key_set; other functions answer INCORE_ERROR_STATE for one that is
 *   not set or is wiped. Using a key does not change it: threads may share it. It may be copied
 *   with `=` or memcpy.
 */
#ifndef INCORE_AES_H
#define INCORE_AES_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INCORE_AES_BLOCK_LEN 16

#if defined(__GNUC__)
#define INCORE_AES_ALIGNED __attribute__((aligned(16))) /* memory from malloc is */
#else
#define INCORE_AES_ALIGNED
#endif

/* A key made ready for both directions. Secret: pass it to incore_aes_key_wipe when done. */
typedef struct incore_aes_key {
  unsigned char opaque[2432];
} INCORE_AES_ALIGNED incore_aes_key;

/* incore_aes_kernel returns the name of the kernel that serves this process, such as "aesni"; NULL
 * if INCORE_KERNEL is wrong. */
INCORE_API const char* incore_aes_kernel(void);

/* incore_aes_key_set makes |out_key| ready from the |key_len| bytes at |key|: 16, 24 or 32, else
 * INCORE_ERROR_KEY_LENGTH. INCORE_ERROR_KERNEL if the environment variable INCORE_KERNEL is wrong.
 * On failure an earlier key in |out_key| stays. */
INCORE_API INCORE_NODISCARD incore_status incore_aes_key_set(incore_aes_key* out_key,
                                                             const void* key, size_t key_len);

/* incore_aes_key_wipe clears the key. */
INCORE_API void incore_aes_key_wipe(incore_aes_key* key);

/* incore_aes_ecb_encrypt and incore_aes_ecb_decrypt process each block on its own. |len| is a
 * multiple of 16, else INCORE_ERROR_LENGTH; |out| takes |len| bytes. WARNING: equal blocks have
 * equal images; a building block, not a way to encrypt messages. */
INCORE_API INCORE_NODISCARD incore_status incore_aes_ecb_encrypt(const incore_aes_key* key,
                                                                 const void* in, size_t len,
                                                                 void* out);
INCORE_API INCORE_NODISCARD incore_status incore_aes_ecb_decrypt(const incore_aes_key* key,
                                                                 const void* in, size_t len,
                                                                 void* out);

/* incore_aes_cbc_encrypt and incore_aes_cbc_decrypt process whole blocks: |len| is a multiple of
 * 16, else INCORE_ERROR_LENGTH; |out| takes |len| bytes; padding is the caller's. |iv| is 16 bytes,
 * read, then replaced by the last ciphertext block, so that the next call goes on with the message.
 * The iv of a message to be encrypted must be unpredictable. */
INCORE_API INCORE_NODISCARD incore_status incore_aes_cbc_encrypt(const incore_aes_key* key,
                                                                 uint8_t* iv, const void* in,
                                                                 size_t len, void* out);
INCORE_API INCORE_NODISCARD incore_status incore_aes_cbc_decrypt(const incore_aes_key* key,
                                                                 uint8_t* iv, const void* in,
                                                                 size_t len, void* out);

/* One message of many: the arguments of incore_aes_cbc_encrypt. */
typedef struct incore_aes_message {
  const incore_aes_key* key;
  uint8_t* iv; /* 16 bytes */
  const void* in;
  size_t len;
  void* out;
} incore_aes_message;

/* incore_aes_cbc_encrypt_many and incore_aes_cfb_encrypt_many encrypt |num_messages| messages that
 * have nothing to do with each other side by side: several times as fast as one after the other,
 * since a block of these modes waits for the block before. 16 to 32 messages keep a CPU busy; few
 * and short ones are encrypted one after the other. Lengths and keys may differ, and keys, ivs and
 * inputs of one message must not be what another one writes. Each message is as for
 * incore_aes_cbc_encrypt: |len| is a multiple of 16, and |iv| is read, then replaced by the last
 * ciphertext block. CFB128 takes any |len|; a message whose length is no multiple of 16 ends there,
 * and its iv is the last whole ciphertext block. All messages are checked before anything is
 * written, and one fault refuses all of them. INCORE_ERROR_OVERLAP: also if |out| or |iv| of a
 * message overlaps |in|, |out| or |iv| of another one, or |messages|. That takes one look at each
 * message where all lie in the order of their addresses, the ivs apart from the texts or each
 * beside its own; otherwise about as long as sorting them by address. */
INCORE_API INCORE_NODISCARD incore_status
incore_aes_cbc_encrypt_many(const incore_aes_message* messages, size_t num_messages);
INCORE_API INCORE_NODISCARD incore_status
incore_aes_cfb_encrypt_many(const incore_aes_message* messages, size_t num_messages);

/* The modes that take messages of any length. In CTR the counter is the last 16, 32, 64 or 128 bits
 * of the iv, big-endian; it wraps within these bits and leaves the others alone. OFB and CTR
 * decrypt by encrypting. */
typedef enum incore_aes_stream_mode INCORE_FIXED_INT {
  INCORE_AES_CFB128_ENCRYPT = 1,
  INCORE_AES_CFB128_DECRYPT = 2,
  INCORE_AES_OFB = 3,
  INCORE_AES_CTR16 = 4,
  INCORE_AES_CTR32 = 5,
  INCORE_AES_CTR64 = 6,
  INCORE_AES_CTR128 = 7
} incore_aes_stream_mode;

/* incore_aes_crypt encrypts or decrypts one message of |len| bytes at |in| to |out|. |iv| is 16
 * bytes and must never serve two messages under one key (CFB128: must be unpredictable).
 * INCORE_ERROR_RANGE: no such mode. INCORE_ERROR_LENGTH: a CTR message longer than 2^(counter bits)
 * blocks, whose keystream would repeat and give the message away: 1 MiB for CTR16, 64 GiB for
 * CTR32. */
INCORE_API INCORE_NODISCARD incore_status incore_aes_crypt(const incore_aes_key* key,
                                                           incore_aes_stream_mode mode,
                                                           const uint8_t* iv, const void* in,
                                                           size_t len, void* out);

/* Where a message that comes in pieces stands. It does not hold the key, but keystream: pass it to
 * incore_aes_stream_wipe when done. A copy goes on by itself from the same place. */
typedef struct incore_aes_stream {
  unsigned char opaque[64];
} INCORE_AES_ALIGNED incore_aes_stream;

/* incore_aes_stream_start makes |out_stream| stand at the beginning of a message, with |mode| and
 * |iv| as for incore_aes_crypt. INCORE_ERROR_RANGE: no such mode. */
INCORE_API INCORE_NODISCARD incore_status incore_aes_stream_start(incore_aes_stream* out_stream,
                                                                  incore_aes_stream_mode mode,
                                                                  const uint8_t* iv);

/* incore_aes_stream_update processes the next |len| bytes of the message, any number; the result is
 * that of incore_aes_crypt on the pieces joined. Every call for a message takes the same key.
 * INCORE_ERROR_STATE: key not set or stream not started. INCORE_ERROR_LENGTH as for
 * incore_aes_crypt, counting all calls. |stream| may not overlap |in| or |out|. */
INCORE_API INCORE_NODISCARD incore_status incore_aes_stream_update(incore_aes_stream* stream,
                                                                   const incore_aes_key* key,
                                                                   const void* in, size_t len,
                                                                   void* out);

/* incore_aes_stream_wipe clears the stream. */
INCORE_API void incore_aes_stream_wipe(incore_aes_stream* stream);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_AES_H */
